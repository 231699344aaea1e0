import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { door, setDoor } from '../../../src/link/fetch-json.ts'
import { address, feedAddress } from '../../../src/link/relay.ts'
import { openDocument } from '../../kit/document.ts'

const test = suite('relay')

test.after(openDocument())

const original = { ...door }
test.before.each(() => {
  setDoor({ ...original, hub: undefined })
})

test('calls go to the hub itself, or behind the relay with its serial', async () => {
  assert.equal(address('/x', { a: 1, b: undefined }), `${door.base}/api/x?a=1`)
  setDoor({ hub: 'H1' })
  assert.equal(address('/x', { a: 1 }), `${door.base}/socket/api/x?a=1&sc-client-id=H1`)
})

test('the feed is beside the calls, or at sub_socket behind the relay', () => {
  assert.equal(feedAddress(), 'ws://hub.test/api/socket')
  setDoor({ base: 'https://hub.test:8443' })
  assert.equal(feedAddress(), 'wss://hub.test:8443/api/socket')
  setDoor({ hub: 'H1' })
  assert.equal(feedAddress(), 'wss://hub.test:8443/socket/sub_socket?sc-client-id=H1')
})

test.run()
