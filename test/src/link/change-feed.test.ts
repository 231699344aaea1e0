import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import { WebSocket as Socket } from 'ws'
import { CLOSE_SESSION_OVER } from '../../../contract/change-feed.ts'
import { NOT_LOGGED_IN, SUCCESS, UNKNOWN_ERROR } from '../../../contract/codes.ts'
import { systemStatus } from '../../../contract/system.ts'
import type { Caller } from '../../../hub/auth/gate.ts'
import { ChangeFeed } from '../../../hub/http/change-feed.ts'
import { Changes } from '../../../hub/store/changes.ts'
import { $feedTakesRequests, isFeedCurrent, requestOverFeed, watchTopic } from '../../../src/link/change-feed.ts'
import { $lastResponseAt, $unauthorizedAt, setTransport, transport } from '../../../src/link/fetch-json.ts'
import { type CuttableProxy, startCuttableProxy } from '../../kit/net/cuttable-proxy.ts'
import { openDocument } from '../../kit/runner/document.ts'
import { until } from '../../kit/until.ts'

const test = suite('change feed')

test.after(openDocument())

/** A hub with its feed, and the calls that a console without a WebSocket makes. */
let changes: Changes
let feed: ChangeFeed
let server: Server
let line: CuttableProxy
let isSessionValid: boolean
let acceptsUpgrades: boolean
let hasRevisions: boolean
let paths: string[]
let subscriptions: string[]
let sockets: WebSocket[]
let stops: (() => void)[]

const original = { ...transport }

