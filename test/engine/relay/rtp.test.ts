// RTP in and out of a relay (RFC 3550, RFC 2250).
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { suite } from 'uvu'
import { clipPath, runProcess } from '../../kit/engine/media.ts'
import { createSender, type DatagramSink, fixture, openSink, relayForEach } from '../../kit/engine/relay-fixture.ts'
import { checkStream } from '../../kit/engine/transport-stream.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { sendPaced } from '../../kit/net/send-paced.ts'
import { until } from '../../kit/until.ts'

const test = suite('RTP of a relay')
relayForEach(test)

const DATAGRAM = 7 * 188
const TABLES = 2 * 188
const HEADER = 12

interface HeaderOptions {
  source?: number
  /** Adds two contributing sources, an extension and padding. */
  isLong?: boolean
}

function rtpPacket(sequence: number, payload: Buffer, { source = 0x1234, isLong = false }: HeaderOptions = {}): Buffer {
  const header = Buffer.alloc(HEADER)
  header[0] = isLong ? 0xb2 : 0x80
  header[1] = 33
  header.writeUInt16BE(sequence & 0xffff, 2)
  header.writeUInt32BE(source, 8)
  if (!isLong) return Buffer.concat([header, payload])
  const extension = Buffer.from([0xbe, 0xde, 0, 1, 9, 9, 9, 9])
  return Buffer.concat([header, Buffer.alloc(8, 7), extension, payload, Buffer.from([0, 0, 3])])
}

const clipPackets = (first: number, options?: HeaderOptions): Buffer[] => {
  const clip = readFileSync(clipPath())
  return Array.from({ length: Math.ceil(clip.length / DATAGRAM) }, (_, index) =>
    rtpPacket(first + index, clip.subarray(index * DATAGRAM, (index + 1) * DATAGRAM), options)
  )
}

async function openPath(rtp = false): Promise<{ port: number; sink: DatagramSink }> {
  const [port, sink] = [await freeUdpPort(), await openSink()]
  await fixture.relay.openDatagrams({ address: '127.0.0.1', port, rtp: true })
  await fixture.relay.addTarget(1, { address: '127.0.0.1', port: sink.port, payloadBytes: DATAGRAM, rtp })
  return { port, sink }
}

async function sendAll(port: number, packets: readonly Buffer[]): Promise<void> {
  const sender = createSender(port)
  const groups = Array.from({ length: Math.ceil(packets.length / 4) }, (_, n) => packets.slice(4 * n, 4 * n + 4))
  await sendPaced(groups, 1, (group) => {
    for (const packet of group) void sender.send(packet)
  })
}

const expected = () => readFileSync(clipPath()).subarray(3 * 188)

async function assertUnchanged(sink: DatagramSink): Promise<void> {
  await until(
    () => sink.bytes().length >= expected().length + TABLES,
    () => `${sink.bytes().length} of ${expected().length + TABLES} bytes`
  )
  assert.ok(sink.bytes().subarray(TABLES).equals(expected()))
}

test('headers with contributing sources, extension and padding are stripped', async () => {
  const { port, sink } = await openPath()
  await sendAll(port, clipPackets(65_500, { isLong: true }))
  await assertUnchanged(sink)
  assert.equal(fixture.relay.report().source.lost, 0)
})

test('packets out of order are sorted and repeated ones are dropped', async () => {
  const { port, sink } = await openPath()
  const packets = clipPackets(65_500)
  const disordered = [packets.slice(0, 1)]
  // Groups of four arrive backwards, and the last of each twice.
  for (let index = 1; index < packets.length; index += 4) {
    const group = packets.slice(index, index + 4).reverse()
    disordered.push(group, group.slice(-1))
  }
  await sendAll(port, disordered.flat())
  await assertUnchanged(sink)
  const { lost, gaps } = fixture.relay.report().source
  assert.deepEqual({ lost, gaps }, { lost: 0, gaps: 0 })
})

test('missing packets are counted as lost', async () => {
  const { port, sink } = await openPath()
  const packets = clipPackets(100)
  await sendAll(port, [...packets.slice(0, 40), ...packets.slice(41, 80), ...packets.slice(83)])
  await until(() => sink.bytes().length >= expected().length + TABLES - 4 * DATAGRAM, 'the stream has arrived')
  await until(() => fixture.relay.report().source.lost === 4, 'the loss is reported')
  assert.ok(fixture.relay.report().source.gaps > 0)
})

test('a sender that restarts with another source identifier is a marked seam and no loss', async () => {
  const { port, sink } = await openPath()
  const packets = clipPackets(100)
  await sendAll(port, [...packets.slice(0, 60), ...clipPackets(40_000, { source: 0x9999 })])
  await until(
    () => sink.bytes().length >= 60 * DATAGRAM + expected().length,
    () => `${sink.bytes().length} bytes`
  )
  assert.deepEqual(checkStream(sink.bytes()).unmarked, [])
  const { lost, gaps } = fixture.relay.report().source
  assert.deepEqual({ lost, gaps }, { lost: 0, gaps: 0 })
})

test('both audio tracks of a real sender arrive', async () => {
  const { port, sink } = await openPath()
  const path = `${clipPath()}.tracks.ts`
  const sender = runProcess([
    ...['-v', 'error', '-re', '-i', clipPath(), '-map', '0:v', '-map', '0:a', '-map', '0:a', '-c', 'copy'],
    ...['-f', 'rtp_mpegts', `rtp://127.0.0.1:${port}?pkt_size=1328`]
  ])
  await sender.exited
  await until(() => sink.bytes().length > 100_000, 'the stream has arrived')
  writeFileSync(path, sink.bytes())
  const probe = runProcess(['-v', 'error', '-show_entries', 'stream=codec_type', '-of', 'csv=p=0', path], 'ffprobe')
  await probe.exited
  assert.deepEqual(probe.output().trim().split(/\s+/).slice(-3), ['video', 'audio', 'audio'])
  assert.deepEqual(fixture.relay.report().source.programs, [{ number: 1, streams: [27, 15, 15] }])
})

test('an RTP target gets consecutive sequence numbers and times of sending in one source', async () => {
  const { port, sink } = await openPath(true)
  await sendAll(port, clipPackets(0))
  await until(() => sink.bytes(HEADER).length >= expected().length + TABLES, 'the stream has arrived')
  const [first] = sink.datagrams
  let last = (first?.readUInt16BE(2) ?? 0) - 1
  for (const datagram of sink.datagrams) {
    assert.equal(datagram.readUInt16BE(0), 0x8021, 'version 2, payload type 33')
    assert.equal(datagram.readUInt16BE(2), ++last & 0xffff)
    assert.equal(datagram.readUInt32BE(8), first?.readUInt32BE(8))
    assert.ok((datagram.length - HEADER) % 188 === 0 && datagram.length <= HEADER + DATAGRAM)
  }
  const times = sink.datagrams.map((datagram) => (datagram.readUInt32BE(4) - (first?.readUInt32BE(4) ?? 0)) >>> 0)
  assert.ok(times.every((time, index) => index === 0 || time >= (times[index - 1] ?? 0)))
  assert.ok((times.at(-1) ?? 0) < 90_000 * 60)
})

test.run()
