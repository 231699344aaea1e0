import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { suite } from 'uvu'
import { DevicePages, type DevicePagesOptions } from '../../../hub/pages/device-pages.ts'
import { startServer, type TestServer } from '../../kit/fleet/tunnel.ts'
import { until } from '../../kit/until.ts'

const test = suite('device pages')
let pages: DevicePages
/** The devices' web server. */
let deviceServer: TestServer
let isAccessAllowed: boolean

const HELLO = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello'

async function start(options: Partial<DevicePagesOptions> = {}, response = HELLO): Promise<void> {
  isAccessAllowed = true
  deviceServer = await startServer((socket) => void socket.once('data', () => response && socket.end(response)))
  pages = new DevicePages({
    host: '127.0.0.1',
    isHostAllowed: () => true,
    connect: async () => connect(deviceServer.port, '127.0.0.1'),
    canAccess: () => isAccessAllowed,
    ...options
  })
}

test.after.each(async () => {
  pages.close()
  await deviceServer.close()
})

async function open(sn = 'A', session = 'one') {
  const openedPage = await pages.open(sn, session)
  assert.ok(openedPage)
  return { port: openedPage.port, cookie: openedPage.cookie.split(';')[0] ?? '' }
}

/** Requests `/`. @returns the status */
async function requestEntry({ port, cookie }: { port: number; cookie: string }, headers: Record<string, string> = {}) {
  const call = request({ host: '127.0.0.1', port, headers: { cookie, ...headers }, agent: false })
  call.end()
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

test('a request or WebSocket to a device that does not respond in time gets 504', async () => {
  await start({ timeout: 50 }, '')
  const entry = await open()
  assert.equal(await requestEntry(entry), 504)
  const origin = `http://127.0.0.1:${entry.port}`
  const socket = { connection: 'Upgrade', upgrade: 'websocket', origin, 'sec-websocket-version': '13' }
  assert.equal(await requestEntry(entry, { ...socket, 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' }), 504)
  await until(
    () => deviceServer.sockets.length === 2 && deviceServer.sockets.every((socket) => socket.readableEnded),
    'both connections are closed'
  )
})

test('for a device that cannot be reached the message is in both languages', async () => {
  await start({ connect: () => Promise.reject(new Error('away')) })
  const { port, cookie } = await open()
  const page = await fetch(`http://127.0.0.1:${port}/`, { headers: { cookie } })
  assert.equal(page.status, 502)
  assert.match(await page.text(), /does not respond.\n.*没有响应/)
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
})

test('an idle page closes, and opens again on the same port', async () => {
  await start({ idle: 2000 })
  const entry = await open()
  assert.equal(await requestEntry(entry), 200)
  await until(() => pages.ports().length === 0, 'it is closed')
  await assert.rejects(requestEntry(entry), /ECONNREFUSED/)
  const reopenedPage = await open()
  assert.equal(reopenedPage.port, entry.port)
  assert.equal(await requestEntry({ ...reopenedPage, cookie: entry.cookie }), 403, 'the old ticket is invalid')
  assert.equal(await requestEntry(reopenedPage), 200)
})

test('each device has its own port, and a ticket is valid for one device and one session', async () => {
  await start()
  const [a, b] = [await open('A'), await open('B')]
  assert.notEqual(a.port, b.port)
  assert.equal(await requestEntry({ port: b.port, cookie: a.cookie }), 403)
  assert.equal(await requestEntry({ port: b.port, cookie: a.cookie.replace('-A=', '-B=') }), 403)
  const other = await open('A', 'two')
  assert.deepEqual([await requestEntry(a), await requestEntry(other)], [200, 200])
  const [first, second] = await Promise.all([pages.open('C', 'one'), pages.open('C', 'two')])
  assert.equal(first?.port, second?.port, 'opened concurrently it is one page')
})

test('without access a request is refused, and the page closes', async () => {
  await start()
  const entry = await open()
  isAccessAllowed = false
  assert.equal(await requestEntry(entry), 403)
  isAccessAllowed = true
  assert.equal(await requestEntry(entry), 403, 'the ticket was revoked')
  isAccessAllowed = false
  await open()
  pages.recheckAccess()
  await until(() => {
    pages.recheckAccess()
    return pages.ports().length === 0
  }, 'it is closed')
})

test('beyond 64 pages the one idle for the longest time closes', async () => {
  await start()
  for (let index = 0; index < 65; index++) await open(`D${index}`)
  assert.equal(pages.ports().length, 64)
})

test.run()
