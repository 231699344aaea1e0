import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CLIENT_OFFLINE, NOT_LOGGED_IN } from '../../../contract/codes.ts'
import { door, onRefusal, setDoor } from '../../../src/link/exchange.ts'
import { NO_CONNECTION, NO_RESPONSE } from '../../../src/link/failure.ts'
import { feedAddress, relay } from '../../../src/link/relay.ts'
import { openDocument } from '../../kit/document.ts'

const test = suite('relay')

test.after(openDocument())

let asked: { url: string; init: RequestInit }[] = []
function answering(body: unknown, status = 200): void {
  setDoor({
    fetch: async (url, init = {}) => {
      asked.push({ url: String(url), init })
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
    }
  })
}

const original = { ...door }
test.before.each(() => {
  asked = []
  setDoor({ ...original, hub: undefined })
})

test('usapi and mwapi are asked by GET with a method and the device’s serial', async () => {
  answering({ result: 0, status: 0 })
  await relay('B313210000001', 'usapi', 'set-name', { name: 'Hall 1' })
  await relay('A414210000001', 'mwapi', 'reboot')
  assert.deepEqual(
    asked.map(({ url }) => url),
    [
      '/socket/usapi?method=set-name&name=Hall+1&sc-client-id=B313210000001',
      '/socket/mwapi?method=reboot&sc-client-id=A414210000001'
    ]
  )
  assert.ok(asked.every(({ init }) => (init.method ?? 'GET') === 'GET'))
})

test('newer devices are asked by POST with JSON', async () => {
  answering({ status: 0 })
  await relay('C511', 'api', '/system/set-device-name', { name: 'Hall 1' })
  await relay('C511', 'api', '/reboot')
  assert.equal(asked[0]?.url, '/socket/api/system/set-device-name?sc-client-id=C511')
  assert.equal(asked[0]?.init.method, 'POST')
  assert.equal(asked[0]?.init.body, '{"name":"Hall 1"}')
  assert.equal(asked[1]?.init.body, '{}')
})

test('the code is found where the family has it', async () => {
  answering({ result: -9, 'cur-status': 4 })
  assert.deepEqual(await relay('sn', 'usapi', 'get-status'), { result: -9, 'cur-status': 4, api: 'usapi' })
  answering({ status: 16 })
  assert.equal((await relay('sn', 'mwapi', 'get-summary-info')).result, 16)
  assert.equal((await relay('sn', 'api', '/reboot')).result, 16)
  answering({ result: 0, status: 5 })
  assert.equal((await relay('sn', 'usapi', 'get-status')).result, 0, 'a status of usapi is no code')
})

test('the hub’s own refusals come in result for every family', async () => {
  answering({ result: CLIENT_OFFLINE })
  for (const prefix of ['usapi', 'mwapi', 'api'] as const)
    assert.equal((await relay('sn', prefix, 'reboot')).result, CLIENT_OFFLINE, prefix)
})

test('a device that answers without a code gives no response', async () => {
  for (const body of ['', '<html>', {}, { status: 'ok' }]) {
    answering(body)
    assert.equal((await relay('sn', 'mwapi', 'reboot')).result, NO_RESPONSE)
  }
  answering('Bad gateway', 502)
  assert.equal((await relay('sn', 'mwapi', 'reboot')).result, NO_CONNECTION, 'a front server without its hub')
})

test('a device that is not logged in does not end the session, a hub that says so does', async () => {
  let refusals = 0
  const stop = onRefusal(() => refusals++)
  answering({ status: NOT_LOGGED_IN })
  assert.equal((await relay('sn', 'mwapi', 'reboot')).result, NOT_LOGGED_IN)
  assert.equal(refusals, 0)
  answering({ result: NOT_LOGGED_IN })
  await relay('sn', 'mwapi', 'reboot')
  assert.equal(refusals, 1)
  stop()
})

test('the feed is beside the calls, or at sub_socket behind the relay', () => {
  assert.equal(feedAddress(), 'ws://hub.test/api/socket')
  setDoor({ base: 'https://hub.test:8443' })
  assert.equal(feedAddress(), 'wss://hub.test:8443/api/socket')
  setDoor({ hub: 'H1' })
  assert.equal(feedAddress(), 'wss://hub.test:8443/socket/sub_socket?sc-client-id=H1')
})

test.run()
