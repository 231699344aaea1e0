import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { LIVE_ERRORS, QUICK_STREAM_ERRORS, SERVER_ERRORS } from '../../../contract/live.ts'
import { liveText, quickStreamText, serverText } from '../../../src/text/live.ts'
import { areSaid } from './both.ts'

const test = suite('live errors')

test('every error is said in both languages', () => {
  for (const error of LIVE_ERRORS) areSaid(() => liveText(error))
  for (const error of QUICK_STREAM_ERRORS) areSaid(() => quickStreamText(error))
  for (const error of SERVER_ERRORS) areSaid(() => serverText(error))
})

test('the wordings of the specification stand', () => {
  assert.equal(quickStreamText('none-configured')[0], 'No Quick Stream configured')
  assert.equal(quickStreamText('too-many')[0], 'maximum Quick Stream servers reached')
  assert.equal(serverText('exists')[0], 'The server already exists')
  assert.equal(serverText('too-many')[0], '16 servers at most')
  assert.equal(serverText('deleted')[0], 'The configuration is deleted by others')
})

test.run()
