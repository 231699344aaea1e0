import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SERVER_ERRORS } from '../../../contract/device/live.ts'
import { serverLines } from '../../../hub/messages/streaming-servers.ts'
import { assertTranslated } from '../../kit/both-languages.ts'

const test = suite('streaming servers')

test('every error has a sentence in both languages', () => {
  for (const error of SERVER_ERRORS) assertTranslated((language) => serverLines(language, error))
})

test('the documented wordings are used', () => {
  assert.equal(serverLines('en', 'exists')[0], 'The server already exists')
  assert.equal(serverLines('en', 'too-many')[0], '16 servers at most')
  assert.equal(serverLines('en', 'deleted')[0], 'The configuration is deleted by others')
})

test.run()
