import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, duplexPair } from 'node:stream'
import { suite } from 'uvu'
import { WebSocket } from 'ws'
import { DEVICE_VIEW } from '../../../contract/access/permissions.ts'
import { changePassword, logout, logoutByGet } from '../../../contract/access/session.ts'
import { addToken } from '../../../contract/access/token.ts'
import { listUsers } from '../../../contract/access/user.ts'
import { CLOSE_SESSION_OVER, type FeedMessage, type FeedRequest, getRevisions } from '../../../contract/change-feed.ts'
import { INVALID_ARG, NOT_PERMITTED, SUCCESS, UNSUPPORTED } from '../../../contract/codes.ts'
import { setSettings } from '../../../contract/settings.ts'
import { addChannel } from '../../../contract/stream/channel.ts'
import { systemStatus } from '../../../contract/system.ts'
import type { Caller } from '../../../hub/auth/gate.ts'
import { ChangeFeed } from '../../../hub/http/change-feed.ts'
import { Changes } from '../../../hub/store/changes.ts'
import { hashSecret, readCookie } from '../../../web-server/credentials.ts'
import { type FeedListener, openFeed } from '../../kit/hub/feed-listener.ts'
import { addUser, md5, startHub } from '../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { ownTime } from '../../kit/own-time.ts'
import { until } from '../../kit/until.ts'

const test = suite('change feed')
let port: number
let open: FeedListener[] = []
test.after.each(() => {
  for (const { socket } of open) socket.terminate()
  open = []
})
hubForEach(test, { hosts: ['hub.example'] })
test.before.each(async () => {
  port = (await hub.listen(0, 0)).port
})

async function listen(client = admin, headers: Record<string, string> = {}): Promise<FeedListener> {
  const listener = await openFeed(port, { cookie: client.cookie, ...headers })
  open.push(listener)
  return listener
}

/** The newest reported revision of a topic. */
const reportedRev = (messages: FeedMessage[], topic: 'device' | 'channel' | 'ndi') =>
  messages.findLast(({ changed }) => changed?.[topic] !== undefined)?.changed?.[topic]

test('a socket in the background and the calls over it do not extend the session, others do', async () => {
  const { users } = hub.parts.store
  const hash = hashSecret(readCookie(admin.cookie, 'mwcloud-sid') ?? '')
  const longAgo = Date.now() - 10 * 60_000
  const seen = () => Number(users.session(hash)?.seen)
  for (const [query, isUse] of [
    ['?background=1', false],
    ['', true]
  ] as const) {
    users.recordSessionUse(hash, longAgo, '')
    const listener = await openFeed(port, { cookie: admin.cookie }, `/api/socket${query}`)
    open.push(listener)
    assert.equal(seen() > longAgo, isUse, `opening the socket with "${query}"`)
    users.recordSessionUse(hash, longAgo, '')
    listener.socket.send(JSON.stringify({ turn: 1, path: '/system/status' } satisfies FeedRequest))
    await until(() => listener.messages.some(({ turn }) => turn === 1), 'the call over the socket is answered')
    assert.equal(seen() > longAgo, isUse, `a call over the socket with "${query}"`)
  }
})

