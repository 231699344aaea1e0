import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { canCancelHardwareUpdate, isHardwareUpdating } from '../../contract/hardware-update.ts'
import { INSTALLATION_STATE } from '../../contract/installation-state.ts'

const test = suite('states of a hardware update')

const { failed, idle, init, updating, done, download } = INSTALLATION_STATE
const statesIn = (matches: (state: number) => boolean) => Object.values(INSTALLATION_STATE).filter(matches)

test('the numbers are those of the documented states', () => {
  assert.deepEqual([failed, idle, init, updating, done, download], [-1, 0, 1, 2, 3, 4])
})

test('an update runs while it is prepared, downloads and writes', () => {
  assert.deepEqual(statesIn(isHardwareUpdating), [init, updating, download])
})

test('an update can be cancelled until it writes, and a failure can be cleared', () => {
  assert.deepEqual(statesIn(canCancelHardwareUpdate), [failed, init, download])
})

test.run()
