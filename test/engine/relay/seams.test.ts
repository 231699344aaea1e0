// Restarted and replaced sources: receivers get one stream whose joins are marked.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { suite } from 'uvu'
import { clipPath, runProcess } from '../../kit/engine/media.ts'
import {
  collect,
  createSender,
  type DatagramSink,
  fixture,
  openSink,
  relayForEach
} from '../../kit/engine/relay-fixture.ts'
import { checkStream } from '../../kit/engine/transport-stream.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { sendPaced } from '../../kit/net/send-paced.ts'
import { until } from '../../kit/until.ts'

const test = suite('seams of a relayed stream')
relayForEach(test)

/** Opens a port and a target. */
async function openPath(): Promise<{ port: number; sink: DatagramSink }> {
  const [port, sink] = [await freeUdpPort(), await openSink()]
  await fixture.relay.openDatagrams({ address: '127.0.0.1', port, rtp: false })
  await fixture.relay.addTarget(1, { address: '127.0.0.1', port: sink.port, payloadBytes: 1316, rtp: false })
  return { port, sink }
}

const untilArrived = (sink: DatagramSink, bytes: number) =>
  until(
    () => sink.bytes().length >= bytes,
    () => `${sink.bytes().length} of ${bytes} bytes have arrived`
  )

/** The warnings of ffprobe about damaged packets. */
async function probeWarnings(bytes: Buffer): Promise<string[]> {
  const path = `${clipPath()}.arrived.ts`
  writeFileSync(path, bytes)
  const probe = runProcess(['-v', 'warning', '-show_entries', 'packet=pts', '-of', 'csv=p=0', path], 'ffprobe')
  await probe.exited
  return probe
    .output()
    .split('\n')
    .filter((line) => /corrupt|discontinuity/i.test(line))
}

test('a source that restarts in the middle of a frame leaves no unmarked jump', async () => {
  const { port, sink } = await openPath()
  const clip = readFileSync(clipPath())
  const sender = createSender(port)
  // Not the last datagrams, so that counters and frames are cut.
  const first = clip.subarray(0, 101 * 1316)
  await sender.replay(first)
  await sender.replay(clip)
  await untilArrived(sink, first.length + clip.length - 3 * 188)
  const { unmarked, marked } = checkStream(sink.bytes())
  assert.deepEqual(unmarked, [])
  assert.ok(marked >= 2, `${marked} marks: video with the clock, and audio`)
  const warnings = new Set(await probeWarnings(sink.bytes()))
  assert.ok(warnings.size <= 1, `only the frame that the restart has cut is damaged: ${[...warnings]}`)
  const { source } = fixture.relay.report()
  assert.equal(source.gaps, 0, 'a restart is not loss')
})

test('a source that continues after a restart of the relay port begins at its key frame with its tables', async () => {
  const { port, sink } = await openPath()
  const clip = readFileSync(clipPath())
  await createSender(port).replay(clip.subarray(0, 50 * 1316))
  await until(() => sink.bytes().length > 49 * 1316, 'the first source has arrived')
  const feed = await fixture.relay.openFeed()
  // Begins in the middle of a group of pictures, without tables at first.
  // In parts, which the sink can read before its buffer is full.
  const rest = clip.subarray(60 * 1316)
  const size = 100 * 188
  const parts = Array.from({ length: Math.ceil(rest.length / size) }, (_, n) => rest.subarray(n * size, (n + 1) * size))
  await sendPaced(parts, 5, (part) => void feed.write(part))
  feed.end()
  await until(() => fixture.feedEnds === 1, 'its end is noticed')
  // Without the header, whose counter continues that of the first source.
  await until(() => sink.bytes().includes(clip.subarray(-184)), 'its last packet has arrived')
  const { unmarked, marked } = checkStream(sink.bytes())
  assert.deepEqual(unmarked, [])
  assert.ok(marked >= 2)
  const warnings = new Set(await probeWarnings(sink.bytes()))
  assert.ok(warnings.size <= 1, `only the frame at the end of the first source is damaged: ${[...warnings]}`)
})

test('missing packets are counted and not marked', async () => {
  const { port, sink } = await openPath()
  const clip = readFileSync(clipPath())
  const sender = createSender(port)
  await sender.replay(clip.subarray(0, 50 * 1316))
  await sender.replay(clip.subarray(51 * 1316, 90 * 1316))
  await untilArrived(sink, 88 * 1316)
  const { unmarked, marked } = checkStream(sink.bytes())
  assert.ok(unmarked.length > 0)
  assert.equal(marked, 0)
  await until(() => fixture.relay.report().source.gaps === unmarked.length, 'the gaps are reported')
})

test('another layout ends taps and the processes that ask for it, and others continue', async () => {
  const { relay } = fixture
  const ends: number[] = []
  const lengths: number[] = []
  let ended = 0
  relay.subscribeTap({
    media: (_, __, tables) => void lengths.push(tables.length),
    end: () => void ends.push(lengths.length)
  })
  const ending = collect(await relay.subscribeProcess(1, { fromCache: false, endsWithStream: true }))
  const staying = collect(await relay.subscribeProcess(2, { fromCache: false, endsWithStream: false }))
  const feed = await relay.openFeed()
  feed.write(readFileSync(clipPath()))
  await until(() => staying.bytes().length > 100_000, 'the first layout has arrived')
  const before = ending.bytes().length
  // The same stream without audio, as it arrives after an encoder was set differently.
  const videoPath = `${clipPath()}.video.ts`
  const video = runProcess(['-v', 'error', '-i', clipPath(), '-map', '0:v', '-c', 'copy', '-f', 'mpegts', videoPath])
  await video.exited
  feed.write(readFileSync(videoPath))
  await until(() => ending.hasEnded() && ends.length === 1, 'the end is noticed')
  ended = staying.bytes().length
  await until(() => staying.bytes().length >= ended && staying.bytes().length > before, 'the other one continues')
  assert.ok((ends[0] ?? 0) > 0, 'the tap received the first stream before its end')
  await until(() => relay.report().source.revision === 1, 'the change is reported')
  assert.deepEqual(relay.report().source.programs, [{ number: 1, streams: [27] }])
  assert.deepEqual(checkStream(staying.bytes()).unmarked, [])
  assert.ok(!staying.hasEnded())
})

test.run()