test('the socket is compressed if the browser offers it, whatever window sizes it requests', async () => {
  // Firefox does not offer to limit its own window, Chromium does; other clients do not compress.
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

test('a socket needs a session and the console’s own origin', async () => {
  const assertRefused = (headers: Record<string, string>, status: number, path?: string) =>
    assert.rejects(openFeed(port, headers, path), new RegExp(`\\b${status}$`))
  const { cookie } = admin
  await assertRefused({}, 401)
  await assertRefused({ cookie: 'mwcloud-sid=made-up' }, 401)
  for (const origin of ['http://evil.example', 'null', `http://127.0.0.1:${port + 1}`, `http://localhost:${port}`])
    await assertRefused({ cookie, origin }, 403)
  for (const path of ['/api/sockets', '/', '/socket', '//', '/sub_socket', '/socket/sub_socket/x'])
    await assertRefused({ cookie }, 404, path)
  const own = await openFeed(port, { cookie, origin: `http://127.0.0.1:${port}` })
  own.socket.terminate()
  // Behind a reverse proxy the default password must have been changed.
  const throughProxy = { cookie, host: 'hub.example', origin: 'https://hub.example' }
  await assertRefused(throughProxy, 401)
  hub.parts.store.database.run('UPDATE user SET is_default_password = 0')
  const front = await openFeed(port, throughProxy)
  front.socket.terminate()
})

test('the path that a cloud relay forwards is the same feed, with the same authentication and origin check', async () => {
  const path = '/socket/sub_socket?sc-client-id=HUB-1'
  const { cookie } = admin
  await assert.rejects(openFeed(port, {}, path), /\b401$/)
  await assert.rejects(openFeed(port, { cookie, origin: 'http://evil.example' }, path), /\b403$/)
  const listener = await openFeed(port, { cookie, origin: `http://127.0.0.1:${port}` }, path)
  open.push(listener)
  listener.subscribe('channel')
  const first = await listener.waitFor((messages) => reportedRev(messages, 'channel'), 'the current revision arrives')
  await admin.send(addChannel, { name: 'Hall' })
  await listener.waitFor(
    (messages) => ((reportedRev(messages, 'channel') ?? 0) > first ? true : undefined),
    'the change arrives'
  )
  listener.socket.send(JSON.stringify({ turn: 1, path: systemStatus.path } satisfies FeedRequest))
  await listener.waitFor((messages) => messages.find(({ turn }) => turn === 1), 'a call over the socket is answered')
})

test('with the default password a socket from another machine is refused', async () => {
  const { cookie } = admin
  await assert.rejects(openFeed(port, { cookie, 'x-forwarded-for': '192.0.2.7' }), /\b401$/)
})

test('a subscriber receives the current revisions of its topics, then the changes of those topics only', async () => {
  const listener = await listen()
  listener.subscribe('channel')
  const { revs } = await admin.send(getRevisions, {})
  assert.equal(
    await listener.waitFor((messages) => reportedRev(messages, 'channel'), 'the current revision arrives'),
    revs.channel
  )
  await admin.send(addChannel, { name: 'Hall' })
  await listener.waitFor(
    (messages) => ((reportedRev(messages, 'channel') ?? 0) > revs.channel ? true : undefined),
    'the change arrives'
  )
  listener.subscribe('device', 'nonsense' as never, 7 as never)
  await listener.waitFor((messages) => reportedRev(messages, 'device'), 'the current revision arrives')
  const before = listener.messages.length
  await admin.send(addChannel, { name: 'Foyer' })
  hub.parts.store.changes.markChanged('device', 1)
  await listener.waitFor((messages) => reportedRev(messages.slice(before), 'device'), 'the device change arrives')
  for (const { changed } of listener.messages.slice(before))
    assert.deepEqual(
      Object.keys(changed ?? {}).filter((topic) => topic !== 'device'),
      []
    )
})

test('many changes at once are reported in one message with the newest revision', async () => {
  const listener = await listen()
  listener.subscribe('device')
  await listener.waitFor((messages) => reportedRev(messages, 'device'), 'the current revision arrives')
  const before = listener.messages.length
  for (let n = 0; n < 1000; n++) hub.parts.store.changes.markChanged('device', n)
  const { device } = hub.parts.store.changes.revs()
  await listener.waitFor(
    (messages) => (reportedRev(messages, 'device') === device ? true : undefined),
    'the newest revision arrives'
  )
  assert.equal(listener.messages.slice(before).filter(({ changed }) => changed).length, 1)
})

test('continuous changes are reported twice a second at most, a single one within a second', async () => {
  const listener = await listen()
  listener.subscribe('device')
  await listener.waitFor((messages) => reportedRev(messages, 'device'), 'the current revision arrives')
  const changing = setInterval(() => hub.parts.store.changes.markChanged('device', 1), 10)
  await listener.waitFor((messages) => messages.filter(({ changed }) => changed)[3], 'three more messages arrive')
  clearInterval(changing)
  const changeTimes = listener.receivedAt.filter((_, index) => listener.messages[index]?.changed)
  assert.ok((changeTimes[3] ?? 0) - (changeTimes[1] ?? 0) > 800, changeTimes.join())
  const { device } = hub.parts.store.changes.revs()
  await listener.waitFor(
    (messages) => (reportedRev(messages, 'device') === device ? true : undefined),
    'the last revision arrives'
  )
  const time = await ownTime(() => {
    hub.parts.store.changes.markChanged('device', 2)
    const { device: last } = hub.parts.store.changes.revs()
    return listener.waitFor(
      (messages) => (reportedRev(messages, 'device') === last ? true : undefined),
      'the single change arrives'
    )
  })
  assert.ok(time < 1000, `${time} ms`)
})

test('a change of the NDI router is reported within 250 ms, also just after another message', async () => {
  const listener = await listen()
  listener.subscribe('ndi')
  await listener.waitFor((messages) => reportedRev(messages, 'ndi'), 'the current revision arrives')
  for (let change = 0; change < 4; change++) {
    const time = await ownTime(() => {
      hub.parts.store.changes.markChanged('ndi')
      const { ndi } = hub.parts.store.changes.revs()
      return listener.waitFor(
        (messages) => (reportedRev(messages, 'ndi') === ndi ? true : undefined),
        'the change arrives'
      )
    })
    assert.ok(time < 250, `${time} ms`)
  }
})

test('without changes a heartbeat is sent every second', async () => {
  const listener = await listen()
  await listener.waitFor((messages) => messages[2], 'three heartbeats')
  assert.deepEqual(listener.messages.slice(0, 3), [{}, {}, {}])
  const [first = 0, , third = 0] = listener.receivedAt
  assert.ok(third - first > 1500, `${third - first} ms between three heartbeats, not 2 s`)
})

test('when a session ends its socket receives a message and closes with 4001, and others stay open', async () => {
  const other = await hub.signIn()
  const [mine, theirs] = [await listen(), await listen(other)]
  await admin.send(logout, {})
  assert.equal(await mine.closed, CLOSE_SESSION_OVER)
  assert.deepEqual(mine.messages.at(-1), { over: true })
  const before = theirs.messages.length
  await theirs.waitFor((messages) => messages[before], 'the other socket receives messages')
  await other.send(changePassword, { 'old-passwd': md5('Admin'), passwd: md5('harder-1') })
  assert.equal(theirs.socket.readyState, 1, 'the session that changed the password stays open')
})

test('an expired session closes its socket', async () => {
  const listener = await listen(await hub.signIn())
  hub.parts.store.database.run('UPDATE session SET seen = seen - 300000')
  const fresh = await hub.signIn()
  assert.equal((await fresh.send(setSettings, { 'expired-time': 2 })).result, SUCCESS)
  assert.equal(await listener.closed, CLOSE_SESSION_OVER)
})

test('sockets and previews opened with a token close soon after it expires', async () => {
  const quick = await startHub({ sessionCheckInterval: 20 })
  try {
    const { port } = await quick.listen(0, 0)
    const { token } = await quick.clientAs().send(addToken, { 'expired-time': Date.now() + 3_600_000 })
    const headers = { authorization: `Bearer ${token}` }
    const listener = await openFeed(port, headers)
    const preview = await fetch(`http://127.0.0.1:${port}/api/preview/open`, { headers })
    assert.ok(preview.headers.get('handle-id'), 'its preview stream is open')
    quick.parts.store.database.run('UPDATE token SET expires = ?', Date.now())
    assert.equal(await listener.closed, CLOSE_SESSION_OVER)
    await preview.text()
    await assert.rejects(openFeed(port, headers), /\b401$/)
  } finally {
    await quick.close()
  }
})

test('an invalid message closes the socket, and the hub keeps running', async () => {
  for (const [message, code] of [
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
    listener.socket.send(message)
    assert.equal(await listener.closed, code, String(message).slice(0, 30))
  }
  const brokenListener = await listen()
  const { _socket } = brokenListener.socket as unknown as { _socket: Duplex }
  _socket.write(Buffer.from([0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0]))
  await brokenListener.closed
  const listener = await listen()
  listener.subscribe('device')
  await listener.waitFor((messages) => reportedRev(messages, 'device'), 'the current revision arrives')
})

test('a session has sixteen sockets at most, and the oldest are closed', async () => {
  const listeners = await Promise.all(Array.from({ length: 40 }, () => listen()))
  const alive = () => listeners.filter(({ socket }) => socket.readyState === 1).length
  await until(() => alive() <= 16, 'the oldest are closed')
  for (const { socket } of listeners) if (socket.readyState === 1) socket.send('{"topics":["device"]}')
  await until(
    () => listeners.filter(({ messages }) => reportedRev(messages, 'device')).length === 16,
    'sixteen are served'
  )
})

test('a call over the socket returns the same as over HTTP, and repeated takes a fraction of the bytes', async () => {
  const listener = await listen(admin, { cookie: `${admin.cookie}; headend-lang=zh`, host: 'localhost' })
  const bytes = () => (listener.socket as unknown as { _socket: Socket })._socket.bytesRead
  const call = async (number: number, path: string) => {
    listener.socket.send(JSON.stringify({ turn: number, path } satisfies FeedRequest))
    return listener.waitFor(
      (messages) => messages.find(({ turn }) => turn === number)?.reply,
      `the response to ${path}`
    )
  }
  const status = `${systemStatus.path}?history=1`
  const first = await call(1, status)
  assert.equal(first.result, SUCCESS)
  assert.deepEqual(Object.keys(first), Object.keys(await admin.send(systemStatus, { history: 1 })))
  const size = Buffer.byteLength(JSON.stringify(first))
  const before = bytes()
  await call(2, status)
  assert.ok(bytes() - before < size / 4, `${bytes() - before} of ${size} bytes`)
  assert.equal((await call(3, '/no/such/call')).result, UNSUPPORTED)
  assert.equal((await call(4, '/system/status?history=x')).result, INVALID_ARG)
  assert.equal((await call(5, '/../page')).result, UNSUPPORTED)
})

test('permissions apply over the socket, too, and signing out closes it', async () => {
  const kim = await addUser(hub, 'kim', DEVICE_VIEW)
  const listener = await listen(kim)
  listener.socket.send(JSON.stringify({ turn: 1, path: listUsers.path }))
  assert.equal((await listener.waitFor(([first]) => first?.reply, 'a refusal')).result, NOT_PERMITTED)
  listener.socket.send(JSON.stringify({ turn: 2, path: logoutByGet.path }))
  assert.equal(await listener.closed, CLOSE_SESSION_OVER)
})

test('a call with a stream as response, or with an invalid path, closes the socket', async () => {
  for (const path of ['/preview/open', 'system/status', '']) {
    const listener = await listen()
    listener.socket.send(JSON.stringify({ turn: 1, path }))
    assert.equal(await listener.closed, 1003, path)
  }
})

/** A subscriber that reads nothing until `read` is called. */
function slowSubscriber() {
  const [theirs, ours] = duplexPair()
  const store = new Changes()
  const feed = new ChangeFeed(store, () => true)
  const request = {
    method: 'GET',
    headers: { upgrade: 'websocket', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' }
  }
  feed.acceptSocket(request as unknown as IncomingMessage, ours, Buffer.alloc(0), { session: 'x' } as Caller)
  return {
    store,
    feed,
    /** Bytes in the hub's buffer. */
    buffered: () => ours.writableLength,
    subscribe() {
      const text = Buffer.from('{"topics":["device","channel","source","log","status","session"]}')
      theirs.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]))
    },
    /** Starts to read. @returns a function which returns the text received so far */
    read() {
      let all = ''
      theirs.setEncoding('latin1').on('data', (chunk) => {
        all += chunk
      })
      return () => all
    }
  }
}

test('for a client that does not read the hub buffers little, and reports the newest revisions once it reads', async () => {
  const { store, feed, buffered, subscribe, read } = slowSubscriber()
  try {
    for (let n = 0; n < 5000; n++) {
      subscribe()
      if (n % 100 === 0) await new Promise(setImmediate)
    }
    await until(() => buffered() > 60_000, 'the buffer is full')
    assert.ok(buffered() < 80_000, `${buffered()} bytes are buffered`)
    store.markChanged('device', 1)
    subscribe()
    await new Promise(setImmediate)
    assert.ok(buffered() < 80_000, `${buffered()} bytes are buffered`)
    const text = read()
    await until(() => text().includes(`"device":${store.revs().device}`), 'the change arrives')
  } finally {
    feed.close()
  }
})

test.run()