test.before.each(async () => {
  changes = new Changes()
  isSessionValid = acceptsUpgrades = hasRevisions = true
  paths = []
  subscriptions = []
  sockets = []
  stops = []
  feed = new ChangeFeed(changes, () => isSessionValid)
  server = createServer((request, response) => {
    paths.push(request.url ?? '')
    const isKnown = request.url === '/api/system/status' || (request.url === '/api/changes' && hasRevisions)
    response.statusCode = isKnown ? 200 : 404
    response.end(isKnown ? JSON.stringify({ result: SUCCESS, revs: changes.revs() }) : 'Not found')
  })
  server.on('upgrade', (request, socket, head) => {
    if (acceptsUpgrades) feed.acceptSocket(request, socket, head, { session: 'one' } as Caller)
    else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  line = await startCuttableProxy((server.address() as AddressInfo).port)
  setTransport({
    base: `http://127.0.0.1:${line.port}`,
    socket(url) {
      // The WebSocket of Node.js does not work with the events of happy-dom.
      const socket = new Socket(url) as unknown as WebSocket
      socket.onerror = () => {}
      const send = socket.send.bind(socket)
      socket.send = (text) => {
        subscriptions.push(String(text))
        send(text)
      }
      sockets.push(socket)
      return socket
    }
  })
})

test.after.each(async () => {
  for (const stop of stops) stop()
  // The feed closes in the next turn of the event loop when it has no listeners.
  await new Promise((resolve) => setTimeout(resolve))
  await until(() => !isFeedCurrent() && sockets.every(({ readyState }) => readyState >= 2), 'the feed to close')
  feed.close()
  await line.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  setTransport(original)
})

type Topic = Parameters<typeof watchTopic>[0]

/** Listens to a topic. @returns the revisions received */
function recordRevisions(topic: Topic): (number | undefined)[] {
  const received: (number | undefined)[] = []
  stops.push(watchTopic(topic, (rev) => received.push(rev)))
  return received
}

test('a listener receives the newest revision of its topic first, and then each change', async () => {
  changes.markChanged('device', 1)
  const device = recordRevisions('device')
  await until(() => device.length === 1, 'the first revision')
  assert.deepEqual(device, [changes.revs().device])
  assert.equal(isFeedCurrent(), true)
  changes.markChanged('channel', 9)
  changes.markChanged('device', 2)
  await until(() => device.length === 2, 'the revision of the change')
  assert.deepEqual(device[1], changes.revs().device)
})

test('heartbeats do not call the listeners of an unchanged topic', async () => {
  const device = recordRevisions('device')
  await until(() => device.length === 1, 'the first revision')
  const before = $lastResponseAt.get()
  await until(() => $lastResponseAt.get() > before + 900, 'a heartbeat')
  assert.equal(device.length, 1)
})

test('listeners added at the same time send one subscription', async () => {
  const all = (['device', 'channel', 'log'] as const).map(recordRevisions)
  await until(() => all.every(({ length }) => length === 1), 'the first revisions')
  assert.deepEqual(subscriptions, ['{"topics":["device","channel","log"]}'])
  const source = recordRevisions('source')
  await until(() => source.length === 1, 'the revision of a topic added later')
  assert.deepEqual(JSON.parse(subscriptions.at(-1) ?? '').topics, ['device', 'channel', 'log', 'source'])
  assert.equal(sockets.length, 1)
  assert.ok(
    all.every(({ length }) => length === 1),
    'the others are not notified'
  )
})

test('the socket closes with the last listener, and the next listener opens another', async () => {
  const device = recordRevisions('device')
  await until(() => device.length === 1, 'the first revision')
  stops.pop()?.()
  await until(() => (sockets[0]?.readyState ?? 0) >= 2, 'the socket to close')
  assert.equal(isFeedCurrent(), false)
  const again = recordRevisions('device')
  await until(() => again.length === 1, 'a revision over the next socket')
})

test('a frozen connection is closed, and afterwards all topics count as changed', async () => {
  const device = recordRevisions('device')
  await until(() => device.length === 1, 'the first revision')
  line.freeze()
  await until(() => !isFeedCurrent(), 'the feed is not current')
  changes.markChanged('device', 1)
  line.thaw()
  await until(() => device.length > 1, 'a revision after the thaw')
  assert.equal(device[1], undefined)
  await until(isFeedCurrent, 'the feed to be current again')
})

test('a cut connection is reopened at growing intervals', async () => {
  const device = recordRevisions('device')
  await until(() => device.length === 1, 'the first revision')
  line.cut()
  const cut = performance.now()
  await until(() => sockets.length >= 3, 'two more attempts')
  assert.ok(performance.now() - cut > 1400, '0.5 + 1 s')
  line.thaw()
  await until(() => device.length === 2, 'a revision after the repair')
  assert.equal(device[1], undefined)
})

test('without a WebSocket the same revisions arrive by polling', async () => {
  acceptsUpgrades = false
  const device = recordRevisions('device')
  await until(() => device.length === 1, 'the first revision')
  assert.deepEqual(device, [changes.revs().device])
  assert.equal(isFeedCurrent(), true)
  changes.markChanged('device', 1)
  await until(() => device.length === 2, 'the revision of the change')
  assert.equal(device[1], changes.revs().device)
  assert.ok(paths.every((path) => path === '/api/changes'))
  acceptsUpgrades = true
  await until(() => sockets.some(({ readyState }) => readyState === 1), 'the socket to open')
  await until(() => subscriptions.length > 0, 'a subscription')
  const pathCount = paths.length
  const before = Date.now()
  await until(() => $lastResponseAt.get() >= before, 'a message over the socket')
  changes.markChanged('device', 2)
  await until(() => device.at(-1) === changes.revs().device, 'a message over the socket')
  assert.ok(paths.length <= pathCount + 1, 'polling has stopped')
})

test('with a hub without any feed, the feed is not current, but the hub counts as alive', async () => {
  acceptsUpgrades = hasRevisions = false
  const device = recordRevisions('device')
  const before = Date.now()
  await until(() => paths.includes('/api/system/status') && $lastResponseAt.get() >= before, 'a response of the hub')
  assert.equal(isFeedCurrent(), false)
  assert.deepEqual(device, [])
  assert.equal(paths.filter((path) => path === '/api/changes').length, 1)
})

test('a call is made over the socket where the hub accepts it, and is not made when the socket is lost', async () => {
  const over = new AbortController()
  const status = () => requestOverFeed(systemStatus, { history: 1 }, over.signal)
  assert.equal(status(), undefined, 'no socket yet')
  const device = recordRevisions('device')
  await until(() => device.length === 1, 'the first revision')
  assert.equal(status(), undefined, 'a hub that does not accept requests')
  assert.equal($feedTakesRequests.get(), false)
  const receive = (message: object) =>
    sockets[0]?.onmessage?.call(sockets[0], { data: JSON.stringify(message) } as MessageEvent)
  receive({ changed: {}, asks: true })
  assert.equal($feedTakesRequests.get(), true)
  const [first, second] = [status(), status()]
  const sentRequests = subscriptions.slice(-2).map((text) => JSON.parse(text))
  assert.equal(sentRequests[0].path, '/system/status?history=1')
  receive({ turn: sentRequests[1].turn, reply: { result: UNKNOWN_ERROR } })
  assert.deepEqual(await second, { result: UNKNOWN_ERROR })
  line.cut()
  assert.equal(await first, undefined)
  assert.equal(status(), undefined)
  assert.equal($feedTakesRequests.get(), false)
})

test('result 37 over the socket is announced', async () => {
  let refusals = 0
  stops.push($unauthorizedAt.listen(() => refusals++))
  const device = recordRevisions('device')
  await until(() => device.length === 1, 'the first revision')
  const receive = (message: object) =>
    sockets[0]?.onmessage?.call(sockets[0], { data: JSON.stringify(message) } as MessageEvent)
  receive({ changed: {}, asks: true })
  const response = requestOverFeed(systemStatus, {}, new AbortController().signal)
  receive({ turn: JSON.parse(subscriptions.at(-1) ?? '').turn, reply: { result: NOT_LOGGED_IN } })
  await response
  assert.equal(refusals, 1)
})

test('the end of the session is announced', async () => {
  let refusals = 0
  stops.push($unauthorizedAt.listen(() => refusals++))
  const device = recordRevisions('device')
  await until(() => device.length === 1, 'the first revision')
  isSessionValid = false
  feed.closeExpired()
  await until(() => refusals > 0, 'the refusal')
})

test('closing the socket with code 4001 announces the end of the session, other codes do not', async () => {
  let refusals = 0
  stops.push($unauthorizedAt.listen(() => refusals++))
  const device = recordRevisions('device')
  await until(() => device.length === 1, 'the first revision')
  const close = (code: number) => sockets.at(-1)?.onclose?.call(sockets[0] as WebSocket, { code } as CloseEvent)
  close(1006)
  assert.equal(refusals, 0)
  await until(() => sockets.length === 2 && sockets[1]?.readyState === 1, 'the next socket')
  close(CLOSE_SESSION_OVER)
  assert.equal(refusals, 1)
  const polls = () => paths.filter((path) => path === '/api/changes').length
  const before = polls()
  await until(() => polls() >= before + 2, 'the hub is polled twice')
  assert.equal(sockets.length, 2, 'no socket that the hub would refuse')
})

test('decreasing revisions mean that anything may have changed', async () => {
  const device = recordRevisions('device')
  await until(() => device.length === 1, 'the first revision')
  const receive = (rev: number) => {
    const data = JSON.stringify({ changed: { device: rev } })
    sockets[0]?.onmessage?.call(sockets[0], { data } as MessageEvent)
  }
  const first = device[0] ?? 0
  receive(first + 5)
  receive(first + 5)
  receive(first + 2)
  receive(first + 3)
  assert.deepEqual(device, [first, first + 5, undefined, first + 3])
})

test.run()
