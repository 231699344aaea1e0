// Sources: noise, programs, the cached group of pictures.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { clipPath, runProcess } from '../../kit/engine/media.ts'
import {
  collect,
  createSender,
  fixture,
  openSink,
  relayForEach,
  untilCarrying
} from '../../kit/engine/relay-fixture.ts'
import { packetsOf, pidsOf } from '../../kit/engine/transport-stream.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { sendPaced } from '../../kit/net/send-paced.ts'
import { until } from '../../kit/until.ts'

const test = suite('sources of a relay')
relayForEach(test)

const AT_ONCE = { fromCache: true, endsWithStream: false }
const AT_NEXT = { fromCache: false, endsWithStream: false }

test('random bytes are not a stream', async () => {
  const { relay } = fixture
  const port = await freeUdpPort()
  await relay.openDatagrams({ address: '127.0.0.1', port, rtp: false })
  await createSender(port).replay(randomBytes(500 * 1316))
  await until(() => relay.report().source.invalidBytes > 400 * 1316, 'the bytes are counted')
  const { bytes, isCarrying, starts } = relay.report().source
  assert.deepEqual({ bytes, isCarrying, starts }, { bytes: 0, isCarrying: false, starts: 0 })
})

test('random bytes after a stream are not a part of it', async () => {
  const { relay } = fixture
  const port = await freeUdpPort()
  await relay.openDatagrams({ address: '127.0.0.1', port, rtp: false })
  const sender = createSender(port)
  const clip = readFileSync(clipPath())
  await sender.replay(clip)
  await until(() => relay.report().source.bytes >= clip.length - 4 * 188, 'the stream is counted')
  const { bytes, invalidBytes } = relay.report().source
  await sender.replay(randomBytes(5000 * 1316))
  await until(() => relay.report().source.invalidBytes - invalidBytes > 4900 * 1316, 'the bytes are counted')
  assert.equal(relay.report().source.bytes, bytes)
  await sender.replay(clip)
  await until(() => relay.report().source.bytes > bytes + clip.length / 2, 'the stream goes on')
})

test('a receiver gets the audio of a stream whose video is listed and does not arrive', async () => {
  const { relay } = fixture
  const port = await freeUdpPort()
  await relay.openDatagrams({ address: '127.0.0.1', port, rtp: false })
  const packets = packetsOf(readFileSync(clipPath())).filter((packet) => (packet.readUInt16BE(1) & 0x1fff) !== 0x100)
  const sender = createSender(port)
  await until(async () => {
    await sender.replay(Buffer.concat(packets))
    return relay.report().source.starts > 0
  }, 'the stream has start points')
  const { ages } = relay.report().source
  assert.equal(ages.get(0x100), undefined)
  assert.ok((ages.get(0x101) ?? Number.POSITIVE_INFINITY) < 5000)
})

test('a stream goes on when its tables are not repeated', async () => {
  const { relay } = fixture
  const port = await freeUdpPort()
  await relay.openDatagrams({ address: '127.0.0.1', port, rtp: false })
  const sender = createSender(port)
  const clip = readFileSync(clipPath())
  await sender.replay(clip)
  await until(() => relay.report().source.bytes >= clip.length - 4 * 188, 'the stream is counted')
  const tables = new Set([0, 0x1000])
  const media = Buffer.concat(packetsOf(clip).filter((packet) => !tables.has(packet.readUInt16BE(1) & 0x1fff)))
  const { bytes, invalidBytes } = relay.report().source
  // Longer than the three seconds after which packets that no table lists are no stream.
  const pause = Math.ceil(5000 / 3 / (media.length / (2 * 1316)))
  for (let rounds = 1; rounds <= 3; rounds++) {
    await sender.replay(media, pause)
    await until(() => relay.report().source.bytes >= bytes + rounds * media.length, 'the media is counted')
  }
  assert.equal(relay.report().source.invalidBytes, invalidBytes)
  assert.equal(relay.report().source.isCarrying, true)
})

test('random datagrams between those of a stream do not disturb it', async () => {
  const { relay } = fixture
  const [port, sink] = [await freeUdpPort(), await openSink()]
  await relay.openDatagrams({ address: '127.0.0.1', port, rtp: false })
  await relay.addTarget(1, { address: '127.0.0.1', port: sink.port, payloadBytes: 1316, rtp: false })
  const clip = readFileSync(clipPath())
  const sender = createSender(port)
  for (let offset = 0; offset < clip.length; offset += 13_160) {
    await sender.replay(clip.subarray(offset, offset + 13_160))
    await sender.send(randomBytes(1316))
    await sender.send(randomBytes(700))
  }
  const expected = clip.subarray(3 * 188)
  await until(() => sink.bytes().length >= expected.length + 2 * 188, 'the stream has arrived')
  assert.ok(
    sink
      .bytes()
      .subarray(2 * 188)
      .equals(expected)
  )
  assert.equal(relay.report().source.gaps, 0)
})

test('a source that stops no longer carries after a second', async () => {
  const port = await freeUdpPort()
  await fixture.relay.openDatagrams({ address: '127.0.0.1', port, rtp: false })
  await createSender(port).replay(readFileSync(clipPath()))
  await untilCarrying()
  await untilCarrying(false)
})

