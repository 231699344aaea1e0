import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CANCELED, NO_SPACE } from '../../../contract/codes.ts'
import { DEVICE_UPDATE_STATE } from '../../../contract/rollout.ts'
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

test('devices keep their order, and wait', () => {
  const id = add('C', 'A', 'B')
  assert.deepEqual(
    store.rollouts.devices(id).map(({ sn, state }) => [sn, state]),
    [
      ['C', DEVICE_UPDATE_STATE.waiting],
      ['A', DEVICE_UPDATE_STATE.waiting],
      ['B', DEVICE_UPDATE_STATE.waiting]
    ]
  )
  assert.deepEqual(
    store.rollouts.nextWaiting(id, 2).map(({ sn }) => sn),
    ['C', 'A']
  )
  assert.ok(store.rollouts.isDeviceBusy('A'))
  assert.ok(!store.rollouts.isDeviceBusy('D'))
})

test('counts returns the number of devices in each state', () => {
  const { rollouts } = store
  const id = add('A', 'B', 'C', 'D', 'E', 'F')
  rollouts.startWave(id, 1, ['A', 'B', 'C', 'D'])
  rollouts.startDevice(id, 'A', 5)
  rollouts.setDevice(id, 'B', DEVICE_UPDATE_STATE.idle, 0, 9)
  rollouts.setDevice(id, 'C', DEVICE_UPDATE_STATE.failed, NO_SPACE, 9)
  rollouts.setDevice(id, 'E', DEVICE_UPDATE_STATE.failed, CANCELED, 9)
  const counts = { total: 6, waiting: 2, active: 1, done: 1, failed: 1, cancelled: 1, started: 2 }
  assert.deepEqual({ ...rollouts.counts(id) }, counts)
  rollouts.suspend(id, 'paused')
  assert.deepEqual({ ...rollouts.counts(id) }, { ...counts, started: 1 })
  assert.equal(rollouts.cancelWaiting(id, 10), 2)
  assert.equal(rollouts.counts(id).cancelled, 3)
  assert.ok(rollouts.isDeviceBusy('A'), 'a running update is not cancelled')
})

test('a device whose update is started again keeps its step, and its attempts are counted', () => {
  const { rollouts } = store
  const id = add('A')
  rollouts.startWave(id, 1, ['A'])
  rollouts.startDevice(id, 'A', 5)
  rollouts.setDevice(id, 'A', DEVICE_UPDATE_STATE.restarting)
  rollouts.startDevice(id, 'A', 5)
  const device = rollouts.device(id, 'A')
  assert.deepEqual([device?.state, device?.attempts, device?.started], [DEVICE_UPDATE_STATE.restarting, 2, 5])
})

test('the current update of a device is that of its newest rollout', () => {
  const { rollouts } = store
  const first = add('A', 'B', 'C')
  rollouts.setDevice(first, 'A', DEVICE_UPDATE_STATE.failed, NO_SPACE, 9)
  rollouts.setDevice(first, 'B', DEVICE_UPDATE_STATE.failed, NO_SPACE, 9)
  rollouts.setDevice(first, 'C', DEVICE_UPDATE_STATE.failed, CANCELED, 9)
  const second = add('A')
  assert.deepEqual(
    rollouts.currentUpdates().map(({ sn, state }) => [sn, state]),
    [
      ['B', DEVICE_UPDATE_STATE.failed],
      ['A', DEVICE_UPDATE_STATE.waiting]
    ]
  )
  rollouts.setDevice(second, 'A', DEVICE_UPDATE_STATE.idle, 0, 9)
  assert.deepEqual(
    rollouts.currentUpdates().map(({ sn }) => sn),
    ['B']
  )
})

test('finished rollouts are kept up to a limit, unfinished ones always', () => {
  const { rollouts } = store
  const unfinished = add('A')
  for (let count = 0; count < 205; count++) rollouts.setState(add('B'), 'done', 1)
  add('C')
  assert.equal(rollouts.all().length, 202)
  assert.equal(rollouts.all().at(-1)?.id, unfinished)
  assert.equal(store.database.get<{ n: number }>('SELECT count(*) AS n FROM rollout_device')?.n, 202)
})

test.run()
