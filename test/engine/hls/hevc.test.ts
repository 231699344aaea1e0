// HLS outputs of HEVC: fragmented MP4, read by ffmpeg.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { CONNECTION_STATE, HTTP } from '../../../contract/stream/protocols.ts'
import { isSameSps, readSps } from '../../../engine/hls/parameter-sets.ts'
import { createHlsRecorder, type HlsRecorder } from '../../../engine/hls/recorder.ts'
import { SegmentStore } from '../../../engine/hls/segment-store.ts'
import type { Launch, Launcher } from '../../../engine/interfaces/launcher.ts'
import { TsReader } from '../../../engine/mpegts/ts-reader.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { createHlsHandler } from '../../../hub/http/hls.ts'
import type { HttpServer } from '../../../web-server/server.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { hlsFilesOf } from '../../kit/engine/hls-fetch.ts'
import { clipPath, runProcess } from '../../kit/engine/media.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { serve } from '../../kit/hub/web-server.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('HLS output of HEVC')
/** The list is long, so that a player on a busy machine skips no segment. */
const CONFIG = { key: 'HLS-1', 'seg-count': 20, 'seg-duration': 1 }
/** Seconds of a clip, and of one of its groups of pictures. */
const CLIP_DURATION = 6
const GOP = 0.5

let web: HttpServer
fixtureForEach(test)
test.before.each(async () => {
  const hls = createHlsHandler(hlsFilesOf(fixture.engine))
  web = await serve((request, { address }) => hls(request, address))
})
test.after.each(() => web.close())

/** Encodes a clip of HEVC with a key frame every half second and B-frames, and returns its path. */
function encodeClip(seconds: number, ...audio: string[]): string {
  return encodeSizedClip('160x90', seconds, ...audio)
}