test('packets that span datagrams are joined', async () => {
  const { relay } = fixture
  const [port, sink] = [await freeUdpPort(), await openSink()]
  await relay.openDatagrams({ address: '127.0.0.1', port, rtp: false })
  await relay.addTarget(1, { address: '127.0.0.1', port: sink.port, payloadBytes: 1316, rtp: false })
  const clip = readFileSync(clipPath())
  const sender = createSender(port)
  const size = 4 * 1472
  const groups = Array.from({ length: Math.ceil(clip.length / size) }, (_, n) =>
    clip.subarray(n * size, (n + 1) * size)
  )
  await sendPaced(groups, 1, (group) => {
    for (let offset = 0; offset < group.length; offset += 1472) void sender.send(group.subarray(offset, offset + 1472))
  })
  await until(() => sink.bytes().length >= clip.length - 188, 'the stream has arrived')
  assert.ok(
    sink
      .bytes()
      .subarray(2 * 188)
      .equals(clip.subarray(3 * 188))
  )
})

test('one program of several is selected, with a PAT that names it alone', async () => {
  const { relay } = fixture
  const path = `${clipPath()}.programs.ts`
  const mux = runProcess([
    ...['-v', 'error', '-i', clipPath(), '-i', clipPath(), '-map', '0', '-map', '1', '-c', 'copy'],
    ...['-program', 'program_num=5:st=0:st=1', '-program', 'program_num=9:st=2:st=3', '-f', 'mpegts', '-y', path]
  ])
  assert.equal(await mux.exited, 0, mux.output())
  relay.selectProgram(9)
  const subscriber = collect(await relay.subscribeProcess(1, AT_NEXT))
  const feed = await relay.openFeed()
  feed.write(readFileSync(path))
  await until(() => relay.report().source.programs.length === 2, 'both programs are listed')
  assert.deepEqual(relay.report().source.programs, [
    { number: 5, streams: [27, 15] },
    { number: 9, streams: [27, 15] }
  ])
  await until(() => subscriber.bytes().length > 100_000, 'the program has arrived')
  const selected = [...pidsOf(subscriber.bytes())].sort((a, b) => a - b)
  assert.equal(selected.length, 4, `PIDs ${selected}: PAT, PMT, video and audio`)
  const [pat] = packetsOf(subscriber.bytes())
  // One entry: table of 13 bytes after the length field.
  assert.equal(pat?.[7], 13)
  assert.equal(pat?.readUInt16BE(13), 9)
  const probe = runProcess(
    ['-v', 'error', '-show_entries', 'program=program_id,nb_streams', '-of', 'csv=p=0', '-'],
    'ffprobe'
  )
  await probe.kill()
  relay.selectProgram(undefined)
  // The relay obeys in order: it selects all programs before it answers that it has the target.
  const { port } = await openSink()
  await relay.addTarget(2, { address: '127.0.0.1', port, payloadBytes: 1316, rtp: false })
  const before = packetsOf(subscriber.bytes()).length * 188
  // Written at once, the file is more than a subscriber may be behind, and the relay would drop it.
  const programs = readFileSync(path)
  const size = 100 * 188
  const parts = Array.from({ length: Math.ceil(programs.length / size) }, (_, n) =>
    programs.subarray(n * size, (n + 1) * size)
  )
  await sendPaced(parts, 5, (part) => void feed.write(part))
  await until(() => pidsOf(subscriber.bytes().subarray(before)).size > 6, 'all programs arrive')
})

test('a subscriber with the cached group of pictures begins at once, another one waits for a key frame', async () => {
  const { relay } = fixture
  const feed = await relay.openFeed()
  const clip = readFileSync(clipPath())
  // Ends 10 packets after the start of the last group.
  const starts = packetsOf(clip).flatMap((packet, index) =>
    (packet[3] ?? 0) & 0x20 && (packet[5] ?? 0) & 0x40 && packet.readUInt16BE(1) === 0x4100 ? [index] : []
  )
  const last = starts.at(-1) ?? 0
  feed.write(clip.subarray(0, (last + 10) * 188))
  await until(() => relay.report().source.starts === starts.length, 'the stream is known')
  const atOnce = collect(await relay.subscribeProcess(1, AT_ONCE))
  const atNext = collect(await relay.subscribeProcess(2, AT_NEXT))
  await until(() => atOnce.bytes().length === 12 * 188, 'the group has arrived')
  assert.ok(
    atOnce
      .bytes()
      .subarray(2 * 188)
      .equals(clip.subarray(last * 188, (last + 10) * 188))
  )
  feed.write(clip.subarray((last + 10) * 188))
  await until(() => atOnce.bytes().length === clip.length - last * 188 + 2 * 188, 'the rest has arrived')
  assert.equal(atNext.bytes().length, 0)
})

test('a feed is taken when the relay notices the end of the one before, the command and the feed all at once', async () => {
  const { relay } = fixture
  const clip = readFileSync(clipPath())
  const feed = await relay.openFeed()
  feed.write(clip)
  await until(() => relay.report().source.bytes >= clip.length - 4 * 188, 'the first feed has arrived')
  const { bytes } = relay.report().source
  process.kill(fixture.pid(), 'SIGSTOP')
  const closed = once(feed, 'close')
  feed.destroy()
  await closed
  const next = await relay.openFeed()
  next.write(clip)
  process.kill(fixture.pid(), 'SIGCONT')
  await until(() => relay.report().source.bytes > bytes + clip.length / 2, 'the second feed arrives')
})

test.run()
