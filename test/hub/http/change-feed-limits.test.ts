import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { duplexPair } from 'node:stream'
import { suite } from 'uvu'
import type { FeedRequest } from '../../../contract/change-feed.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { systemStatus } from '../../../contract/system.ts'
import type { Caller } from '../../../hub/auth/gate.ts'
import { BACKLOG_TIMEOUT, ChangeFeed } from '../../../hub/http/change-feed.ts'
import { BUFFER_MAX, CALL_RATE, CALLS_MAX } from '../../../hub/http/feed-calls.ts'
import { Changes } from '../../../hub/store/changes.ts'
import { jsonReply } from '../../../web-server/reply.ts'
import { openFeed } from '../../kit/hub/feed-listener.ts'
import { startHub } from '../../kit/hub/hub.ts'
import { until } from '../../kit/until.ts'

const test = suite('change feed limits')

const REPLY = { result: SUCCESS, text: 'x'.repeat(100_000) }
/** The largest frame header, and the fields around a reply. */
const FRAME = 100

/** A client that asks and reads nothing. */
function mutePeer() {
  const [theirs, ours] = duplexPair()
  let handled = 0
  const feed = new ChangeFeed(new Changes(), () => true, {
    async handleCall() {
      handled++
      return jsonReply(REPLY)
    }
  })
  const headers = {
    upgrade: 'websocket',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-version': '13'
  }
  const request = { method: 'GET', headers } as unknown as IncomingMessage
  feed.acceptSocket(request, ours, Buffer.alloc(0), { session: 'x', address: '192.0.2.1' } as Caller)
  const send = (opcode: number, text: string) => {
    const payload = Buffer.from(text)
    return theirs.write(Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), payload]))
  }
  return {
    feed,
    ask: (turn: number) => send(1, JSON.stringify({ turn, path: '/x' })),
    ping: () => send(9, 'p'.repeat(100)),
    handled: () => handled,
    buffered: () => ours.writableLength,
    isClosed: () => ours.destroyed || ours.writableEnded
  }
}

test('asks of a client that does not read wait, so that the hub buffers little, and one too many closes its socket', async () => {
  const peer = mutePeer()
  try {
    for (let turn = 0; turn < CALLS_MAX; turn++) peer.ask(turn)
    await until(() => peer.handled() > 0 && peer.buffered() > 0, 'a reply is buffered')
    for (let n = 0; n < 50; n++) await new Promise(setImmediate)
    const most = BUFFER_MAX + 4 * (REPLY.text.length + FRAME)
    assert.ok(peer.buffered() <= most, `${peer.buffered()} bytes are buffered`)
    assert.ok(peer.handled() <= 5, `${peer.handled()} calls were handled`)
    assert.equal(peer.isClosed(), false)
    for (let turn = 0; turn < 4000; turn++) peer.ask(turn)
    await until(peer.isClosed, 'the socket is closed')
    assert.ok(peer.buffered() <= most, `${peer.buffered()} bytes are buffered`)
    assert.ok(peer.handled() <= 5, `${peer.handled()} calls were handled`)
  } finally {
    peer.feed.close()
  }
})

test('pings of a client that does not read fill no buffer', async () => {
  const peer = mutePeer()
  try {
    for (let n = 0; n < 20_000 && !peer.isClosed(); n++) {
      peer.ping()
      if (n % 100 === 0) await new Promise(setImmediate)
      assert.ok(peer.buffered() <= BUFFER_MAX + 1000, `${peer.buffered()} bytes are buffered`)
    }
    await until(peer.isClosed, 'the socket is closed')
  } finally {
    peer.feed.close()
  }
})

test('a socket with a full buffer from which nothing leaves is closed', async () => {
  const peer = mutePeer()
  try {
    const startedAt = performance.now()
    peer.ask(1)
    await until(() => peer.buffered() > BUFFER_MAX, 'the buffer is full')
    await until(peer.isClosed, 'the socket is closed')
    assert.ok(performance.now() - startedAt >= BACKLOG_TIMEOUT)
  } finally {
    peer.feed.close()
  }
})

test('a client that reads gets every response, at the allowed rate', async () => {
  const hub = await startHub()
  const { port } = await hub.listen(0, 0)
  const listener = await openFeed(port, { cookie: hub.clientAs().cookie })
  try {
    const startedAt = performance.now()
    const wanted = CALL_RATE.burst + CALL_RATE.perSecond
    let sent = 0
    const ask = () => {
      if (sent < wanted)
        listener.socket.send(JSON.stringify({ turn: ++sent, path: systemStatus.path } satisfies FeedRequest))
    }
    listener.socket.on('message', (data) => {
      if ('turn' in JSON.parse(String(data))) ask()
    })
    for (let n = 0; n < CALLS_MAX; n++) ask()
    const replies = () => listener.messages.filter(({ turn }) => turn !== undefined)
    await until(() => replies().length === wanted, 'all responses arrive')
    assert.equal(new Set(replies().map(({ turn }) => turn)).size, wanted)
    assert.ok(replies().every(({ reply }) => reply?.result === SUCCESS))
    const time = performance.now() - startedAt
    assert.ok(time > 900, `${wanted} calls in ${time} ms`)
  } finally {
    listener.socket.terminate()
    await hub.close()
  }
})

test.run()
