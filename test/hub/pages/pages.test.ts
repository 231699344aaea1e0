import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { suite } from 'uvu'
import { createPages, type Pages, type PagesOptions } from '../../../hub/pages/pages.ts'
import { listenFor, type Target } from '../../kit/tunnel.ts'
import { until } from '../../kit/until.ts'

const test = suite('pages')
let pages: Pages
/** The devices' web server. */
let web: Target
let allowed: boolean

const HELLO = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello'

async function start(options: Partial<PagesOptions> = {}, answer = HELLO): Promise<void> {
  allowed = true
  web = await listenFor((socket) => void socket.once('data', () => answer && socket.end(answer)))
  pages = createPages({
    host: '127.0.0.1',
    connect: async () => connect(web.port, '127.0.0.1'),
    allowed: () => allowed,
    ...options
  })
}

test.after.each(async () => {
  pages.close()
  await web.close()
})

async function open(sn = 'A', session = 'one') {
  const opened = await pages.open(sn, session)
  assert.ok(opened)
  return { port: opened.port, cookie: opened.cookie.split(';')[0] ?? '' }
}

/** Status of the door. */
async function ask({ port, cookie }: { port: number; cookie: string }, headers: Record<string, string> = {}) {
  const call = request({ host: '127.0.0.1', port, headers: { cookie, ...headers }, agent: false })
  call.end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

test('a device that does not answer in time has not answered, a WebSocket included', async () => {
  await start({ timeout: 50 }, '')
  const door = await open()
  assert.equal(await ask(door), 504)
  const origin = `http://127.0.0.1:${door.port}`
  const socket = { connection: 'Upgrade', upgrade: 'websocket', origin, 'sec-websocket-version': '13' }
  assert.equal(await ask(door, { ...socket, 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' }), 504)
  await until(() => web.sockets.length === 2 && web.sockets.every((one) => one.readableEnded), 'both are given up')
})

test('a device that cannot be reached is told of in both languages', async () => {
  await start({ connect: () => Promise.reject(new Error('away')) })
  const { port, cookie } = await open()
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { cookie } })
  assert.equal(answer.status, 502)
  assert.match(await answer.text(), /does not answer.\n.*没有应答/)
  assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/)
})

test('a page that nobody looks at closes, and is at the same port when it is opened again', async () => {
  await start({ idle: 100 })
  const door = await open()
  assert.equal(await ask(door), 200)
  await until(() => pages.ports().length === 0, 'it is closed')
  await assert.rejects(ask(door), /ECONNREFUSED/)
  const again = await open()
  assert.equal(again.port, door.port)
  assert.equal(await ask({ ...again, cookie: door.cookie }), 403, 'the old ticket is none any more')
  assert.equal(await ask(again), 200)
})

test('each device has a port of its own, and a ticket is for one device and one session', async () => {
  await start()
  const [a, b] = [await open('A'), await open('B')]
  assert.notEqual(a.port, b.port)
  assert.equal(await ask({ port: b.port, cookie: a.cookie }), 403)
  assert.equal(await ask({ port: b.port, cookie: a.cookie.replace('-A=', '-B=') }), 403)
  const other = await open('A', 'two')
  assert.deepEqual([await ask(a), await ask(other)], [200, 200])
  const [first, second] = await Promise.all([pages.open('C', 'one'), pages.open('C', 'two')])
  assert.equal(first?.port, second?.port, 'opened at once it is one page')
})

test('who may no longer is not let in, and the page closes', async () => {
  await start()
  const door = await open()
  allowed = false
  assert.equal(await ask(door), 403)
  allowed = true
  assert.equal(await ask(door), 403, 'for good')
  allowed = false
  await open()
  pages.check()
  await until(() => {
    pages.check()
    return pages.ports().length === 0
  }, 'it is closed')
})

test('beyond sixty-four pages the one that was idle for longest closes', async () => {
  await start()
  for (let index = 0; index < 65; index++) await open(`D${index}`)
  assert.equal(pages.ports().length, 64)
})

test.run()