function encodeSizedClip(size: string, seconds: number, ...audio: string[]): string {
  const path = `${clipPath()}.${size}-${seconds}-${audio.join('-')}.ts`
  const keyFrames = ['-force_key_frames', `expr:gte(t,n_forced*${GOP})`, '-pix_fmt', 'yuv420p']
  const { status, stderr } = spawnSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=s=${size}:r=25`, '-f', 'lavfi', '-i', 'sine=r=48000'],
    ...['-t', String(seconds), '-map', '0:v', ...audio.flatMap(() => ['-map', '1:a'])],
    ...['-c:v', 'libx265', '-x265-params', 'log-level=error', '-preset', 'ultrafast', '-bf', '2', ...keyFrames],
    ...audio.flatMap((codec, index) => [`-c:a:${index}`, codec]),
    ...['-muxdelay', '0', '-f', 'mpegts', '-y', path]
  ])
  assert.equal(status, 0, String(stderr))
  return path
}

/** A recorder outside of an engine. `pushClip` passes a clip to it at once. */
function createRecorder(launcher: Launcher, now: () => number = () => performance.now()) {
  const store = new SegmentStore(CONFIG, { sequence: 100, run: '7' })
  let changes = 0
  const onChange = () => changes++
  const recorder = createHlsRecorder(
    CONFIG,
    { launcher, now, timeouts: { stall: 10_000, start: 10_000 }, kbps: () => 100_000, onChange },
    store
  )
  return { store, recorder, changes: () => changes }
}

function pushClip(recorder: HlsRecorder, path: string): void {
  let tables: Buffer = Buffer.alloc(0)
  const reader = new TsReader((data, starts) => {
    const newest = reader.tables() ?? tables
    if (!newest.equals(tables)) tables = newest
    recorder.media(data, starts, tables)
  })
  reader.push(readFileSync(path))
}

const listNames = (store: SegmentStore) => (store.playlist() ?? '').match(/^\d+\.\w+$/gm) ?? []
const listDurations = (store: SegmentStore) =>
  [...(store.playlist() ?? '').matchAll(/EXTINF:([\d.]+)/g)].map((match) => Number(match[1]))
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Presentation times of the packets of a stream, sorted. */
function probeTimes(stream: 'v' | 'a:0', input: string | Buffer): number[] {
  const { stdout } = spawnSync(
    'ffprobe',
    [
      ...['-v', 'error', '-select_streams', stream, '-show_entries', 'packet=pts_time', '-of', 'csv=p=0'],
      typeof input === 'string' ? input : '-'
    ],
    { ...(typeof input !== 'string' && { input }), encoding: 'utf8', maxBuffer: 1 << 24 }
  )
  return stdout
    .split('\n')
    .filter(Boolean)
    .map(Number.parseFloat)
    .sort((a, b) => a - b)
}

function assertContinuous(times: readonly number[], distance: number): void {
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  const others = gaps.flatMap((gap, index) =>
    Math.abs(gap - distance) < 0.002 ? [] : [`${gap} after ${times[index]}`]
  )
  assert.deepEqual(others, [])
  assert.ok(times.length > 10)
}

/** Returns the initialization segment with all listed segments, as a player puts them together. */
const joinFiles = (store: SegmentStore, init: string) =>
  Buffer.concat([init, ...listNames(store)].map((name) => store.segment(name)?.bytes ?? Buffer.alloc(0)))

test('HEVC becomes segments of fragmented MP4 that are continuous and as long as the stream', async () => {
  const { store, recorder } = createRecorder(createLauncher())
  pushClip(recorder, encodeClip(CLIP_DURATION, 'aac', 'ac3'))
  recorder.end()
  await until(
    () => Math.abs(sum(listDurations(store)) - CLIP_DURATION) < 0.01,
    () => `all is stored: ${store.playlist()}`
  )
  const lines = (store.playlist() ?? '').split('\n')
  assert.deepEqual(lines.slice(0, 11), [
    ...['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:1', '#EXT-X-MEDIA-SEQUENCE:100'],
    ...['#EXT-X-DISCONTINUITY-SEQUENCE:100', '#EXT-X-INDEPENDENT-SEGMENTS', '#EXT-X-DISCONTINUITY'],
    ...['#EXT-X-MAP:URI="1007.mp4"', '#EXTINF:1.000,', '1007.m4s', '#EXTINF:1.000,']
  ])
  const file = joinFiles(store, '1007.mp4')
  const probe = spawnSync(
    'ffprobe',
    ['-v', 'error', '-show_entries', 'stream=codec_name,codec_tag_string', '-of', 'csv=p=0', '-'],
    { input: file, encoding: 'utf8' }
  )
  assert.deepEqual(probe.stdout.match(/^\w+,[\w-]+/gm), ['hevc,hvc1', 'aac,mp4a', 'ac3,ac-3'])
  assertContinuous(probeTimes('v', file), 1 / 25)
  assert.equal(probeTimes('v', file).length, 25 * CLIP_DURATION)
  // The first packet fills the time before the first picture.
  assertContinuous(probeTimes('a:0', file).slice(1), 1024 / 48_000)
  const decoder = spawnSync('ffmpeg', ['-v', 'error', '-i', '-', '-f', 'null', '-'], { input: file, encoding: 'utf8' })
  assert.equal(decoder.stderr, '')
  for (const name of listNames(store)) {
    // Each segment is decodable alone.
    const input = Buffer.concat(['1007.mp4', name].map((part) => store.segment(part)?.bytes ?? Buffer.alloc(0)))
    const { stderr } = spawnSync('ffmpeg', ['-v', 'error', '-i', '-', '-map', 'v', '-f', 'null', '-'], {
      input,
      encoding: 'utf8'
    })
    assert.equal(stderr, '', name)
  }
  await recorder.close()
})

test('another stream has another initialization segment, and a change of the codec changes the format', async () => {
  const launcher = createLauncher()
  const { store, recorder } = createRecorder(launcher)
  const hevc = encodeClip(CLIP_DURATION, 'aac')
  pushClip(recorder, hevc)
  recorder.end()
  // The second one starts while ffmpeg still writes the first one.
  pushClip(recorder, hevc)
  recorder.end()
  await until(
    () => Math.abs(sum(listDurations(store)) - 2 * CLIP_DURATION) < 0.02,
    () => `both are stored: ${store.playlist()}`
  )
  const half = listNames(store).length / 2
  const maps = (store.playlist() ?? '').match(/#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="\d+\.mp4"\n#EXTINF:[\d.]+,\n.*/g)
  assert.deepEqual(
    maps?.map((text) => text.split('\n').at(-1)),
    [listNames(store)[0], listNames(store)[half]]
  )
  assert.ok(store.segment(`${100 + half}7.mp4`))

  pushClip(recorder, clipPath())
  assert.match(
    store.playlist() ?? '',
    /VERSION:3\n#EXT-X-TARGETDURATION:1\n.*\n#EXT-X-DISCONTINUITY-SEQUENCE:102\n#EXT-X-DISCONTINUITY\n#EXTINF.*\n\d+\.ts\n/
  )
  assert.doesNotMatch(store.playlist() ?? '', /m4s|MAP|INDEPENDENT/)
  assert.ok(store.segment('1007.m4s'), 'segments of the other format stay available for slow players')
  // The tables of the stream change without an end of the stream.
  pushClip(recorder, hevc)
  await until(() => /MAP/.test(store.playlist() ?? ''), 'the format changes')
  assert.match(
    store.playlist() ?? '',
    /DISCONTINUITY-SEQUENCE:103\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-DISCONTINUITY\n/
  )
  assert.doesNotMatch(store.playlist() ?? '', /\.ts$/m)
  await recorder.close()
  assert.equal(launcher.processCount(), 0)
})

test('parameter sets are compared as far as they are in the first packet', () => {
  /** A packet with an adaptation field of some length, and parameter sets: VPS, SPS, and the start of the PPS. */
  const packet = (adaptation: number, spsLength: number, level: number) => {
    const pes = [0, 0, 1, 0xe0, 0, 0, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1]
    const sps = [0, 0, 1, 0x42, 1, 1, level, ...Array.from({ length: spsLength }, (_, index) => 1 + (index % 99))]
    const units = [...pes, 0, 0, 1, 0x40, 1, 12, ...sps, 0, 0, 1, 0x44, 1, 192]
    const bytes = [0x47, 0x41, 0, 0x30, adaptation, ...Array(adaptation).fill(0xff), ...units]
    return Buffer.alloc(188, Buffer.from([0xff])).fill(Buffer.from(bytes), 0, Math.min(188, bytes.length))
  }
  const read = (bytes: Buffer) => readSps(Buffer.concat([Buffer.alloc(188), bytes]), 188) ?? Buffer.alloc(0)
  assert.equal(read(packet(7, 40, 93)).length, 47)
  const [long, cut] = [read(packet(1, 180, 93)), read(packet(7, 180, 93))]
  assert.ok(long.length === cut.length + 6 && isSameSps(long, cut) && isSameSps(cut, long))
  assert.ok(!isSameSps(long, read(packet(7, 180, 90))))
  assert.equal(readSps(Buffer.alloc(188, 0xff), 0), undefined)
})

test('another picture size in the same tracks starts another run', async () => {
  const { store, recorder } = createRecorder(createLauncher())
  pushClip(recorder, encodeClip(CLIP_DURATION, 'aac'))
  pushClip(recorder, encodeSizedClip('320x180', CLIP_DURATION, 'aac'))
  recorder.end()
  await until(
    () => Math.abs(sum(listDurations(store)) - 2 * CLIP_DURATION) < 0.02,
    () => `both are stored: ${store.playlist()}`
  )
  const maps = [...(store.playlist() ?? '').matchAll(/DISCONTINUITY\n#EXT-X-MAP:URI="(\d+\.mp4)"\n#EXTINF:.*\n(.*)/g)]
  const sizes = maps.map(([, ...names]) => {
    const input = Buffer.concat(names.map((name) => store.segment(name)?.bytes ?? Buffer.alloc(0)))
    const args = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'stream=width', '-of', 'csv=p=0', '-']
    return Number.parseInt(spawnSync('ffprobe', args, { input, encoding: 'utf8' }).stdout, 10)
  })
  assert.deepEqual(sizes, [160, 320])
  await recorder.close()
})

test('a process that reads nothing is restarted with the reason', async () => {
  let time = 0
  // Sleeps instead of reading.
  const launcher = createLauncher()
  const sleeping: Launcher = Object.assign(Object.create(launcher), {
    run: (launch: Launch) => launcher.run({ ...launch, program: 'sleep', args: ['600'] })
  })
  const { recorder } = createRecorder(sleeping, () => time)
  const hevc = encodeClip(CLIP_DURATION, 'aac')
  pushClip(recorder, hevc)
  recorder.tick()
  assert.equal(recorder.problem(), undefined)
  time = 10_001
  recorder.tick()
  assert.equal(recorder.problem()?.reason, 'target-stuck-for 10')
  await recorder.close()
  await until(() => launcher.processCount() === 0, 'the process has ended')
})

test('the whole stream is stored although ffmpeg starts after its end', async () => {
  const launcher = createLauncher()
  const slow: Launcher = Object.assign(Object.create(launcher), {
    run: (launch: Launch) =>
      launcher.run({ ...launch, program: 'sh', args: ['-c', 'sleep 2; exec ffmpeg "$@"', 'sh', ...launch.args] })
  })
  const { store, recorder } = createRecorder(slow)
  pushClip(recorder, encodeClip(CLIP_DURATION, 'aac'))
  recorder.end()
  recorder.tick()
  await until(
    () => Math.abs(sum(listDurations(store)) - CLIP_DURATION) < 0.01,
    () => `all is stored: ${store.playlist()}`
  )
  await recorder.close()
})

test('a process that does not end after its stream is stopped, and the segments of the next stream are stored', async () => {
  let time = 0
  let starts = 0
  const launcher = createLauncher()
  const first: Launcher = Object.assign(Object.create(launcher), {
    run: (launch: Launch) => launcher.run(starts++ > 0 ? launch : { ...launch, program: 'sleep', args: ['600'] })
  })
  const { store, recorder } = createRecorder(first, () => time)
  const hevc = encodeClip(CLIP_DURATION, 'aac')
  pushClip(recorder, hevc)
  recorder.end()
  pushClip(recorder, hevc)
  recorder.end()
  time = 10_000
  recorder.tick()
  await until(() => launcher.processCount() === 1, 'the second process has ended')
  assert.equal(store.playlist(), undefined, 'its segments wait for the first one')
  time = 10_001
  recorder.tick()
  await until(
    () => Math.abs(sum(listDurations(store)) - CLIP_DURATION) < 0.01,
    () => `the second stream is stored: ${store.playlist()}`
  )
  await recorder.close()
})

test('a process that fails is started again with back-off, and the output has the reason', async () => {
  let time = 0
  let starts = 0
  let program = createLauncher('false')
  const launcher: Launcher = {
    ...program,
    run(launch) {
      starts++
      return program.run(launch)
    }
  }
  const { store, recorder, changes } = createRecorder(launcher, () => time)
  const hevc = encodeClip(CLIP_DURATION, 'aac')
  pushClip(recorder, hevc)
  await until(() => recorder.problem() !== undefined, 'the failure is known')
  assert.deepEqual([recorder.problem()?.reason, starts, changes()], ['ended-silently', 1, 1])
  pushClip(recorder, hevc)
  assert.equal(starts, 1, 'it waits')
  time += 500
  program = createLauncher('no-such-ffmpeg')
  pushClip(recorder, hevc)
  assert.deepEqual([recorder.problem()?.reason, starts], ['not-installed no-such-ffmpeg', 2])
  time += 500
  pushClip(recorder, hevc)
  assert.equal(starts, 2, 'the wait is twice as long')
  time += 500
  program = createLauncher()
  pushClip(recorder, hevc)
  await until(() => store.playlist() !== undefined, 'there are segments')
  assert.equal(recorder.problem(), undefined)
  await recorder.close()
})

test('a channel with HEVC is played over HLS, and H.264 from the same source is MPEG-TS again', async () => {
  const port = await freeUdpPort()
  const outputs = [{ id: 3, name: 'Web', protocol: HTTP, config: CONFIG } as const]
  fixture.engine.apply(channel(1, urlInput(2, `udp://127.0.0.1:${port}`), outputs))
  const send = (path: string) =>
    runProcess([
      ...['-v', 'error', '-re', '-stream_loop', '-1', '-i', path, '-map', '0', '-c', 'copy'],
      ...['-f', 'mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`]
    ])
  const playlist = () => fixture.engine.hlsStores.get('HLS-1')?.playlist() ?? ''
  const sender = send(encodeClip(40, 'aac'))
  await until(() => (playlist().match(/m4s$/gm) ?? []).length >= 3, 'there are segments')
  await fixture.waitForState(1, CONNECTION_STATE.connected, 3)
  const url = `http://127.0.0.1:${web.port}/hls/HLS-1/`
  const [init = '', segment = ''] = playlist().match(/\d+\.(mp4|m4s)/g) ?? []
  const types = [init, segment].map(async (name) => (await fetch(url + name)).headers.get('content-type'))
  assert.deepEqual(await Promise.all(types), ['video/mp4', 'video/iso.segment'])

  const player = runProcess([
    ...['-v', 'error', '-i', `${url}index.m3u8`, '-t', '6', '-map', '0:v', '-c', 'copy', '-f', 'framecrc', '-'],
    ...['-t', '6', '-map', '0', '-f', 'null', '-']
  ])
  assert.equal(await player.exited, 0, player.output())
  const packets = player.output().matchAll(/^0, +-?\d+, +(-?\d+), +\d+, +\d+, 0x\w+.*$/gm)
  const times = [...packets].map((match) => Number(match[1])).sort((a, b) => a - b)
  const timeBase = /^#tb 0: 1\/(\d+)$/m.exec(player.output())?.[1]
  const seconds = times.map((time) => time / Number(timeBase))
  // ffmpeg ends in the order of decoding: of the frames around its limit, some that are shown earlier are missing.
  // The first frame lasts longer if the sound of the same moment began before it: by one audio frame at most.
  const [first = 0, second = 0, ...others] = seconds.filter((time) => time < (seconds[0] ?? 0) + 5.8)
  const excess = second - first - 1 / 25
  assert.ok(excess > -0.002 && excess < 1024 / 48_000 + 0.002, `${first}, ${second}`)
  assertContinuous([second, ...others], 1 / 25)
  assert.ok(times.length > 100, player.output())
  const errors = player
    .output()
    .split('\n')
    .filter((line) => !/^(#|\d, )|^$/.test(line))
  assert.deepEqual(errors, [])

  await sender.kill()
  send(clipPath())
  await until(() => /^\d+\.ts$/m.test(playlist()), 'the output has changed the format')
  assert.doesNotMatch(playlist(), /m4s|MAP/)
})

test.run()
