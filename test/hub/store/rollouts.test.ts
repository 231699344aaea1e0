import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CANCELED, NO_SPACE } from '../../../contract/codes.ts'
import { UPDATE } from '../../../contract/firmware.ts'
import type { NewRollout } from '../../../hub/store/rollouts.ts'
import { openStore, type Store } from '../../../hub/store/store.ts'

const test = suite('rollouts')
let store: Store
test.before.each(() => {
  store = openStore(':memory:')
})
test.after.each(() => store.close())

const PLAN: NewRollout = {
  firmware_id: 1,
  product_name: 'Ultra Encode AIO',
  hardware_ver: 'A',
  version: '1.5.0',
  test: 0,
  user: 'Admin',
  first: 1,
  wave: 10,
  stop_after: 1,
  created: 1
}

function add(...serials: string[]): number {
  return store.rollouts.add(
    PLAN,
    serials.map((sn) => ({ sn, version: '1.4.0' }))
  )
}

test('devices stand in their order, and wait', () => {
  const id = add('C', 'A', 'B')
  assert.deepEqual(
    store.rollouts.devices(id).map(({ sn, state }) => [sn, state]),
    [
      ['C', UPDATE.waiting],
      ['A', UPDATE.waiting],
      ['B', UPDATE.waiting]
    ]
  )
  assert.deepEqual(
    store.rollouts.next(id, 2).map(({ sn }) => sn),
    ['C', 'A']
  )
  assert.ok(store.rollouts.busy('A'))
  assert.ok(!store.rollouts.busy('D'))
})

test('a tally tells how all stand', () => {
  const { rollouts } = store
  const id = add('A', 'B', 'C', 'D', 'E', 'F')
  rollouts.beginWave(id, 1, ['A', 'B', 'C', 'D'])
  rollouts.begin(id, 'A', 5)
  rollouts.setDevice(id, 'B', UPDATE.idle, 0, 9)
  rollouts.setDevice(id, 'C', UPDATE.failed, NO_SPACE, 9)
  rollouts.setDevice(id, 'E', UPDATE.failed, CANCELED, 9)
  const tally = { total: 6, waiting: 2, active: 1, done: 1, failed: 1, cancelled: 1, begun: 2 }
  assert.deepEqual({ ...rollouts.tally(id) }, tally)
  rollouts.hold(id, 'paused')
  assert.deepEqual({ ...rollouts.tally(id) }, { ...tally, begun: 1 })
  assert.equal(rollouts.cancelWaiting(id, 10), 2)
  assert.equal(rollouts.tally(id).cancelled, 3)
  assert.ok(rollouts.busy('A'), 'what has begun is not cancelled')
})

test('begun once more, a device keeps its step and counts its attempts', () => {
  const { rollouts } = store
  const id = add('A')
  rollouts.beginWave(id, 1, ['A'])
  rollouts.begin(id, 'A', 5)
  rollouts.setDevice(id, 'A', UPDATE.restarting)
  rollouts.begin(id, 'A', 5)
  const device = rollouts.device(id, 'A')
  assert.deepEqual([device?.state, device?.attempts, device?.started], [UPDATE.restarting, 2, 5])
})

test('the last word on a device is that of its newest rollout', () => {
  const { rollouts } = store
  const first = add('A', 'B', 'C')
  rollouts.setDevice(first, 'A', UPDATE.failed, NO_SPACE, 9)
  rollouts.setDevice(first, 'B', UPDATE.failed, NO_SPACE, 9)
  rollouts.setDevice(first, 'C', UPDATE.failed, CANCELED, 9)
  const second = add('A')
  assert.deepEqual(
    rollouts.current().map(({ sn, state }) => [sn, state]),
    [
      ['B', UPDATE.failed],
      ['A', UPDATE.waiting]
    ]
  )
  rollouts.setDevice(second, 'A', UPDATE.idle, 0, 9)
  assert.deepEqual(
    rollouts.current().map(({ sn }) => sn),
    ['B']
  )
})

test('those that are over are kept up to a number, those that are not all', () => {
  const { rollouts } = store
  const open = add('A')
  for (let count = 0; count < 205; count++) rollouts.setState(add('B'), 'done', 1)
  add('C')
  assert.equal(rollouts.all().length, 202)
  assert.equal(rollouts.all().at(-1)?.id, open)
  assert.equal(store.database.get<{ n: number }>('SELECT count(*) AS n FROM rollout_device')?.n, 202)
})

test.run()
