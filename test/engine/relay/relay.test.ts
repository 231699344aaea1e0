// The relay with real peers: datagrams, processes and taps.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { createRelay } from '../../../engine/relay/relay.ts'
import { clockPhase, untilThird } from '../../kit/clock-phase.ts'
import { clipPath, decodeFrames } from '../../kit/engine/media.ts'
import { collect, createSender, fixture, openSink, relayForEach } from '../../kit/engine/relay-fixture.ts'
import { SANITIZED_RELAY } from '../../kit/engine/sanitized-programs.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('relay')
relayForEach(test)

const NOT_ENDING = { fromCache: false, endsWithStream: false }
/** PAT and PMT, which precede the first key frame. */
const TABLES = 2 * 188

test('datagrams reach targets, processes and taps unchanged from a key frame on', async () => {
  const { relay } = fixture
  const port = await freeUdpPort()
  const sinks = [await openSink(), await openSink()]
  await relay.openDatagrams({ address: '127.0.0.1', port, rtp: false })
  for (const [id, sink] of sinks.entries())
    await relay.addTarget(id, { address: '127.0.0.1', port: sink.port, payloadBytes: 1316, rtp: false })
  const subscriber = collect(await relay.subscribeProcess(7, NOT_ENDING))
  const tapped: Buffer[] = []
  const starts: number[] = []
  relay.subscribeTap({
    media(data, offsets, tables) {
      assert.equal(tables.length, TABLES)
      starts.push(...offsets)
      tapped.push(Buffer.from(data))
    },
    end() {}
  })
  await until(() => relay.report().subscribers.size === 2, 'the taps are known')
  const clip = readFileSync(clipPath())
  await createSender(port).replay(clip)
  // The clip begins with its service description, before the tables.
  const expected = clip.subarray(3 * 188)
  const received = () => [
    ...sinks.map((sink) => sink.bytes().subarray(TABLES)),
    subscriber.bytes().subarray(TABLES),
    Buffer.concat(tapped)
  ]
  await until(
    () => received().every(({ length }) => length >= expected.length),
    () => `all data has arrived: ${received().map(({ length }) => length)} of ${expected.length}`
  )
  for (const bytes of received()) assert.ok(bytes.equals(expected), 'the bytes are those that were sent')
  // A key frame every half second of the 4.
  assert.equal(starts.length, 9)
  const { source } = relay.report()
  assert.deepEqual(source.programs, [{ number: 1, streams: [27, 15] }])
  assert.equal(source.gaps, 0)
  assert.equal(source.invalidBytes, 0)
})

test('a process writes the stream through its stdout and another one reads it through its stdin', async () => {
  const { relay } = fixture
  const reader = await relay.subscribeProcess(1, { fromCache: false, endsWithStream: true })
  const decoder = spawn('ffmpeg', ['-v', 'error', '-i', 'pipe:0', '-frames:v', '20', '-f', 'framemd5', 'pipe:1'], {
    stdio: [reader, 'pipe', 'inherit']
  })
  reader.destroy()
  let frames = ''
  decoder.stdout.on('data', (text) => (frames += text))
  const feed = await relay.openFeed()
  const sender = spawn('ffmpeg', ['-v', 'error', '-re', '-i', clipPath(), '-c', 'copy', '-f', 'mpegts', 'pipe:1'], {
    stdio: ['ignore', feed, 'inherit']
  })
  feed.destroy()
  await until(() => decoder.exitCode !== null, 'the reader has decoded the frames')
  assert.equal(decoder.exitCode, 0)
  assert.equal(frames.match(/^0,/gm)?.length, 20)
  await until(() => fixture.feedEnds === 1, 'the end of the sender is noticed')
  assert.equal(sender.exitCode ?? 0, 0)
  assert.deepEqual(fixture.endedSubscribers, [1])
})

/** Whether a program has bound a UDP port. */
function isBound(port: number): boolean {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = readFileSync('/proc/net/udp', 'utf8').trim().split('\n').slice(1)
  return rows.some((row) => row.trim().split(/\s+/)[1]?.endsWith(end))
}

test('an RTP target is decoded by a player', async () => {
  const { relay } = fixture
  const [source, target] = [await freeUdpPort(), await freeUdpPort()]
  await relay.openDatagrams({ address: '127.0.0.1', port: source, rtp: false })
  await relay.addTarget(1, { address: '127.0.0.1', port: target, payloadBytes: 1316, rtp: true })
  const decoded = decodeFrames(`rtp://127.0.0.1:${target}`, 10)
  await until(() => isBound(target), 'the player receives')
  const sender = createSender(source)
  const clip = readFileSync(clipPath())
  for (let round = 0; round < 3; round++) await sender.replay(clip, 10)
  const { frameCount, distinctFrames, log } = await decoded
  assert.equal(frameCount, 10, log)
  assert.equal(distinctFrames, 10)
})

test('a port in use is reported with its error code', async () => {
  const sink = await openSink()
  await assert.rejects(fixture.relay.openDatagrams({ address: '127.0.0.1', port: sink.port, rtp: false }), {
    code: 'EADDRINUSE'
  })
})

/** Milliseconds by which reports or batches follow a multiple of an interval of the system's clock: the median. */
async function measurePhase(interval: number, add: (note: () => void) => () => void): Promise<number> {
  const phases: number[] = []
  const remove = add(() => phases.push(clockPhase(interval)))
  await until(() => phases.length >= MEASURED, `${MEASURED} times are measured`)
  remove()
  return phases.sort((one, other) => one - other)[MEASURED >> 1] ?? interval
}
const MEASURED = 9

test('all relays report at the same times, and so wake the engine once', async () => {
  const { launcher } = fixture
  const phases: number[] = []
  // Each begins at another time of the interval.
  for (const third of [0, 1, 2]) {
    await untilThird(third, 250)
    phases.push(
      await measurePhase(250, (onReport) => {
        const relay = createRelay(launcher, { onReport, onExit() {} }, SANITIZED_RELAY)
        return () => void relay.stop()
      })
    )
  }
  assert.ok(Math.max(...phases) < 60, `${phases} ms after multiples of 250 ms`)
})

test('all taps get their batches at the same times', async () => {
  const { relay } = fixture
  const port = await freeUdpPort()
  await relay.openDatagrams({ address: '127.0.0.1', port, rtp: false })
  const sender = createSender(port)
  const clip = readFileSync(clipPath())
  const phases: number[] = []
  for (const third of [0, 1, 2]) {
    await untilThird(third, 200)
    const measured = measurePhase(200, (media) => relay.subscribeTap({ media, end() {} }, { batch: 200 }))
    await sender.replay(clip, 10)
    await sender.replay(clip, 10)
    phases.push(await measured)
  }
  assert.ok(Math.max(...phases) < 60, `${phases} ms after multiples of 200 ms`)
})

test.run()
