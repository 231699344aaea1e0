import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { RECORDING_ERRORS } from '../../../contract/device/recording.ts'
import { recordingLines } from '../../../hub/messages/recording.ts'
import { areSaid } from '../../kit/both.ts'

const test = suite('recording errors')

test('every error is said in both languages, with what to do next', () => {
  for (const error of RECORDING_ERRORS) {
    areSaid((language) => recordingLines(language, error))
    assert.equal(recordingLines('en', error).length, 2)
  }
})

test('no two errors are said the same way', () => {
  assert.equal(new Set(RECORDING_ERRORS.map((error) => recordingLines('en', error)[0])).size, RECORDING_ERRORS.length)
})

test.run()
