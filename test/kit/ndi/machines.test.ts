// The machines and programs of the NDI tests, with the real runtime.
import assert from 'node:assert/strict'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { listNdiSources } from '../../../contract/stream/ndi.ts'
import { suiteRequiring } from '../runner/suite.ts'
import { until } from '../until.ts'
import { startNdiHub } from './hub.ts'
import { type NdiMachines, startNdiMachines } from './machines.ts'
import { BAR_LUMA, startReceiver, startSource } from './programs.ts'
import { missingForNdi } from './runtime.ts'

const test = suiteRequiring('NDI machines', missingForNdi())

let machines: NdiMachines
const priority = getPriority()
test.before(async () => {
  machines = await startNdiMachines()
})
test.after(() => machines.stop())

test('a receiver on one machine measures a source on the other', async () => {
  const source = await startSource(machines, machines.src, 'Camera', { id: 5 })
  assert.equal(source.name, 'SRC (Camera)')
  const receiver = startReceiver(machines, machines.hub, source.name)
  await receiver.receiving(5)
  await receiver.reset()
  await until(() => (receiver.figures?.seconds ?? 0) > 3, 'three seconds are measured')
  const { frames = 0, lost, syncByTimestamp, luma } = receiver.figures ?? {}
  assert.ok(frames > 70, `${frames}`)
  assert.equal(lost, 0)
  assert.ok(
    (syncByTimestamp?.count ?? 0) >= 2 && Math.abs(syncByTimestamp?.mean ?? 99) < 10,
    JSON.stringify(syncByTimestamp)
  )
  for (const [index, value] of BAR_LUMA.entries()) assert.ok(Math.abs((luma?.[index] ?? 0) - value) <= 1, luma?.join())
  assert.equal(source.connections, 1)
  await machines.pullCable()
  await until(() => (receiver.figures?.silence ?? 0) > 1000, 'no frame arrives')
  await machines.plugCable()
  await receiver.receiving(5)
  source.freeze()
  await until(() => (receiver.figures?.silence ?? 0) > 500, 'no frame arrives')
  source.thaw()
  await receiver.receiving(5)
  await source.end('SIGKILL')
  await receiver.end('SIGKILL')
})

test('a source in a group is received by receivers that search in the group', async () => {
  const source = await startSource(machines, machines.src, 'Grouped', { id: 6, groups: 'studio' })
  const receiver = startReceiver(machines, machines.hub, source.name, { groups: 'studio' })
  await receiver.receiving(6)
  await source.end()
  await receiver.end()
})

test('a hub on a machine is reached from here, and finds the source of the other machine', async () => {
  const data = join(machines.folder, 'data')
  const source = await startSource(machines, machines.src, 'Camera', { id: 7 })
  const running = await startNdiHub(machines, machines.hub, data)
  try {
    await until(async () => {
      const { list } = await running.hub.send(listNdiSources, {})
      return list.some(({ name }) => name === 'SRC (Camera)')
    }, 'the source is listed')
  } finally {
    await running.kill()
    await source.end()
  }
})

test('the process of the test has its own priority again when the machines have stopped', async () => {
  await machines.stop()
  assert.equal(getPriority(), priority)
})

test.run()
