import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SERVER_ERRORS } from '../../../contract/live.ts'
import { serverText } from '../../../src/text/servers.ts'
import { areSaid } from './both.ts'

const test = suite('server errors')

test('every error is said in both languages', () => {
  for (const error of SERVER_ERRORS) areSaid(() => serverText(error))
})

test('the wordings of the specification stand', () => {
  assert.equal(serverText('exists')[0], 'The server already exists')
  assert.equal(serverText('too-many')[0], '16 servers at most')
  assert.equal(serverText('deleted')[0], 'The configuration is deleted by others')
})

test.run()
