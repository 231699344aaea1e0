import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import { WebSocket as Socket } from 'ws'
import { CLOSE_SESSION_OVER } from '../../../contract/change-feed.ts'
import { NOT_LOGGED_IN } from '../../../contract/codes.ts'
import { systemStatus } from '../../../contract/system.ts'
import type { Caller } from '../../../hub/auth/gate.ts'
import { createFeed, type Feed } from '../../../hub/http/change-feed.ts'
import { type Changes, createChanges } from '../../../hub/store/changes.ts'
import { $asks, ask, vouched, watch } from '../../../src/link/change-feed.ts'
import { $heard, $refused, door, setDoor } from '../../../src/link/fetch-json.ts'
import { openDocument } from '../../kit/document.ts'
import { type Line, openLine } from '../../kit/line.ts'
import { until } from '../../kit/until.ts'

const test = suite('feed')

test.after(openDocument())

/** What a hub behind a line does: its own feed, and the calls a console without a WebSocket makes. */
let changes: Changes
let feed: Feed
let server: Server
let line: Line
let sessionGood: boolean
let upgrades: boolean
let knowsChanges: boolean
let paths: string[]
let wishes: string[]
let sockets: WebSocket[]
let stops: (() => void)[]

const original = { ...door }

test.before.each(async () => {
  changes = createChanges()
  sessionGood = upgrades = knowsChanges = true
  paths = []
  wishes = []
  sockets = []
  stops = []
  feed = createFeed(changes, () => sessionGood)
  server = createServer((request, response) => {
    paths.push(request.url ?? '')
    const known = request.url === '/api/system/status' || (request.url === '/api/changes' && knowsChanges)
    response.statusCode = known ? 200 : 404
    response.end(known ? JSON.stringify({ result: 0, revs: changes.revs() }) : 'Not found')
  })
  server.on('upgrade', (request, socket, head) => {
    if (upgrades) feed.accept(request, socket, head, { session: 'one' } as Caller)
    else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  line = await openLine((server.address() as AddressInfo).port)
  setDoor({
    base: `http://127.0.0.1:${line.port}`,
    socket(url) {
      // Node's own does not get on with the document's events.
      const socket = new Socket(url) as unknown as WebSocket
      socket.onerror = () => {}
      const send = socket.send.bind(socket)
      socket.send = (text) => {
        wishes.push(String(text))
        send(text)
      }
      sockets.push(socket)
      return socket
    }
  })
})

test.after.each(async () => {
  for (const stop of stops) stop()
  // The feed closes in the next turn, if nobody listens then.
  await new Promise((resolve) => setTimeout(resolve))
  await until(() => !vouched() && sockets.every(({ readyState }) => readyState >= 2), 'the feed to close')
  feed.close()
  await line.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  setDoor(original)
})

type Topic = Parameters<typeof watch>[0]

/** Listens to a topic. @returns the words it hears */
function words(topic: Topic): (number | undefined)[] {
  const heard: (number | undefined)[] = []
  stops.push(watch(topic, (rev) => heard.push(rev)))
  return heard
}

test('a listener hears the newest revision of its topic at first, and each change after', async () => {
  changes.bump('device', 1)
  const device = words('device')
  await until(() => device.length === 1, 'the first word')
  assert.deepEqual(device, [changes.revs().device])
  assert.equal(vouched(), true)
  changes.bump('channel', 9)
  changes.bump('device', 2)
  await until(() => device.length === 2, 'the word of a change')
  assert.deepEqual(device[1], changes.revs().device)
})

test('a topic nobody changed gets no further word, though heartbeats come', async () => {
  const device = words('device')
  await until(() => device.length === 1, 'the first word')
  const before = $heard.get()
  await until(() => $heard.get() > before + 900, 'a heartbeat', 2500)
  assert.equal(device.length, 1)
})

test('listeners of one moment make one wish', async () => {
  const all = (['device', 'channel', 'log'] as const).map(words)
  await until(() => all.every(({ length }) => length === 1), 'the first words')
  assert.deepEqual(wishes, ['{"topics":["device","channel","log"]}'])
  const source = words('source')
  await until(() => source.length === 1, 'the word of a topic wished for later')
  assert.deepEqual(JSON.parse(wishes.at(-1) ?? '').topics, ['device', 'channel', 'log', 'source'])
  assert.equal(sockets.length, 1)
  assert.ok(
    all.every(({ length }) => length === 1),
    'the others hear nothing new'
  )
})

test('the last listener takes the socket with it, and the next one opens another', async () => {
  const device = words('device')
  await until(() => device.length === 1, 'the first word')
  stops.pop()?.()
  await until(() => (sockets[0]?.readyState ?? 0) >= 2, 'the socket to close')
  assert.equal(vouched(), false)
  const again = words('device')
  await until(() => again.length === 1, 'a word over the next socket')
})

test('a line that freezes without a word is given up within 3 s, and all may have changed after it thaws', async () => {
  const device = words('device')
  await until(() => device.length === 1, 'the first word')
  line.freeze()
  const frozen = performance.now()
  await until(() => !vouched(), 'the feed to give up')
  assert.ok(performance.now() - frozen < 3000)
  changes.bump('device', 1)
  line.thaw()
  await until(() => device.length > 1, 'a word after the thaw')
  assert.equal(device[1], undefined)
  await until(vouched, 'the feed to be relied on again')
})

test('a cut line is opened again at growing distances', async () => {
  const device = words('device')
  await until(() => device.length === 1, 'the first word')
  line.cut()
  const cut = performance.now()
  await until(() => sockets.length >= 3, 'two more tries')
  const took = performance.now() - cut
  assert.ok(took > 1400 && took < 4000, `0.5 + 1 s, took ${took}`)
  line.thaw()
  await until(() => device.length === 2, 'a word after it is whole')
  assert.equal(device[1], undefined)
})

test('without a WebSocket the same words come by polling', async () => {
  upgrades = false
  const device = words('device')
  await until(() => device.length === 1, 'the first word')
  assert.deepEqual(device, [changes.revs().device])
  assert.equal(vouched(), true)
  changes.bump('device', 1)
  await until(() => device.length === 2, 'the word of a change')
  assert.equal(device[1], changes.revs().device)
  assert.ok(paths.every((path) => path === '/api/changes'))
  upgrades = true
  await until(() => sockets.some(({ readyState }) => readyState === 1), 'the socket to be had after all')
  await until(() => wishes.length > 0, 'a wish')
  const asked = paths.length
  await until(() => $heard.get() > Date.now() - 100, 'a word over the socket')
  changes.bump('device', 2)
  await until(() => device.at(-1) === changes.revs().device, 'a word over the socket')
  assert.ok(paths.length <= asked + 1, 'the polling ended')
})

test('a hub without a feed of any kind vouches for nothing, but is heard', async () => {
  upgrades = knowsChanges = false
  const device = words('device')
  const before = Date.now()
  await until(() => paths.includes('/api/system/status') && $heard.get() >= before, 'a word of the hub')
  assert.equal(vouched(), false)
  assert.deepEqual(device, [])
  assert.equal(paths.filter((path) => path === '/api/changes').length, 1)
})

test('a call is made over the socket where the hub takes it there, and nowhere when the socket is lost', async () => {
  const over = new AbortController()
  const status = () => ask(systemStatus, { history: 1 }, over.signal)
  assert.equal(status(), undefined, 'no socket yet')
  const device = words('device')
  await until(() => device.length === 1, 'the first word')
  assert.equal(status(), undefined, 'a hub that does not take it')
  assert.equal($asks.get(), false)
  const say = (message: object) =>
    sockets[0]?.onmessage?.call(sockets[0], { data: JSON.stringify(message) } as MessageEvent)
  say({ changed: {}, asks: true })
  assert.equal($asks.get(), true)
  const [first, second] = [status(), status()]
  const asked = wishes.slice(-2).map((text) => JSON.parse(text))
  assert.equal(asked[0].path, '/system/status?history=1')
  say({ turn: asked[1].turn, reply: { result: 6 } })
  assert.deepEqual(await second, { result: 6 })
  line.cut()
  assert.equal(await first, undefined)
  assert.equal(status(), undefined)
  assert.equal($asks.get(), false)
})

test('a refusal that comes over the socket is announced as any other', async () => {
  let refusals = 0
  stops.push($refused.listen(() => refusals++))
  const device = words('device')
  await until(() => device.length === 1, 'the first word')
  const say = (message: object) =>
    sockets[0]?.onmessage?.call(sockets[0], { data: JSON.stringify(message) } as MessageEvent)
  say({ changed: {}, asks: true })
  const reply = ask(systemStatus, {}, new AbortController().signal)
  say({ turn: JSON.parse(wishes.at(-1) ?? '').turn, reply: { result: NOT_LOGGED_IN } })
  await reply
  assert.equal(refusals, 1)
})

test('the end of the session is announced as a refusal', async () => {
  let refusals = 0
  stops.push($refused.listen(() => refusals++))
  const device = words('device')
  await until(() => device.length === 1, 'the first word')
  sessionGood = false
  feed.check()
  await until(() => refusals > 0, 'the refusal')
})

test('a socket closed as over is a refusal too, and others are not', async () => {
  let refusals = 0
  stops.push($refused.listen(() => refusals++))
  const device = words('device')
  await until(() => device.length === 1, 'the first word')
  const close = (code: number) => sockets.at(-1)?.onclose?.call(sockets[0] as WebSocket, { code } as CloseEvent)
  close(1006)
  assert.equal(refusals, 0)
  await until(() => sockets.length === 2 && sockets[1]?.readyState === 1, 'the next socket')
  close(CLOSE_SESSION_OVER)
  assert.equal(refusals, 1)
})

test('revisions that run backwards mean that anything may have changed', async () => {
  const device = words('device')
  await until(() => device.length === 1, 'the first word')
  const say = (rev: number) => {
    const data = JSON.stringify({ changed: { device: rev } })
    sockets[0]?.onmessage?.call(sockets[0], { data } as MessageEvent)
  }
  const first = device[0] ?? 0
  say(first + 5)
  say(first + 5)
  say(first + 2)
  say(first + 3)
  assert.deepEqual(device, [first, first + 5, undefined, first + 3])
})

test.run()
