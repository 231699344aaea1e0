import assert from 'node:assert/strict'
import { connect, createServer, type ServerHttp2Session } from 'node:http2'
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net'
import { mock } from 'node:test'
import {
  DIGEST_CHANNELS_MAX,
  DIGEST_INTERVAL,
  DIGEST_LINE_MAX,
  DIGEST_PACE,
  DIGEST_PATH,
  DIGEST_PROBLEMS_MAX,
  type Digest,
  type DigestLine
} from '../../../contract/cloud/digest.ts'
import type { ChannelVerdict } from '../../../contract/health.ts'
import { DigestStreams } from '../../../hub/cloud/digest-streams.ts'
import { Changes } from '../../../hub/store/changes.ts'
import { suite } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suite('digests that a hub sends')

/** Bytes that an idle hub may send in a minute. */
const IDLE_MAX = 2048

test.before.each(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_800_000_000_000 }))
test.after.each(() => mock.timers.reset())

const problem = (id: number, loss: number) => ({
  ...{ id: `channel-${id}`, kind: 'channel' as const, severity: 'warn' as const, name: `Channel ${id}`, channel: id },
  ...{ since: 1_700_000_000_000, reason: 'packet-loss' as const, 'loss-percent': loss }
})

const channel = (id: number, verdict: ChannelVerdict = 'on-air') => ({
  ...{ id, name: `Channel number ${id}`, verdict, since: 1_700_000_000_000 }
})

function digestOf(channels: Digest['channels'], problems: Digest['problems'] = []): Digest {
  const counts = { channels: channels.length, verdicts: {}, devices: 0, 'devices-offline': 0, bad: 0, warn: 0 }
  return { hub: { name: 'Hub', version: '1.0.0', health: { verdict: 'online' }, counts }, channels, problems }
}

interface Receiver {
  lines: DigestLine[]
  /** Bytes of the connection that the cloud has received. */
  bytes(): number
  close(): void
}

interface Fixture {
  /** What the hub reads. */
  digest: Digest | undefined
  /** Announces that a verdict may have changed. */
  announce(): void
  /** Opens the stream over a link of its own. */
  open(): Promise<Receiver>
}

async function withStreams(run: (fixture: Fixture) => Promise<void>): Promise<void> {
  const changes = new Changes(1)
  const fixture: Fixture = {
    digest: digestOf([channel(1)]),
    announce: () => changes.markChanged('problem'),
    async open() {
      const socket: Socket = connectTcp((server.address() as AddressInfo).port, '127.0.0.1')
      const session = connect('http://hub', { createConnection: () => socket })
      closers.push(() => session.destroy())
      const receiver: Receiver = { lines: [], bytes: () => socket.bytesRead, close: () => session.destroy() }
      const stream = session.request({ ':path': DIGEST_PATH })
      let rest = ''
      stream.setEncoding('utf8').on('data', (text: string) => {
        const parts = (rest + text).split('\n')
        rest = parts.pop() ?? ''
        receiver.lines.push(...parts.map((part) => JSON.parse(part)))
      })
      await new Promise((resolve) => stream.once('response', resolve))
      return receiver
    }
  }
  const streams = new DigestStreams({ read: () => fixture.digest, changes })
  const sessions: ServerHttp2Session[] = []
  const closers: (() => void)[] = []
  const server = createServer()
  server.on('session', (session) => sessions.push(session))
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    if (!streams.handle(stream, headers)) stream.respond({ ':status': 404 }, { endStream: true })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await run(fixture)
  } finally {
    for (const close of closers) close()
    streams.close()
    for (const session of sessions) session.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Moves the clock second by second, and lets what is sent arrive. */
async function pass(seconds: number, each: () => void = () => {}): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    each()
    mock.timers.tick(1000)
    await new Promise(setImmediate)
  }
}

const untilLines = (receiver: Receiver, count: number) => {
  mock.timers.tick(0)
  return until(() => receiver.lines.length >= count, `${count} lines`)
}

/** Waits until the digest is complete. */
const untilComplete = (receiver: Receiver) =>
  until(() => {
    mock.timers.tick(DIGEST_PACE)
    return receiver.lines.length > 0 && !receiver.lines.at(-1)?.more
  }, 'the whole digest')

