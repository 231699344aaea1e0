import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import { createTsReader } from '../../../engine/mpegts/packets.ts'
import { createSplice } from '../../../engine/mpegts/splice.ts'

const test = suite('splice')

const PACKET = 188

interface Look {
  size?: string
  /** Options of the muxer. */
  mux?: string[]
  video?: string[]
  sound?: boolean
}

/** A clip of 2 s, a key frame every half second, as MPEG-TS. */
function clip({
  size = '160x90',
  mux = [],
  video = ['libx264', '-preset', 'ultrafast'],
  sound = true
}: Look = {}): Buffer {
  const made = spawnSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=s=${size}:r=25`],
    ...(sound ? ['-f', 'lavfi', '-i', 'sine=f=440:r=44100', '-c:a', 'aac'] : []),
    ...['-t', '2', '-c:v', ...video, '-g', '12', '-pix_fmt', 'yuv420p', '-muxdelay', '0'],
    ...[...mux, '-f', 'mpegts', 'pipe:1']
  ])
  assert.equal(made.status, 0, String(made.stderr))
  return made.stdout
}

function bench() {
  const out: Buffer[] = []
  const state = { now: 1000, different: 0 }
  const splice = createSplice(
    {
      media(data, starts, tables) {
        for (const start of starts) assert.ok(isStart(data.subarray(start, start + PACKET)), `no start at ${start}`)
        if (out.length === 0) out.push(tables)
        out.push(data)
      },
      different: () => state.different++
    },
    () => state.now
  )
  return {
    state,
    splice,
    /** Gives a stream, as it came from a pipe: cut anywhere, while time passes. */
    give(bytes: Buffer, part = 1000): void {
      const reader = createTsReader((data, starts) => {
        const tables = reader.tables()
        if (tables) splice.take(data, starts, tables)
      })
      const step = 2000 / Math.ceil(bytes.length / part)
      for (let at = 0; at < bytes.length; at += part) {
        reader.push(bytes.subarray(at, at + part))
        state.now += step
      }
    },
    all: () => Buffer.concat(out)
  }
}

const isStart = (packet: Buffer) => packet[0] === 0x47 && ((packet[1] ?? 0) & 0x40) !== 0

/** What an independent reader finds. */
function probe(bytes: Buffer): { pid: number; codec: string; dts: number[]; sizes: Set<string> }[] {
  const read = spawnSync(
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
  assert.equal(String(read.stderr), '')
  const { packets, streams } = JSON.parse(String(read.stdout))
  return streams.map((stream: { index: number; id: string; codec_name: string }) => ({
    pid: Number(stream.id),
    codec: stream.codec_name,
    dts: packets
      .filter((packet: { stream_index: number }) => packet.stream_index === stream.index)
      .map((packet: { dts: number }) => packet.dts)
  }))
}

function grow(times: readonly number[]): void {
  times.forEach((time, at) => {
    const before = times[at - 1]
    if (before !== undefined) assert.ok(time > before, `${time} after ${before}, the ${at}th`)
  })
}

/** Demands that on each PID every packet with a payload is counted one on, and answers on how many of them another stream begins. */
function counters(bytes: Buffer): number {
  const last = new Map<number, number>()
  let marks = 0
  for (let at = 0; at < bytes.length; at += PACKET) {
    const packet = bytes.subarray(at, at + PACKET)
    assert.equal(packet[0], 0x47)
    const pid = packet.readUInt16BE(1) & 0x1fff
    const control = packet[3] ?? 0
    const before = last.get(pid)
    const carries = (control & 0x10) !== 0
    if ((control & 0x20) !== 0 && (packet[4] ?? 0) > 0 && ((packet[5] ?? 0) & 0x80) !== 0) marks++
    // The tables that an output gives itself repeat the last ones.
    if (before !== undefined && !(pid === 0 || pid === 0x1000 || pid === 0x1fff))
      assert.equal(control & 15, (before + (carries ? 1 : 0)) & 15, `PID ${pid} at ${at / PACKET}`)
    last.set(pid, control & 15)
  }
  return marks
}

test('the first stream passes as it is, but for tables that are written anew', () => {
  const { give, all } = bench()
  const bytes = clip()
  give(bytes)
  const [video, audio] = probe(all())
  const [wasVideo, wasAudio] = probe(bytes)
  assert.deepEqual([video?.pid, audio?.pid, video?.codec, audio?.codec], [256, 257, 'h264', 'aac'])
  assert.deepEqual(video?.dts, wasVideo?.dts)
  assert.deepEqual(audio?.dts, wasAudio?.dts.slice(-(audio?.dts.length ?? 0)))
  assert.equal(counters(all()), 0)
})

test('streams with other PIDs, sizes and times follow each other on the same PIDs, with times that only grow', () => {
  const { give, all, splice, state } = bench()
  const other = clip({
    size: '320x180',
    mux: ['-mpegts_start_pid', '0x300', '-mpegts_pmt_start_pid', '0x200', '-output_ts_offset', '9000']
  })
  const first = clip()
  give(first)
  splice.cut()
  state.now += 3000
  give(other, 5000)
  splice.cut()
  give(first)
  const [video, audio, ...more] = probe(all())
  assert.deepEqual([video?.pid, audio?.pid, more.length], [256, 257, 0])
  assert.equal(video?.dts.length, 150)
  assert.ok((audio?.dts.length ?? 0) > 230, `${audio?.dts.length} frames of sound`)
  grow(video?.dts ?? [])
  grow(audio?.dts ?? [])
  const gaps = (video?.dts ?? []).map((time, at, all) => (at === 0 ? 0 : time - (all[at - 1] ?? 0)) / 90)
  // Three seconds passed without a picture, and then none.
  assert.deepEqual(
    gaps.filter((gap) => gap > 500).map((gap) => Math.round(gap / 1000)),
    [3]
  )
  // On picture and sound of both that follow.
  assert.equal(counters(all()), 4)
  assert.equal(state.different, 0)
})

test('the clock reference only grows, and stays before the times that it is for', () => {
  const { give, all, splice } = bench()
  const first = clip()
  give(first)
  for (const offset of ['0', '95000', '3']) {
    splice.cut()
    give(clip({ mux: ['-output_ts_offset', offset, '-muxdelay', '0.7'] }))
  }
  const bytes = all()
  let last = -1
  let count = 0
  for (let at = 0; at < bytes.length; at += PACKET) {
    const packet = bytes.subarray(at, at + PACKET)
    if (((packet[3] ?? 0) & 0x20) === 0 || (packet[4] ?? 0) < 7 || ((packet[5] ?? 0) & 0x10) === 0) continue
    const pcr = packet.readUInt32BE(6) * 2 + ((packet[10] ?? 0) >> 7)
    assert.ok(pcr > last, `${pcr} after ${last}`)
    last = pcr
    count++
  }
  assert.ok(count > 50, `${count} references`)
})

test('a stream whose times begin anew without being told is joined again', () => {
  const { give, all, state } = bench()
  const first = clip({ mux: ['-output_ts_offset', '500'] })
  const second = clip({ mux: ['-output_ts_offset', '20'] })
  give(Buffer.concat([first, second, first]))
  const [video, audio] = probe(all())
  grow(video?.dts ?? [])
  grow(audio?.dts ?? [])
  assert.ok((video?.dts.length ?? 0) >= 145, `${video?.dts.length} pictures`)
  assert.ok((video?.dts.at(-1) ?? 0) - (video?.dts[0] ?? 0) < 9 * 90_000)
  assert.equal(state.different, 0)
})

test('other codecs or tracks are told of before they come', () => {
  const { give, splice, state } = bench()
  give(clip())
  splice.cut()
  give(clip({ sound: false }))
  assert.equal(state.different, 1)
  assert.deepEqual(splice.types(), [27])
  splice.cut()
  give(clip({ video: ['mpeg2video'] }))
  assert.equal(state.different, 2)
  assert.deepEqual(splice.types(), [2, 15])
})

test('times go on over the end of their 33 bits', () => {
  const { give, all, splice } = bench()
  // 95,443.7 s is where they begin anew.
  give(clip({ mux: ['-output_ts_offset', '95441'] }))
  splice.cut()
  give(clip())
  splice.cut()
  give(clip())
  const [video] = probe(all())
  assert.equal(video?.dts.length, 150)
  grow(video?.dts ?? [])
})

test('nothing is given before a decoder can start', () => {
  const { give, all } = bench()
  const bytes = clip()
  // Without its first half second, tables and all.
  give(bytes.subarray(Math.floor(bytes.length / 4 / PACKET) * PACKET))
  const [video] = probe(all())
  assert.equal((video?.dts.length ?? 0) % 12, 2)
})

test.run()
