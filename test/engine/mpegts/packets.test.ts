import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { createTsReader, NULL_PACKETS } from '../../../engine/mpegts/packets.ts'
import { clip, endAll } from '../media.ts'

const test = suite('ts')

let media: Buffer
test.before(() => {
  media = readFileSync(clip())
})
test.after(endAll)

interface Read {
  data: Buffer
  /** Offsets of the start points in `data`. */
  starts: number[]
  tables: Buffer | undefined
  revision: number
}

function readAll(chunks: Iterable<Buffer>): Read {
  const parts: Buffer[] = []
  const starts: number[] = []
  let length = 0
  const reader = createTsReader((data, found) => {
    assert.equal(data.length % 188, 0)
    for (const at of found) starts.push(length + at)
    parts.push(data)
    length += data.length
  })
  for (const chunk of chunks) reader.push(chunk)
  return { data: Buffer.concat(parts), starts, tables: reader.tables(), revision: reader.revision() }
}

function* cut(bytes: Buffer, size: () => number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const next = at + size()
    yield bytes.subarray(at, next)
    at = next
  }
}

/** A packet of `pid` with `payload` at its end, filled up by an adaptation field. */
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

test('every key frame of a real stream is found, and its tables', () => {
  const { data, starts, tables } = readAll([media])
  assert.ok(data.equals(media))
  assert.equal(starts.length, Math.ceil(100 / 12))
  assert.equal(tables?.length, 2 * 188)
  assert.equal(tables?.readUInt16BE(1), 0x4000)
})

test('key frames are found without the random access flag too', () => {
  const plain = Buffer.from(media)
  for (let at = 0; at < plain.length; at += 188)
    if ((plain.readUInt8(at + 3) & 0x20) !== 0 && plain.readUInt8(at + 4) > 0)
      plain[at + 5] = plain.readUInt8(at + 5) & ~0x40
  assert.deepEqual(readAll([plain]).starts, readAll([media]).starts)
})

test('one stream cut at every offset of its packets reads the same', () => {
  const part = media.subarray(0, 188 * 60)
  const whole = readAll([part])
  assert.ok(whole.starts.length > 0)
  for (let offset = 1; offset < 188 * 2; offset++) {
    const { data, starts } = readAll([part.subarray(0, offset), part.subarray(offset)])
    assert.ok(data.equals(part), `cut at ${offset}`)
    assert.deepEqual(starts, whole.starts, `cut at ${offset}`)
  }
})

test('random cuts and single bytes read the same', () => {
  const whole = readAll([media])
  for (const largest of [1, 100, 5000]) {
    const { data, starts } = readAll(cut(media, () => 1 + Math.floor(Math.random() * largest)))
    assert.ok(data.equals(media))
    assert.deepEqual(starts, whole.starts)
  }
})

test('garbage before and within a stream is left out', () => {
  const garbage = Buffer.alloc(1000, 0x47).fill(0x11, 100, 900)
  const { data } = readAll([garbage, media.subarray(0, 18_800), Buffer.from('lost'), media.subarray(18_800, 37_600)])
  for (let at = 0; at < data.length; at += 188) assert.equal(data[at], 0x47)
  assert.ok(data.includes(media.subarray(188, 18_800 - 188)))
  assert.ok(data.includes(media.subarray(18_800 + 188, 37_600 - 188)))
})

test('what is missing shows as gaps of the counters; what comes twice, is null or is announced does not', () => {
  const gapsOf = (bytes: Buffer) => {
    const reader = createTsReader(() => {})
    reader.push(bytes)
    return reader.gaps()
  }
  assert.equal(gapsOf(media), 0)
  const packets = Array.from({ length: media.length / 188 }, (_, at) => media.subarray(at * 188, at * 188 + 188))
  const pidOf = (one: Buffer) => one.readUInt16BE(1) & 0x1fff
  const video = packets.findIndex((one, at) => at > 20 && pidOf(one) === 256 && pidOf(packets[at + 1] ?? one) === 256)
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

test('what is no stream yields nothing to start with', () => {
  const { starts, tables } = readAll([
    Buffer.from('HTTP/1.1 404 Not Found\r\n'.repeat(100)),
    Buffer.alloc(100_000, 0x47)
  ])
  assert.deepEqual(starts, [])
  assert.equal(tables, undefined)
})

test('the parameter sets of H.264, HEVC and MPEG-2 mark a start, other frames do not', () => {
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

test('a key frame before the tables is not a start', () => {
  const stream = [frame(257, 0x65), pat(256), pmt(256, [[0x1b, 257]]), frame(257, 0x65)]
  assert.deepEqual(readAll(stream).starts, [3 * 188])
})

test('without video any frame of the first stream is a start', () => {
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

test('an encoder that never makes a key frame is carried all the same, in time', () => {
  const stream = [pat(256), pmt(256, [[0x1b, 257]]), ...Array.from({ length: 700 }, () => frame(257, 0x41))]
  const { starts } = readAll(stream)
  assert.ok(starts.length > 50 && starts.length < 150, String(starts.length))
})

test('other tables are another revision, the same ones are not', () => {
  const first = [pat(256), pmt(256, [[0x1b, 257]])]
  assert.equal(readAll([...first, ...first]).revision, 0)
  const { revision, starts } = readAll([...first, pmt(256, [[0x24, 300]]), frame(257, 0x65), frame(300, 38)])
  assert.equal(revision, 1)
  assert.deepEqual(starts, [4 * 188])
})

test('a table longer than a packet is put together, and kept whole', () => {
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

test('null packets are packets that carry nothing', () => {
  const { data, starts, tables } = readAll([NULL_PACKETS])
  assert.equal(data.length, 1316)
  assert.deepEqual([starts, tables], [[], undefined])
})

test('broken tables and fields harm nothing', () => {
  for (let round = 0; round < 20_000; round++) {
    const broken = Buffer.from([pat(256), pmt(256, [[0x1b, 257]]), frame(257, 0x65)][round % 3] as Buffer)
    for (let hits = 0; hits < 4; hits++) broken[4 + Math.floor(Math.random() * 184)] = Math.floor(Math.random() * 256)
    readAll([pat(256), pmt(256, [[0x1b, 257]]), broken, broken])
  }
})

test.run()
