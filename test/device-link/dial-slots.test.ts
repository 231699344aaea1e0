import * as assert from 'node:assert/strict'
import { suite } from 'uvu'
import { acquireDialSlot } from '../../device-link/dial-slots.ts'

const test = suite('dial slots')

test('at most 40 slots are in use; a release passes the slot to the next that still waits, and counts once', () => {
  const releases: (() => void)[] = []
  const acquired: number[] = []
  const stopWaiting = Array.from({ length: 46 }, (_, index) =>
    acquireDialSlot((release) => {
      acquired.push(index)
      releases.push(release)
    })
  )
  assert.equal(acquired.length, 40)
  stopWaiting[40]?.()
  releases[0]?.()
  releases[0]?.()
  assert.deepEqual(acquired.slice(40), [41])
  // No effect after the slot is acquired.
  stopWaiting[41]?.()
  for (let index = 1; index < 46; index++) releases[index]?.()
  assert.deepEqual(acquired.slice(40), [41, 42, 43, 44, 45])
  for (const release of releases) release()
  let isAcquired = false
  acquireDialSlot((release) => {
    isAcquired = true
    release()
  })
  assert.ok(isAcquired)
})

test.run()
