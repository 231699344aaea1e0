import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, duplexPair } from 'node:stream'
import { suite } from 'uvu'
import { WebSocket } from 'ws'
import { CLOSE_SESSION_OVER, changes, type FeedAsk, type FeedMessage } from '../../../contract/change-feed.ts'
import { INVALID_ARG, NOT_PERMITTED, UNSUPPORTED } from '../../../contract/codes.ts'
import { DEVICE_VIEW } from '../../../contract/permissions.ts'
import { changePassword, logout, logoutByGet } from '../../../contract/session.ts'
import { setSettings } from '../../../contract/settings.ts'
import { addChannel } from '../../../contract/stream/channel.ts'
import { systemStatus } from '../../../contract/system.ts'
import { addToken } from '../../../contract/token.ts'
import { listUsers } from '../../../contract/user.ts'
import type { Caller } from '../../../hub/auth/gate.ts'
import { createFeed } from '../../../hub/http/change-feed.ts'
import { createChanges } from '../../../hub/store/changes.ts'
import { addUser, md5, startHub } from '../../kit/hub.ts'
import { admin, hub, hubForEach } from '../../kit/hub-of-test.ts'
import { type Listener, listenAt } from '../../kit/listener.ts'
import { until } from '../../kit/until.ts'

const test = suite('feed')
let port: number
let open: Listener[] = []
test.after.each(() => {
  for (const { socket } of open) socket.terminate()
  open = []
})
hubForEach(test)
test.before.each(async () => {
  port = (await hub.listen(0, 0)).port
})

async function listen(client = admin, headers: Record<string, string> = {}): Promise<Listener> {
  const listener = await listenAt(port, { cookie: client.cookie, ...headers })
  open.push(listener)
  return listener
}

/** The newest revision of a topic that was told. */
const told = (heard: FeedMessage[], topic: 'device' | 'channel') =>
  heard.findLast(({ changed }) => changed?.[topic] !== undefined)?.changed?.[topic]

test('a browser that offers to compress gets a socket, whatever it says of windows', async () => {
  // Firefox offers nothing of its own window, Chromium any; others do not compress.
  for (const perMessageDeflate of [{ clientMaxWindowBits: false as never }, {}, { serverMaxWindowBits: 15 }, false]) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/socket`, {
      headers: { cookie: admin.cookie },
      perMessageDeflate
    })
    await new Promise((resolve, reject) => {
      socket.once('message', resolve)
      socket.once('error', reject)
      socket.once('open', () => socket.send(JSON.stringify({ topics: ['device'] })))
    })
    assert.equal(socket.extensions, perMessageDeflate ? 'permessage-deflate' : '')
    socket.terminate()
  }
})

test('only who is signed in may listen, and only from the console’s own page', async () => {
  const refused = (headers: Record<string, string>, status: number, path?: string) =>
    assert.rejects(listenAt(port, headers, path), new RegExp(`\\b${status}$`))
  const { cookie } = admin
  await refused({}, 401)
  await refused({ cookie: 'mwcloud-sid=made-up' }, 401)
  for (const origin of ['http://evil.example', 'null', `http://127.0.0.1:${port + 1}`, `http://localhost:${port}`])
    await refused({ cookie, origin }, 403)
  for (const path of ['/api/sockets', '/', '/socket', '//']) await refused({ cookie }, 404, path)
  const own = await listenAt(port, { cookie, origin: `http://127.0.0.1:${port}` })
  own.socket.terminate()
  const front = await listenAt(port, { cookie, host: 'hub.example', origin: 'https://hub.example' })
  front.socket.terminate()
})

test('with the first password nobody listens from another machine', async () => {
  const { cookie } = admin
  await assert.rejects(listenAt(port, { cookie, 'x-forwarded-for': '192.0.2.7' }), /\b401$/)
})

test('a listener hears of what it wished for, beginning with how things stand, and of nothing else', async () => {
  const listener = await listen()
  listener.wish('channel')
  const { revs } = await admin.send(changes, {})
  assert.equal(await listener.hear((heard) => told(heard, 'channel'), 'it knows how things stand'), revs.channel)
  await admin.send(addChannel, { name: 'Hall' })
  await listener.hear((heard) => ((told(heard, 'channel') ?? 0) > revs.channel ? true : undefined), 'it hears')
  listener.wish('device', 'nonsense' as never, 7 as never)
  await listener.hear((heard) => told(heard, 'device'), 'it knows how things stand')
  const before = listener.heard.length
  await admin.send(addChannel, { name: 'Foyer' })
  hub.hub.store.changes.bump('device', 1)
  await listener.hear((heard) => told(heard.slice(before), 'device'), 'it hears of the device')
  for (const { changed } of listener.heard.slice(before))
    assert.deepEqual(
      Object.keys(changed ?? {}).filter((topic) => topic !== 'device'),
      []
    )
})

