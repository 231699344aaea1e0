import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { LIVE_ERRORS, QUICK_STREAM_ERRORS, SERVER_ERRORS } from '../../../contract/device/live.ts'
import { liveLines, quickStreamLines, serverLines } from '../../../hub/messages/live.ts'
import { areSaid } from '../../kit/both.ts'

const test = suite('live errors')

test('every error is said in both languages', () => {
  for (const error of LIVE_ERRORS) areSaid((language) => liveLines(language, error))
  for (const error of QUICK_STREAM_ERRORS) areSaid((language) => quickStreamLines(language, error))
  for (const error of SERVER_ERRORS) areSaid((language) => serverLines(language, error))
})

test('the wordings of the specification stand', () => {
  assert.equal(quickStreamLines('en', 'none-configured')[0], 'No Quick Stream configured')
  assert.equal(quickStreamLines('en', 'too-many')[0], 'maximum Quick Stream servers reached')
  assert.equal(serverLines('en', 'exists')[0], 'The server already exists')
  assert.equal(serverLines('en', 'too-many')[0], '16 servers at most')
  assert.equal(serverLines('en', 'deleted')[0], 'The configuration is deleted by others')
})

test.run()
