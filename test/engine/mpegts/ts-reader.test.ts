import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { NULL_PACKETS } from '../../../engine/mpegts/packet.ts'
import { TsReader } from '../../../engine/mpegts/ts-reader.ts'
import { cleanUpMedia, clipPath } from '../../kit/engine/media.ts'

const test = suite('MPEG-TS packets')

let media: Buffer
test.before(() => {
  media = readFileSync(clipPath())
})
test.after(cleanUpMedia)

interface ReadResult {
  data: Buffer
  /** Offsets of the start points in `data`. */
  starts: number[]
  tables: Buffer | undefined
  revision: number
}

function readAll(chunks: Iterable<Buffer>): ReadResult {
  const parts: Buffer[] = []
  const starts: number[] = []
  let length = 0
  const reader = new TsReader((data, offsets) => {
    assert.equal(data.length % 188, 0)
    for (const offset of offsets) starts.push(length + offset)
    parts.push(data)
    length += data.length
  })
  for (const chunk of chunks) reader.push(chunk)
  return { data: Buffer.concat(parts), starts, tables: reader.tables(), revision: reader.revision() }
}

function* split(bytes: Buffer, size: () => number): Generator<Buffer> {
  for (let offset = 0; offset < bytes.length; ) {
    const next = offset + size()
    yield bytes.subarray(offset, next)
    offset = next
  }
}

/** Returns a packet of a PID with a payload at its end, padded by an adaptation field. */
function packet(pid: number, payload: readonly number[], flags = 0): Buffer {
  const bytes = Buffer.alloc(188, 0xff)
  bytes.set([0x47, 0x40 | (pid >> 8), pid & 255, 0x30, 183 - payload.length, flags])
  bytes.set(payload, 188 - payload.length)
  return bytes
}
const section = (pid: number, bytes: readonly number[]) => packet(pid, [0, ...bytes])
const pat = (pmt: number) => section(0, [0, 0xb0, 13, 0, 1, 0xc1, 0, 0, 0, 1, 0xe0 | (pmt >> 8), pmt & 255, 0, 0, 0, 0])
const pmt = (pid: number, streams: readonly [type: number, pid: number][]) =>
  section(pid, [
    ...[2, 0xb0, 13 + streams.length * 5, 0, 1, 0xc1, 0, 0, 0xe1, 0, 0xf0, 0],
    ...streams.flatMap(([type, at]) => [type, 0xe0 | (at >> 8), at & 255, 0xf0, 0]),
    ...[0, 0, 0, 0]
  ])
const frame = (pid: number, ...nals: number[]) =>
  packet(pid, [0, 0, 1, 0xe0, 0, 0, 0x80, 0, 0, ...nals.flatMap((nal) => [0, 0, 0, 1, nal]), 0])

test('every key frame and the tables of a real stream are found', () => {
  const { data, starts, tables } = readAll([media])
  assert.ok(data.equals(media))
  assert.equal(starts.length, Math.ceil(100 / 12))
  assert.equal(tables?.length, 2 * 188)
  assert.equal(tables?.readUInt16BE(1), 0x4000)
})

test('key frames are found without the random access flag', () => {
  const plain = Buffer.from(media)
  for (let offset = 0; offset < plain.length; offset += 188)
    if ((plain.readUInt8(offset + 3) & 0x20) !== 0 && plain.readUInt8(offset + 4) > 0)
      plain[offset + 5] = plain.readUInt8(offset + 5) & ~0x40
  assert.deepEqual(readAll([plain]).starts, readAll([media]).starts)
})

test('a stream is read the same wherever its chunks are split', () => {
  const part = media.subarray(0, 188 * 60)
  const whole = readAll([part])
  assert.ok(whole.starts.length > 0)
  for (let offset = 1; offset < 188 * 2; offset++) {
    const { data, starts } = readAll([part.subarray(0, offset), part.subarray(offset)])
    assert.ok(data.equals(part), `cut at ${offset}`)
    assert.deepEqual(starts, whole.starts, `cut at ${offset}`)
  }
})

test('a stream in random chunks or single bytes is read the same', () => {
  const whole = readAll([media])
  for (const largest of [1, 100, 5000]) {
    const { data, starts } = readAll(split(media, () => 1 + Math.floor(Math.random() * largest)))
    assert.ok(data.equals(media))
    assert.deepEqual(starts, whole.starts)
  }
})

test('garbage before and within a stream is skipped', () => {
  const garbage = Buffer.alloc(1000, 0x47).fill(0x11, 100, 900)
  const { data } = readAll([garbage, media.subarray(0, 18_800), Buffer.from('lost'), media.subarray(18_800, 37_600)])
  for (let offset = 0; offset < data.length; offset += 188) assert.equal(data[offset], 0x47)
  assert.ok(data.includes(media.subarray(188, 18_800 - 188)))
  assert.ok(data.includes(media.subarray(18_800 + 188, 37_600 - 188)))
})