test('many changes at once come as one word with the newest revision', async () => {
  const listener = await listen()
  listener.wish('device')
  await listener.hear((heard) => told(heard, 'device'), 'it knows how things stand')
  const before = listener.heard.length
  for (let n = 0; n < 1000; n++) hub.hub.store.changes.bump('device', n)
  const { device } = hub.hub.store.changes.revs()
  await listener.hear((heard) => (told(heard, 'device') === device ? true : undefined), 'it hears the newest')
  assert.equal(listener.heard.slice(before).filter(({ changed }) => changed).length, 1)
})

test('where changes never end it hears of them twice a second at most, and of a single one in less than a second', async () => {
  const listener = await listen()
  listener.wish('device')
  await listener.hear((heard) => told(heard, 'device'), 'it knows how things stand')
  const bumping = setInterval(() => hub.hub.store.changes.bump('device', 1), 10)
  await listener.hear((heard) => heard.filter(({ changed }) => changed)[3], 'it heard three more words')
  clearInterval(bumping)
  const at = listener.at.filter((_, index) => listener.heard[index]?.changed)
  assert.ok((at[3] ?? 0) - (at[1] ?? 0) > 800, at.join())
  const { device } = hub.hub.store.changes.revs()
  await listener.hear((heard) => (told(heard, 'device') === device ? true : undefined), 'it knows the last')
  const began = performance.now()
  hub.hub.store.changes.bump('device', 2)
  const { device: last } = hub.hub.store.changes.revs()
  await listener.hear((heard) => (told(heard, 'device') === last ? true : undefined), 'it hears the single one')
  assert.ok(performance.now() - began < 1000)
})

test('where nothing happens it hears every second that the hub is there', async () => {
  const listener = await listen()
  await listener.hear((heard) => heard[2], 'three heartbeats')
  assert.deepEqual(listener.heard.slice(0, 3), [{}, {}, {}])
  const [first = 0, , third = 0] = listener.at
  assert.ok(third - first > 1500, `two seconds lie between them, not ${third - first} ms`)
})

test('when its session ends the listener is told so and closed with 4001, and the others go on', async () => {
  const other = await hub.signIn()
  const [mine, theirs] = [await listen(), await listen(other)]
  await admin.send(logout, {})
  assert.equal(await mine.closed, CLOSE_SESSION_OVER)
  assert.deepEqual(mine.heard.at(-1), { over: true })
  const before = theirs.heard.length
  await theirs.hear((heard) => heard[before], 'the other goes on')
  await other.send(changePassword, { 'old-passwd': md5('Admin'), passwd: md5('harder-1') })
  assert.equal(theirs.socket.readyState, 1, 'who changed the password stays')
})

test('a session that is too old ends its listener', async () => {
  const listener = await listen(await hub.signIn())
  hub.hub.store.database.run('UPDATE session SET seen = seen - 300000')
  const fresh = await hub.signIn()
  assert.equal((await fresh.send(setSettings, { 'expired-time': 2 })).result, 0)
  assert.equal(await listener.closed, CLOSE_SESSION_OVER)
})

test('what a token opened closes soon after the token expires, without anything else happening', async () => {
  const quick = await startHub({ sessionCheck: 20 })
  try {
    const { port } = await quick.listen(0, 0)
    const { token } = await quick.enter().send(addToken, { 'expired-time': Date.now() + 400 })
    const headers = { authorization: `Bearer ${token}` }
    const listener = await listenAt(port, headers)
    const preview = await fetch(`http://127.0.0.1:${port}/api/preview/open`, { headers })
    assert.ok(preview.headers.get('handle-id'), 'its pictures are open')
    assert.equal(await listener.closed, CLOSE_SESSION_OVER)
    await preview.text()
    await assert.rejects(listenAt(port, headers), /\b401$/)
  } finally {
    await quick.close()
  }
})

test('what cannot be understood closes the socket, and the hub lives on', async () => {
  for (const [garbage, code] of [
    ['', 1003],
    ['hello', 1003],
    ['null', 1003],
    ['[]', 1003],
    ['{"topics":7}', 1003],
    ['{"topics":{"length":1}}', 1003],
    [Buffer.from([0, 255, 1]), 1003],
    [`{"topics":["${'x'.repeat(5000)}"]}`, 1009]
  ] as const) {
    const listener = await listen()
    listener.socket.send(garbage)
    assert.equal(await listener.closed, code, String(garbage).slice(0, 30))
  }
  const broken = await listen()
  const { _socket } = broken.socket as unknown as { _socket: Duplex }
  _socket.write(Buffer.from([0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0]))
  await broken.closed
  const listener = await listen()
  listener.wish('device')
  await listener.hear((heard) => told(heard, 'device'), 'it is heard')
})

