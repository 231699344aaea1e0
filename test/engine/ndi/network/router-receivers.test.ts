// The number of receivers of a router destination, with the real runtime.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { type NdiMachines, startNdiMachines } from '../../../kit/ndi/machines.ts'
import { startReceiver, startSource, type TestReceiver } from '../../../kit/ndi/programs.ts'
import { missingForNdi, NDI_RUNTIME_FOLDER } from '../../../kit/ndi/runtime.ts'
import { suiteRequiring } from '../../../kit/runner/suite.ts'
import { until } from '../../../kit/until.ts'
import { within } from '../../../kit/within.ts'

const test = suiteRequiring('receivers of a router destination', missingForNdi())
const PROGRAM = resolve(import.meta.dirname, '../../../../build/headend-ndi')
/** Milliseconds after which a receiver that has gone does not count. */
const REACTION = 5000

let machines: NdiMachines
let child: ChildProcess
let connections = -1
test.before(async () => {
  machines = await startNdiMachines()
  const [command = '', ...args] = [...machines.hub.wrapper, PROGRAM, 'route', join(NDI_RUNTIME_FOLDER, 'libndi.so.5')]
  child = spawn(command, [...args, '', ''], { stdio: ['pipe', 'ignore', 'inherit', 'pipe'] })
  createInterface({ input: child.stdio[3] as NodeJS.ReadableStream }).on('line', (line) => {
    connections = JSON.parse(line).connections ?? connections
  })
  await startSource(machines, machines.src, 'Camera', { id: 1 })
  child.stdin?.write('announce\t1\tStudio\tSRC (Camera)\n')
})
test.after(async () => {
  child.kill('SIGKILL')
  await machines.stop()
})

const countIs = (count: number) =>
  within(REACTION, `${count} receivers`, () =>
    until(
      () => connections === count,
      () => `there are ${count} receivers: ${connections}`
    )
  )

async function addReceiver(): Promise<TestReceiver> {
  const receiver = startReceiver(machines, machines.src, 'HUB (Studio)')
  await receiver.receiving(1)
  return receiver
}

test('a receiver that is cut off does not count until the cable is back, and one that is killed does not count any more', async () => {
  const first = await addReceiver()
  await countIs(1)
  const second = await addReceiver()
  await countIs(2)
  // Longer than the time after which a receiver that has gone does not count.
  for (let seconds = 0; seconds * 1000 < REACTION; seconds++) await second.nextFigures()
  assert.equal(connections, 2, 'receivers count while the router sends them nothing')
  await machines.pullCable()
  await countIs(0)
  await machines.plugCable()
  await countIs(2)
  await first.end('SIGKILL')
  await countIs(1)
  await second.end('SIGKILL')
  await countIs(0)
})

test.run()
