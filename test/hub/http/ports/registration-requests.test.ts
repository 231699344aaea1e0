import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { suite } from 'uvu'
import { getSession, logout } from '../../../../contract/access/session.ts'
import { NOT_LOGGED_IN, SUCCESS } from '../../../../contract/codes.ts'
import { LINK_PROTOCOL } from '../../../../contract/device/link.ts'
import { type Client, startHub, type TestHub } from '../../../kit/hub/hub.ts'

const test = suite('calls at the port for registration')

let hub: TestHub
let admin: Client
let ports: { port: number; linkPort: number; httpsPort?: number | undefined }
test.before.each(async () => {
  hub = await startHub()
  admin = hub.clientAs()
  ports = await hub.listen(0, 0, { https: 0 })
})
test.after.each(() => hub.close())

/** Sends a request to the port for registration, with these headers only. */
async function send(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body?: string) {
  const options = { host: '127.0.0.1', port: ports.linkPort, method, path, agent: false }
  const all = { cookie: admin.cookie, 'content-type': 'application/json', ...headers }
  const [response] = (await once(request({ ...options, headers: all }).end(body), 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, headers: response.headers, text }
}

const SESSION = `/api${getSession.path}`
const LOGOUT = `/api${logout.path}`
const consoleOrigin = () => `http://127.0.0.1:${ports.port}`

test('the console’s own origins may call with credentials, over HTTP and HTTPS', async () => {
  for (const origin of [consoleOrigin(), `https://127.0.0.1:${ports.httpsPort}`]) {
    const { status, headers, text } = await send('GET', SESSION, { origin, 'sec-fetch-site': 'same-site' })
    assert.equal(status, 200)
    assert.equal(JSON.parse(text).user.name, 'Admin')
    assert.equal(headers['access-control-allow-origin'], origin)
    assert.equal(headers['access-control-allow-credentials'], 'true')
    assert.match(headers.vary ?? '', /origin/)
    const preflight = await send('OPTIONS', SESSION, { origin, 'access-control-request-method': 'POST' })
    assert.equal(preflight.status, 204)
    assert.equal(preflight.headers['access-control-allow-headers'], 'content-type')
  }
  assert.equal((await send('POST', LOGOUT, { origin: consoleOrigin() }, '{}')).status, 200)
  assert.equal(JSON.parse((await send('GET', SESSION)).text).result, NOT_LOGGED_IN)
})

test('every other origin is refused, and gets no header that lets it read a response', async () => {
  for (const origin of [
    'null',
    'http://evil.example',
    `http://localhost:${ports.port}`,
    `https://127.0.0.1:${ports.port}`,
    `http://127.0.0.1:${ports.linkPort + 1}`,
    `http://127.0.0.1:${ports.port}.evil.example`
  ]) {
    const read = await send('GET', SESSION, { origin })
    const write = await send('POST', LOGOUT, { origin }, '{}')
    const preflight = await send('OPTIONS', LOGOUT, { origin, 'access-control-request-method': 'POST' })
    assert.deepEqual([read.status, write.status, preflight.status], [403, 403, 403], origin)
    for (const { headers } of [read, write, preflight]) assert.equal(headers['access-control-allow-origin'], undefined)
  }
  // A page at a device's port suppresses what it can; the browser still names itself.
  const page = { 'user-agent': 'Mozilla/5.0', 'sec-fetch-site': 'same-site' }
  assert.equal((await send('POST', LOGOUT, page, '{}')).status, 403)
  assert.equal(JSON.parse((await send('GET', SESSION)).text).result, SUCCESS)
})

test('the gate is the same: a caller without a session gets nothing, a name that is not the hub’s is refused', async () => {
  assert.equal(JSON.parse((await send('GET', SESSION, { cookie: '' })).text).result, NOT_LOGGED_IN)
  assert.equal((await send('GET', SESSION, { host: 'evil.example' })).status, 421)
  const address = await send('GET', SESSION, { host: 'evil.example', origin: `http://evil.example:${ports.port}` })
  assert.equal(address.headers['access-control-allow-origin'], undefined)
})

test('everything else is as before: devices register there, and the console’s files are not there', async () => {
  for (const path of ['/', '/socket/x', '/hls/x/index.m3u8', '/metrics']) {
    const { status, headers } = await send('GET', path)
    assert.deepEqual([status, headers.upgrade], [426, LINK_PROTOCOL], path)
  }
})

test.run()