test('one session has sixteen sockets at most: the oldest go', async () => {
  const listeners = await Promise.all(Array.from({ length: 40 }, () => listen()))
  const alive = () => listeners.filter(({ socket }) => socket.readyState === 1).length
  await until(() => alive() <= 16, 'the oldest are gone')
  for (const { socket } of listeners) if (socket.readyState === 1) socket.send('{"topics":["device"]}')
  await until(() => listeners.filter(({ heard }) => told(heard, 'device')).length === 16, 'sixteen are served')
})

test('a call is answered over the socket as over HTTP, and again for a fraction of its bytes', async () => {
  const listener = await listen(admin, { cookie: `${admin.cookie}; headend-lang=zh`, host: 'hub.test' })
  const bytes = () => (listener.socket as unknown as { _socket: Socket })._socket.bytesRead
  const ask = async (number: number, path: string) => {
    listener.socket.send(JSON.stringify({ turn: number, path } satisfies FeedAsk))
    return listener.hear((heard) => heard.find(({ turn }) => turn === number)?.reply, `the answer to ${path}`)
  }
  const status = `${systemStatus.path}?history=1`
  const first = await ask(1, status)
  assert.equal(first.result, 0)
  assert.deepEqual(Object.keys(first), Object.keys(await admin.send(systemStatus, { history: 1 })))
  const whole = Buffer.byteLength(JSON.stringify(first))
  const before = bytes()
  await ask(2, status)
  assert.ok(bytes() - before < whole / 4, `${bytes() - before} of ${whole} bytes`)
  assert.equal((await ask(3, '/no/such/call')).result, UNSUPPORTED)
  assert.equal((await ask(4, '/system/status?history=x')).result, INVALID_ARG)
  assert.equal((await ask(5, '/../page')).result, UNSUPPORTED)
})

test('who may not is refused over the socket, too, and who has signed out has none', async () => {
  const kim = await addUser(hub, 'kim', DEVICE_VIEW)
  const listener = await listen(kim)
  listener.socket.send(JSON.stringify({ turn: 1, path: listUsers.path }))
  assert.equal((await listener.hear(([first]) => first?.reply, 'a refusal')).result, NOT_PERMITTED)
  listener.socket.send(JSON.stringify({ turn: 2, path: logoutByGet.path }))
  assert.equal(await listener.closed, CLOSE_SESSION_OVER)
})

test('an ask whose answer is a stream, or that is none, closes the socket', async () => {
  for (const path of ['/preview/open', 'system/status', '']) {
    const listener = await listen()
    listener.socket.send(JSON.stringify({ turn: 1, path }))
    assert.equal(await listener.closed, 1003, path)
  }
})

/** A listener that reads nothing until it is told to. */
function slowListener() {
  const [theirs, ours] = duplexPair()
  const store = createChanges()
  const feed = createFeed(store, () => true)
  const request = {
    method: 'GET',
    headers: { upgrade: 'websocket', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' }
  }
  feed.accept(request as unknown as IncomingMessage, ours, Buffer.alloc(0), { session: 'x' } as Caller)
  return {
    store,
    feed,
    /** Bytes that wait on the hub's side. */
    waiting: () => ours.writableLength,
    wish() {
      const text = Buffer.from('{"topics":["device","channel","source","log","status","session"]}')
      theirs.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]))
    },
    /** Begins to read. @returns the text of all that came so far */
    read() {
      let all = ''
      theirs.setEncoding('latin1').on('data', (chunk) => {
        all += chunk
      })
      return () => all
    }
  }
}

test('for a reader that reads nothing the hub keeps little, and tells it what is new once it reads', async () => {
  const { store, feed, waiting, wish, read } = slowListener()
  try {
    for (let n = 0; n < 5000; n++) {
      wish()
      if (n % 100 === 0) await new Promise(setImmediate)
    }
    await until(() => waiting() > 60_000, 'the line is full')
    assert.ok(waiting() < 80_000, `${waiting()} bytes wait`)
    store.bump('device', 1)
    wish()
    await new Promise(setImmediate)
    assert.ok(waiting() < 80_000, `${waiting()} bytes wait`)
    const text = read()
    await until(() => text().includes(`"device":${store.revs().device}`), 'it hears of the change')
  } finally {
    feed.close()
  }
})

test.run()
