import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DeviceStates } from '../../../engine/server/device-states.ts'

const test = suite('device states')

/** Devices whose streams are in `active`, with the changes that were reported. */
function create() {
  const active = new Set<string>()
  const changes: string[] = []
  const states: DeviceStates = new DeviceStates({
    // As in the engine, where a device that is offline is not active.
    isActive: (sn) => states.isOnline(sn) && active.has(sn),
    onChange: (sn) => changes.push(`${sn} ${states.isOnline(sn)}`)
  })
  return { states, active, changes }
}

test('a device without streams is online as long as the hub says so', () => {
  const { states, changes } = create()
  states.set('A', 'online')
  states.set('A', 'online')
  states.set('A', 'offline')
  assert.deepEqual(changes, ['A true', 'A false'])
})

test('a device whose link is lost stays online until its streams end', () => {
  const { states, active, changes } = create()
  states.set('A', 'online')
  active.add('A')
  states.set('A', 'offline')
  states.tick()
  assert.equal(states.isOnline('A'), true)
  active.delete('A')
  states.tick()
  assert.deepEqual([states.isOnline('A'), changes], [false, ['A true', 'A false']])
})

test('a device that is back before its streams end was never offline', () => {
  const { states, active, changes } = create()
  states.set('A', 'online')
  active.add('A')
  states.set('A', 'offline')
  states.set('A', 'online')
  active.delete('A')
  states.tick()
  assert.deepEqual([states.isOnline('A'), changes], [true, ['A true']])
})

test('a device that was rejected or deleted is offline at once', () => {
  const { states, active } = create()
  active.add('A')
  states.set('A', 'online')
  states.set('A', 'removed')
  assert.equal(states.isOnline('A'), false)
  states.set('A', 'online')
  states.set('A', 'offline')
  states.set('A', 'removed')
  assert.equal(states.isOnline('A'), false)
})

test('a new hub that knows no devices yet ends no stream', () => {
  const { states, active, changes } = create()
  states.replaceAll(['A', 'B'])
  active.add('A')
  states.replaceAll(['C'])
  assert.deepEqual(
    ['A', 'B', 'C'].map((sn) => states.isOnline(sn)),
    [true, false, true]
  )
  assert.deepEqual(changes, ['A true', 'B true', 'B false', 'C true'])
})

test.run()
