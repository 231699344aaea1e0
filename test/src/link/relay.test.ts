import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { setTransport, transport } from '../../../src/link/fetch-json.ts'
import { apiUrl, feedUrl } from '../../../src/link/relay.ts'
import { openDocument } from '../../kit/runner/document.ts'

const test = suite('relay')

test.after(openDocument())

const original = { ...transport }
test.before.each(() => {
  setTransport({ ...original, relayedHub: undefined })
})

test('calls go to the hub directly, or through the relay with its serial number', async () => {
  assert.equal(apiUrl('/x', { a: 1, b: undefined }), `${transport.base}/api/x?a=1`)
  setTransport({ relayedHub: 'H1' })
  assert.equal(apiUrl('/x', { a: 1 }), `${transport.base}/socket/api/x?a=1&client-id=H1`)
})

test('the feed has its own path, or sub_socket behind the relay', () => {
  assert.equal(feedUrl(), 'ws://hub.test/api/socket?background=1')
  setTransport({ base: 'https://hub.test:8443' })
  assert.equal(feedUrl(), 'wss://hub.test:8443/api/socket?background=1')
  setTransport({ relayedHub: 'H1' })
  assert.equal(feedUrl(), 'wss://hub.test:8443/socket/sub_socket?client-id=H1')
})

test.run()