test('an idle hub sends less than 2 KB a minute, also one with the largest digest whose numbers change all the time', () =>
  withStreams(async (fixture) => {
    const channels = Array.from({ length: DIGEST_CHANNELS_MAX }, (_, id) => channel(id))
    const problemsWith = (loss: number) =>
      Array.from({ length: DIGEST_PROBLEMS_MAX }, (_, id) => problem(id, loss + id))
    fixture.digest = digestOf(channels, problemsWith(0))
    const receiver = await fixture.open()
    await untilComplete(receiver)
    const [lines, bytes] = [receiver.lines.length, receiver.bytes()]
    let loss = 0
    await pass(60, () => {
      fixture.digest = digestOf(channels, problemsWith(++loss / 7))
      fixture.announce()
    })
    await until(() => receiver.lines.length - lines >= 3, 'three lines')
    assert.equal(receiver.lines.length - lines, 60_000 / DIGEST_INTERVAL)
    assert.ok(receiver.lines.slice(lines).every(({ problems = [] }) => problems.length > 0))
    const sent = receiver.bytes() - bytes
    assert.ok(sent < IDLE_MAX, `${sent} bytes`)
  }))

test('a hub of which nothing changes sends only the time', () =>
  withStreams(async (fixture) => {
    const receiver = await fixture.open()
    await untilComplete(receiver)
    const bytes = receiver.bytes()
    await pass(60, fixture.announce)
    await untilLines(receiver, 4)
    assert.deepEqual(
      receiver.lines.map((line) => Object.keys(line)),
      [['now', 'reset', 'hub', 'channels'], ['now'], ['now'], ['now']]
    )
    assert.ok(receiver.bytes() - bytes < 200, `${receiver.bytes() - bytes} bytes`)
  }))

test('a verdict that changes is sent at once, but at most once a second', () =>
  withStreams(async (fixture) => {
    const receiver = await fixture.open()
    await untilComplete(receiver)
    await pass(5)
    fixture.digest = digestOf([channel(1, 'down')])
    fixture.announce()
    await untilLines(receiver, 2)
    assert.deepEqual(receiver.lines[1]?.channels, [channel(1, 'down')])
    for (const verdict of ['on-air', 'degraded', 'down', 'starting'] as const) {
      fixture.digest = digestOf([channel(1, verdict)])
      fixture.announce()
      mock.timers.tick(200)
    }
    await pass(1)
    await untilLines(receiver, 3)
    assert.deepEqual(receiver.lines[2]?.channels, [channel(1, 'starting')])
    fixture.digest = digestOf([])
    fixture.announce()
    await pass(1)
    await untilLines(receiver, 4)
    assert.deepEqual(receiver.lines[3]?.gone, [1])
  }))

test('a large digest is sent in lines of limited size, the worst channels first, and what fails meanwhile before the rest', () =>
  withStreams(async (fixture) => {
    const channels = Array.from({ length: 500 }, (_, id) => channel(id, id < 3 ? 'down' : 'on-air'))
    fixture.digest = digestOf(channels)
    const receiver = await fixture.open()
    await untilLines(receiver, 1)
    assert.deepEqual(
      receiver.lines[0]?.channels?.slice(0, 3).map(({ verdict }) => verdict),
      ['down', 'down', 'down']
    )
    assert.equal(receiver.lines[0]?.more, true)
    fixture.digest = digestOf([channel(499, 'down'), ...channels.slice(0, -1)])
    await untilComplete(receiver)
    assert.equal(receiver.lines[1]?.channels?.[0]?.id, 499)
    const sent = receiver.lines.flatMap(({ channels = [] }) => channels.map(({ id }) => id))
    assert.deepEqual(
      [...new Set(sent)].sort((a, b) => a - b),
      channels.map(({ id }) => id)
    )
    for (const line of receiver.lines) assert.ok(Buffer.byteLength(JSON.stringify(line)) <= DIGEST_LINE_MAX)
  }))

test('one of two links carries the digest, and the other one when the first ends', () =>
  withStreams(async (fixture) => {
    const first = await fixture.open()
    const second = await fixture.open()
    await untilLines(first, 1)
    await untilLines(second, 1)
    assert.equal(first.lines[0]?.reset, true)
    assert.deepEqual(Object.keys(second.lines[0] ?? {}), ['now', 'standby'])
    fixture.digest = digestOf([channel(1, 'down')])
    fixture.announce()
    await pass(1)
    await untilLines(first, 2)
    assert.equal(second.lines.length, 1)
    first.close()
    await until(() => {
      mock.timers.tick(0)
      return second.lines.length > 1
    }, 'the digest over the second link')
    assert.equal(second.lines[1]?.reset, true)
    assert.deepEqual(second.lines[1]?.channels, [channel(1, 'down')])
  }))

test('a hub that is not accepted any more sends nothing', () =>
  withStreams(async (fixture) => {
    const receiver = await fixture.open()
    await untilComplete(receiver)
    fixture.digest = undefined
    const refused = await fixture.open()
    await pass(60, fixture.announce)
    assert.equal(receiver.lines.length, 1)
    assert.equal(refused.lines.length, 0)
  }))

test.run()
