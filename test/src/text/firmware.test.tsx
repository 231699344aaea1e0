import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { FIRMWARE_ERRORS } from '../../../contract/firmware.ts'
import { firmwareText } from '../../../src/text/firmware.ts'
import { areSaid } from './both.ts'

const test = suite('firmware errors')

test('every error is said in both languages, with what to do next', () => {
  for (const error of FIRMWARE_ERRORS) {
    areSaid(() => firmwareText(error))
    assert.equal(firmwareText(error).length, 2)
  }
})

test('the space that is needed is said', () => {
  assert.equal(firmwareText('space-below-minimum')[0], 'Less than 50 MB of space')
})

test.run()
