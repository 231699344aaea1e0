// An input with an address, with the real NDI runtime: the machine that has the sources does not announce them to the
// hub.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NdiConfig } from '../../../engine/ndi/config.ts'
import { receiveOptions } from '../../../engine/ndi/ndi-input.ts'
import { type NdiMachines, startNdiMachines } from '../../kit/ndi/machines.ts'
import { startReceiver, startSource, type TestReceiver } from '../../kit/ndi/programs.ts'
import { missingForNdi } from '../../kit/ndi/runtime.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'

const test = suiteRequiring('NDI source with an address', missingForNdi())

const resolveHost = async (host: string) => host

let machines: NdiMachines
let folder: string
let config: NdiConfig
const closeConfigs: (() => void)[] = []
test.before(async () => {
  machines = await startNdiMachines()
  folder = mkdtempSync(join(tmpdir(), 'headend-account-'))
  config = new NdiConfig({ resolveHost, accountFolder: folder })
  // Without mDNS the hub finds sources at the addresses alone that it is given.
  await machines.hub.run('sh', '-c', 'kill $(cat /run/avahi-daemon/pid)')
})
test.after(async () => {
  await machines.stop()
  for (const close of closeConfigs) close()
  rmSync(folder, { recursive: true })
})

/** Receives a source as an input with this address does. */
async function receive(name: string, address: string): Promise<TestReceiver> {
  const { environment, onExit } = config.open(await receiveOptions({ name, address }, { resolveHost }))
  closeConfigs.push(onExit)
  const variables = Object.entries(environment).map((entry) => entry.join('='))
  const { hub } = machines
  return startReceiver(machines, { ...hub, wrapper: [...hub.wrapper, ...variables] }, name)
}

test('the source with the name is received, whatever is at the port of the address, also after the ports have moved', async () => {
  const { src } = machines
  const other = await startSource(machines, src, 'Other', { id: 2 })
  const camera = await startSource(machines, src, 'Camera', { id: 1 })
  // The first port of a machine is 5961, which the other source has.
  for (const address of [`${src.address}:5961`, src.address]) {
    const receiver = await receive('SRC (Camera)', address)
    await receiver.receiving(1)
    assert.equal(receiver.figures?.id, 1, address)
    await receiver.end()
  }
  await Promise.all([other.end(), camera.end()])
  const moved = await startSource(machines, src, 'Camera', { id: 1 })
  const others = await startSource(machines, src, 'Other', { id: 2 })
  const receiver = await receive('SRC (Camera)', `${src.address}:5962`)
  await receiver.receiving(1)
  await Promise.all([receiver.end(), moved.end(), others.end()])
})

test('a source that does not exist is not replaced by another one of the machine', async () => {
  const source = await startSource(machines, machines.src, 'Other', { id: 2 })
  const receiver = await receive('SRC (Camera)', `${machines.src.address}:5961`)
  // One that is looked for later, at the same address, arrives.
  const other = await receive('SRC (Other)', `${machines.src.address}:5961`)
  await other.receiving(2)
  assert.equal(receiver.figures?.frames ?? 0, 0)
  await Promise.all([receiver.end(), other.end(), source.end()])
})

test.run()