test('missing packets are counted as gaps; duplicate packets, null packets and announced discontinuities are not', () => {
  const gapsOf = (bytes: Buffer) => {
    const reader = new TsReader(() => {})
    reader.push(bytes)
    return reader.continuityGaps()
  }
  assert.equal(gapsOf(media), 0)
  const packets = Array.from({ length: media.length / 188 }, (_, index) =>
    media.subarray(index * 188, index * 188 + 188)
  )
  const pidOf = (packet: Buffer) => packet.readUInt16BE(1) & 0x1fff
  const video = packets.findIndex(
    (packet, index) => index > 20 && pidOf(packet) === 256 && pidOf(packets[index + 1] ?? packet) === 256
  )
  const [before, one, after] = [packets.slice(0, video), packets[video] ?? media, packets.slice(video + 1)]
  assert.equal(gapsOf(Buffer.concat([...before, ...after])), 1)
  assert.equal(gapsOf(Buffer.concat([...before, ...after.slice(1)])), 1)
  assert.equal(gapsOf(Buffer.concat([...before, one, one, ...after])), 0)
  assert.equal(gapsOf(Buffer.concat([...before, NULL_PACKETS, one, NULL_PACKETS, ...after])), 0)
  const announced = Buffer.alloc(188, 0xff)
  announced.set([0x47, 1, 0, 0x30 | (((one[3] ?? 0) + 7) & 15), 1, 0x80])
  const renumbered = after.filter((next) => pidOf(next) !== 256)
  assert.equal(gapsOf(Buffer.concat([...before, one, announced, ...renumbered])), 0)
})

test('data that is not MPEG-TS has no start points and no tables', () => {
  const { starts, tables } = readAll([
    Buffer.from('HTTP/1.1 404 Not Found\r\n'.repeat(100)),
    Buffer.alloc(100_000, 0x47)
  ])
  assert.deepEqual(starts, [])
  assert.equal(tables, undefined)
})

test('the parameter sets of H.264, HEVC and MPEG-2 mark a start point, other frames do not', () => {
  const cases: [type: number, key: number[], other: number[]][] = [
    [0x1b, [9, 0x67], [9, 0x41]],
    [0x1b, [0x65], [6, 0x41]],
    [0x24, [70, 64], [70, 2]],
    [0x24, [38], [2]],
    [2, [0xb3], [0]]
  ]
  for (const [type, key, other] of cases) {
    const stream = [pat(256), pmt(256, [[type, 257]]), frame(257, ...other), frame(257, ...key), frame(257, ...other)]
    assert.deepEqual(readAll(stream).starts, [3 * 188], `type ${type}, ${key}`)
  }
})

test('a key frame before the tables is not a start point', () => {
  const stream = [frame(257, 0x65), pat(256), pmt(256, [[0x1b, 257]]), frame(257, 0x65)]
  assert.deepEqual(readAll(stream).starts, [3 * 188])
})

test('without video every frame of the first stream is a start point', () => {
  const stream = [pat(256), pmt(256, [[0x0f, 258]]), frame(258), frame(259), frame(258)]
  assert.deepEqual(readAll(stream).starts, [2 * 188, 4 * 188])
})

test('video is chosen even where audio is listed first', () => {
  const tables = pmt(256, [
    [0x0f, 258],
    [0x1b, 257]
  ])
  assert.deepEqual(readAll([pat(256), tables, frame(258), frame(257, 0x65)]).starts, [3 * 188])
})

test('a stream without key frames gets start points after a while', () => {
  const stream = [pat(256), pmt(256, [[0x1b, 257]]), ...Array.from({ length: 700 }, () => frame(257, 0x41))]
  const { starts } = readAll(stream)
  assert.ok(starts.length > 50 && starts.length < 150, String(starts.length))
})

test('changed tables increase the revision, repeated ones do not', () => {
  const first = [pat(256), pmt(256, [[0x1b, 257]])]
  assert.equal(readAll([...first, ...first]).revision, 0)
  const { revision, starts } = readAll([...first, pmt(256, [[0x24, 300]]), frame(257, 0x65), frame(300, 38)])
  assert.equal(revision, 1)
  assert.deepEqual(starts, [4 * 188])
})

test('a table longer than a packet is reassembled', () => {
  const streams = Array.from({ length: 60 }, (_, index): [number, number] => [index === 59 ? 0x1b : 6, 300 + index])
  const body = pmtBody(streams)
  const first = Buffer.alloc(188, 0xff)
  first.set([0x47, 0x41, 0, 0x10, 0, ...body.slice(0, 183)])
  const second = Buffer.alloc(188, 0xff)
  second.set([0x47, 0x01, 0, 0x11, ...body.slice(183)])
  const { tables, starts } = readAll([pat(256), first, second, frame(359, 0x65)])
  assert.equal(tables?.length, 3 * 188)
  assert.deepEqual(starts, [3 * 188])
})

function pmtBody(streams: readonly [number, number][]): number[] {
  const length = 13 + streams.length * 5
  return [
    ...[2, 0xb0 | (length >> 8), length & 255, 0, 1, 0xc1, 0, 0, 0xe1, 0, 0xf0, 0],
    ...streams.flatMap(([type, at]) => [type, 0xe0 | (at >> 8), at & 255, 0xf0, 0]),
    ...[0, 0, 0, 0]
  ]
}

test('null packets have no start points and no tables', () => {
  const { data, starts, tables } = readAll([NULL_PACKETS])
  assert.equal(data.length, 1316)
  assert.deepEqual([starts, tables], [[], undefined])
})

test('corrupt tables and adaptation fields cause no error', () => {
  for (let round = 0; round < 20_000; round++) {
    const broken = Buffer.from([pat(256), pmt(256, [[0x1b, 257]]), frame(257, 0x65)][round % 3] as Buffer)
    for (let hits = 0; hits < 4; hits++) broken[4 + Math.floor(Math.random() * 184)] = Math.floor(Math.random() * 256)
    readAll([pat(256), pmt(256, [[0x1b, 257]]), broken, broken])
  }
})

test.run()
