import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { LIVE_ERRORS, QUICK_STREAM_ERRORS } from '../../../contract/device/live.ts'
import { RECORDING_ERRORS } from '../../../contract/device/recording.ts'
import { actionErrorLines } from '../../../hub/messages/action-errors.ts'
import { assertTranslated } from '../../kit/both-languages.ts'

const test = suite('action errors')

test('every recording error has a sentence and a next step in both languages', () => {
  for (const error of RECORDING_ERRORS) {
    assertTranslated((language) => actionErrorLines(language, error))
    assert.equal(actionErrorLines('en', error).length, 2)
  }
})

test('no two recording errors have the same sentence', () => {
  assert.equal(new Set(RECORDING_ERRORS.map((error) => actionErrorLines('en', error)[0])).size, RECORDING_ERRORS.length)
})

test('every error of live streams and Quick Stream has a sentence in both languages', () => {
  for (const error of [...LIVE_ERRORS, ...QUICK_STREAM_ERRORS])
    assertTranslated((language) => actionErrorLines(language, error))
})

test('the documented wordings are used', () => {
  assert.equal(actionErrorLines('en', 'none-configured')[0], 'No Quick Stream configured')
  assert.equal(actionErrorLines('en', 'too-many')[0], 'maximum Quick Stream servers reached')
})

test.run()
