// What the real NDI runtime does on machines that have IPv6 addresses alone: nothing over the network. The console says
// so (docs/architecture/ipv6.md). If these tests fail with a newer runtime, it supports IPv6.
import assert from 'node:assert/strict'
import { isIPv6 } from 'node:net'
import { type NdiMachines, startNdiMachines } from '../../../kit/ndi/machines.ts'
import { startReceiver, startSource, type TestSource } from '../../../kit/ndi/programs.ts'
import { missingForNdi } from '../../../kit/ndi/runtime.ts'
import { suiteRequiring } from '../../../kit/runner/suite.ts'

const test = suiteRequiring('NDI without IPv4', missingForNdi())

let machines: NdiMachines
let source: TestSource
test.before(async () => {
  machines = await startNdiMachines('IPv6')
  source = await startSource(machines, machines.src, 'Camera', { id: 3 })
})
test.after(async () => {
  await source.end('SIGKILL')
  await machines.stop()
})

/** Listening TCP sockets of a machine, as the kernel lists them. */
async function listeners(table: 'tcp' | 'tcp6'): Promise<string[]> {
  const text = await machines.src.run('cat', `/proc/net/${table}`)
  const rows = text
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
  return rows.flatMap(([, local = '', , state]) => (state === '0A' ? [local] : []))
}

test('the machines reach each other over IPv6', async () => {
  const { address } = machines.src
  assert.ok(isIPv6(address))
  assert.match(await machines.hub.run('ping', '-6', '-c', '1', '-W', '5', address), /1 received/)
  assert.doesNotMatch(await machines.src.run('ip', '-4', 'addr'), /inet /)
})

test('a sender accepts connections over IPv4 alone', async () => {
  const ports = (await listeners('tcp')).map((local) => Number.parseInt(local.split(':')[1] ?? '', 16))
  assert.ok(ports.includes(5961), `${ports}`)
  assert.deepEqual(await listeners('tcp6'), [])
})

test('a receiver gets no frame, neither by the name nor at the IPv6 address of the source', async () => {
  const { address } = machines.src
  for (const at of ['', `${address}:5961`, `[${address}]:5961`]) {
    const receiver = startReceiver(machines, machines.hub, 'SRC (Camera)', { address: at })
    // It reports twice a second; a source in reach is received within a second.
    let figures = await receiver.nextFigures()
    while (figures.seconds < 5) figures = await receiver.nextFigures()
    assert.equal(figures.frames, 0, `frames arrive at '${at}'`)
    await receiver.end('SIGKILL')
  }
})

test.run()
