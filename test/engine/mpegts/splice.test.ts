import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import { Splice } from '../../../engine/mpegts/splice.ts'
import { TsReader } from '../../../engine/mpegts/ts-reader.ts'

const test = suite('splice')

const PACKET_BYTES = 188

interface ClipOptions {
  size?: string
  /** Options of the muxer. */
  mux?: string[]
  video?: string[]
  audio?: boolean
}

/** Encodes a clip of 2 s with a key frame every half second, as MPEG-TS. */
function encodeClip({
  size = '160x90',
  mux = [],
  video = ['libx264', '-preset', 'ultrafast'],
  audio = true
}: ClipOptions = {}): Buffer {
  const encoder = spawnSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=s=${size}:r=25`],
    ...(audio ? ['-f', 'lavfi', '-i', 'sine=f=440:r=44100', '-c:a', 'aac'] : []),
    ...['-t', '2', '-c:v', ...video, '-g', '12', '-pix_fmt', 'yuv420p', '-muxdelay', '0'],
    ...[...mux, '-f', 'mpegts', 'pipe:1']
  ])
  assert.equal(encoder.status, 0, String(encoder.stderr))
  return encoder.stdout
}

/** Creates a splice with a simulated clock, and collects its output. */
function createSpliceFixture() {
  const out: Buffer[] = []
  const state = { now: 1000, layoutChanges: 0 }
  const splice = new Splice(
    {
      media(data, starts, tables) {
        for (const start of starts)
          assert.ok(isStart(data.subarray(start, start + PACKET_BYTES)), `no packet start at ${start}`)
        if (out.length === 0) out.push(tables)
        out.push(Buffer.from(data))
      },
      onLayoutChange: () => state.layoutChanges++
    },
    () => state.now
  )
  return {
    state,
    splice,
    /** Pushes a clip in chunks of any size, and advances the clock by its duration. */
    push(bytes: Buffer, chunkBytes = 1000): void {
      const reader = new TsReader((data, starts) => {
        const tables = reader.tables()
        if (tables) splice.push(data, starts, tables)
      })
      const step = 2000 / Math.ceil(bytes.length / chunkBytes)
      for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
        reader.push(bytes.subarray(offset, offset + chunkBytes))
        state.now += step
      }
    },
    output: () => Buffer.concat(out)
  }
}

const isStart = (packet: Buffer) => packet[0] === 0x47 && ((packet[1] ?? 0) & 0x40) !== 0

/** Returns the streams as ffprobe reads them. */
function probe(bytes: Buffer): { pid: number; codec: string; dts: number[]; sizes: Set<string> }[] {
  const probe = spawnSync(
    'ffprobe',
    [
      '-v',
      'error',
      '-show_entries',
      'packet=stream_index,dts:stream=index,id,codec_name',
      '-of',
      'json',
      '-f',
      'mpegts',
      'pipe:0'
    ],
    { input: bytes, maxBuffer: 64 << 20 }
  )
  assert.equal(String(probe.stderr), '')
  const { packets, streams } = JSON.parse(String(probe.stdout))
  return streams.map((stream: { index: number; id: string; codec_name: string }) => ({
    pid: Number(stream.id),
    codec: stream.codec_name,
    dts: packets
      .filter((packet: { stream_index: number }) => packet.stream_index === stream.index)
      .map((packet: { dts: number }) => packet.dts)
  }))
}

function assertIncreasing(times: readonly number[]): void {
  times.forEach((time, index) => {
    const before = times[index - 1]
    if (before !== undefined) assert.ok(time > before, `${time} after ${before}, the ${index}th`)
  })
}

/**
 * Checks that the continuity counters of each PID have no gaps. @returns the number of packets with a discontinuity
 * flag
 */
function checkContinuity(bytes: Buffer): number {
  const last = new Map<number, number>()
  let discontinuities = 0
  for (let offset = 0; offset < bytes.length; offset += PACKET_BYTES) {
    const packet = bytes.subarray(offset, offset + PACKET_BYTES)
    assert.equal(packet[0], 0x47)
    const pid = packet.readUInt16BE(1) & 0x1fff
    const control = packet[3] ?? 0
    const before = last.get(pid)
    const carries = (control & 0x10) !== 0
    if ((control & 0x20) !== 0 && (packet[4] ?? 0) > 0 && ((packet[5] ?? 0) & 0x80) !== 0) discontinuities++
    // An output repeats the last tables with the same counters.
    if (before !== undefined && !(pid === 0 || pid === 0x1000 || pid === 0x1fff))
      assert.equal(control & 15, (before + (carries ? 1 : 0)) & 15, `PID ${pid} at ${offset / PACKET_BYTES}`)
    last.set(pid, control & 15)
  }
  return discontinuities
}

test('the first stream passes unchanged except for its tables, which are rewritten', () => {
  const { push, output } = createSpliceFixture()
  const bytes = encodeClip()
  push(bytes)
  const [video, audio] = probe(output())
  const [wasVideo, wasAudio] = probe(bytes)
  assert.deepEqual([video?.pid, audio?.pid, video?.codec, audio?.codec], [256, 257, 'h264', 'aac'])
  assert.deepEqual(video?.dts, wasVideo?.dts)
  assert.deepEqual(audio?.dts, wasAudio?.dts.slice(-(audio?.dts.length ?? 0)))
  assert.equal(checkContinuity(output()), 0)
})

test('streams with other PIDs, sizes and times continue on the same PIDs with increasing times', () => {
  const { push, output, splice, state } = createSpliceFixture()
  const other = encodeClip({
    size: '320x180',
    mux: ['-mpegts_start_pid', '0x300', '-mpegts_pmt_start_pid', '0x200', '-output_ts_offset', '9000']
  })
  const first = encodeClip()
  push(first)
  splice.cut()
  state.now += 3000
  push(other, 5000)
  splice.cut()
  push(first)
  const [video, audio, ...more] = probe(output())
  assert.deepEqual([video?.pid, audio?.pid, more.length], [256, 257, 0])
  assert.equal(video?.dts.length, 150)
  assert.ok((audio?.dts.length ?? 0) > 230, `${audio?.dts.length} audio frames`)
  assertIncreasing(video?.dts ?? [])
  assertIncreasing(audio?.dts ?? [])
  const gaps = (video?.dts ?? []).map((time, index, all) => (index === 0 ? 0 : time - (all[index - 1] ?? 0)) / 90)
  // Three seconds without a frame at the first cut, and no gap at the second.
  assert.deepEqual(
    gaps.filter((gap) => gap > 500).map((gap) => Math.round(gap / 1000)),
    [3]
  )
  // One on video and one on audio for each of the two cuts.
  assert.equal(checkContinuity(output()), 4)
  assert.equal(state.layoutChanges, 0)
})

test('the clock reference increases across cuts', () => {
  const { push, output, splice } = createSpliceFixture()
  const first = encodeClip()
  push(first)
  for (const offset of ['0', '95000', '3']) {
    splice.cut()
    push(encodeClip({ mux: ['-output_ts_offset', offset, '-muxdelay', '0.7'] }))
  }
  const bytes = output()
  let last = -1
  let count = 0
  for (let offset = 0; offset < bytes.length; offset += PACKET_BYTES) {
    const packet = bytes.subarray(offset, offset + PACKET_BYTES)
    if (((packet[3] ?? 0) & 0x20) === 0 || (packet[4] ?? 0) < 7 || ((packet[5] ?? 0) & 0x10) === 0) continue
    const pcr = packet.readUInt32BE(6) * 2 + ((packet[10] ?? 0) >> 7)
    assert.ok(pcr > last, `${pcr} after ${last}`)
    last = pcr
    count++
  }
  assert.ok(count > 50, `${count} clock references`)
})

test('a stream whose times jump back without a cut continues with increasing times', () => {
  const { push, output, state } = createSpliceFixture()
  const first = encodeClip({ mux: ['-output_ts_offset', '500'] })
  const second = encodeClip({ mux: ['-output_ts_offset', '20'] })
  push(Buffer.concat([first, second, first]))
  const [video, audio] = probe(output())
  assertIncreasing(video?.dts ?? [])
  assertIncreasing(audio?.dts ?? [])
  assert.ok((video?.dts.length ?? 0) >= 145, `${video?.dts.length} frames`)
  assert.ok((video?.dts.at(-1) ?? 0) - (video?.dts[0] ?? 0) < 9 * 90_000)
  assert.equal(state.layoutChanges, 0)
})

test('a change of codecs or tracks is reported', () => {
  const { push, splice, state } = createSpliceFixture()
  push(encodeClip())
  splice.cut()
  push(encodeClip({ audio: false }))
  assert.equal(state.layoutChanges, 1)
  assert.deepEqual(splice.streamTypes(), [27])
  splice.cut()
  push(encodeClip({ video: ['mpeg2video'] }))
  assert.equal(state.layoutChanges, 2)
  assert.deepEqual(splice.streamTypes(), [2, 15])
})

test('times continue across the wraparound of their 33 bits', () => {
  const { push, output, splice } = createSpliceFixture()
  // They wrap around at 95,443.7 s.
  push(encodeClip({ mux: ['-output_ts_offset', '95441'] }))
  splice.cut()
  push(encodeClip())
  splice.cut()
  push(encodeClip())
  const [video] = probe(output())
  assert.equal(video?.dts.length, 150)
  assertIncreasing(video?.dts ?? [])
})

test('nothing passes before a point where a decoder can start', () => {
  const { push, output } = createSpliceFixture()
  const bytes = encodeClip()
  // Without the first half second and its tables.
  push(bytes.subarray(Math.floor(bytes.length / 4 / PACKET_BYTES) * PACKET_BYTES))
  const [video] = probe(output())
  assert.equal((video?.dts.length ?? 0) % 12, 2)
})

/** Encodes clips with the same codecs whose times start at the given seconds. */
const encodeClips = (...seconds: number[]) =>
  seconds.map((second) => encodeClip({ mux: ['-output_ts_offset', String(second)] }))

test('a source whose times jump forwards by as much as the clock, after a pause of the engine, continues', () => {
  const { push, output, state } = createSpliceFixture()
  const [before, after] = encodeClips(10, 32)
  push(before ?? Buffer.alloc(0))
  state.now += 20_000
  push(after ?? Buffer.alloc(0))
  const [video, audio] = probe(output())
  assert.equal(video?.dts.length, 100)
  assertIncreasing(video?.dts ?? [])
  assertIncreasing(audio?.dts ?? [])
  assert.equal(Math.round(((video?.dts.at(-1) ?? 0) - (video?.dts[0] ?? 0)) / 90_000), 24)
  assert.ok(checkContinuity(output()) >= 2)
})

test('many jumps in the packets of one call are joined without nested calls', () => {
  const { push, output, state } = createSpliceFixture()
  const clips = encodeClips(10, 500)
  push(clips[0] ?? Buffer.alloc(0))
  state.now += 60_000
  push(Buffer.concat(Array.from({ length: 40 }, (_, index) => clips[(index + 1) % 2] ?? Buffer.alloc(0))), 1 << 30)
  const [video] = probe(output())
  assert.equal(video?.dts.length, 41 * 50)
  assertIncreasing(video?.dts ?? [])
})

test('a source that returns after 20 hours, which is beyond half the range of the times, continues', () => {
  const { push, output, splice, state } = createSpliceFixture()
  const [clip] = encodeClips(10)
  push(clip ?? Buffer.alloc(0))
  splice.cut()
  state.now += 20 * 3_600_000
  push(clip ?? Buffer.alloc(0))
  const [video, audio] = probe(output())
  assert.deepEqual([video?.dts.length, (audio?.dts.length ?? 0) > 150], [100, true])
})

test.run()
