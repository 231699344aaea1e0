// Recordings of real streams, read by ffprobe.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import type { WantedRecording } from '../../../engine/interfaces/recording.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { type RunningProcess, sendClip } from '../../kit/engine/media.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { createSmallDisk } from '../../kit/hub/small-disk.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { commandLineOf, descendantsOf } from '../../kit/system-processes.ts'
import { until } from '../../kit/until.ts'

const test = suite('recording of channels')

fixtureForEach(test)

let folder = ''
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'headend-recording-'))
})
test.after.each(() => rmSync(folder, { recursive: true, force: true }))

/** Segments of 1 s, which are cut at the first key frame after that. */
const wanted = (changes: Partial<WantedRecording> = {}): WantedRecording => ({
  id: 7,
  folder: join(folder, '1/7'),
  segmentS: 1,
  segmentBytes: 1 << 30,
  freeMin: 0,
  ...changes
})

/** Paths of all files of the recording, sorted. */
function files(suffix: string): string[] {
  const root = join(folder, '1/7')
  const days = existsSync(root) ? readdirSync(root) : []
  return days
    .flatMap((day) => readdirSync(join(root, day)).map((name) => join(root, day, name)))
    .filter((path) => path.endsWith(suffix))
    .sort()
}

const segments = () => files('.ts')

const describe = () => `${segments().length} segments: ${JSON.stringify(fixture.engine.observe(1).recording)}`

const hasSegments = (count: number): Promise<void> => until(() => segments().length >= count, describe)

const hasWritten = (bytes: number): Promise<void> =>
  until(() => (fixture.engine.observe(1).recording?.openBytes ?? 0) > bytes, describe)

/** Frames of the video of a file that are decoded without an error, and the tracks of the file. */
function decode(path: string): { frames: number; tracks: string; errors: string } {
  const probe = ['-v', 'error', '-show_entries', 'stream=codec_type', '-of', 'csv=p=0', path]
  const tracks = spawnSync('ffprobe', probe, { encoding: 'utf8' }).stdout.split('\n').filter(Boolean)
  const { stdout, stderr } = spawnSync(
    'ffmpeg',
    ['-v', 'error', '-i', path, '-map', '0:v', '-progress', 'pipe:1', '-f', 'null', '-'],
    { encoding: 'utf8' }
  )
  return {
    frames: Number(/frame=(\d+)(?![\s\S]*frame=)/.exec(stdout)?.[1]),
    tracks: [...new Set(tracks)].sort().join(),
    errors: stderr
  }
}

const recorders = () => descendantsOf(process.pid).filter((pid) => commandLineOf(pid).includes(folder))

/** Sends a clip to channel 1, which is recorded. */
async function record(recording: WantedRecording): Promise<RunningProcess> {
  const port = await freeUdpPort()
  fixture.engine.apply({ ...channel(1, urlInput(10, `udp://127.0.0.1:${port}`)), recording })
  return sendClip('mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`)
}

test('each segment plays alone, begins at a key frame, and follows the one before', async () => {
  await record(wanted())
  await hasSegments(3)
  const [, second = '', third = ''] = segments()
  const [, from, to] = /(\d+)-(\d+)\.ts$/.exec(second) ?? []
  assert.ok(third.includes(`${to}-`))
  assert.ok(Number(to) - Number(from) >= 900)
  const { frames, tracks, errors } = decode(second)
  assert.equal(errors, '')
  assert.ok(frames > 20)
  assert.equal(tracks, 'audio,video')
})

test('a recorder completes its last segment when the engine dies (SIGTERM), and when the recording ends', async () => {
  await record(wanted({ segmentS: 600 }))
  await hasWritten(20_000)
  assert.deepEqual(segments(), [])
  const [pid = 0] = recorders()
  process.kill(pid, 'SIGTERM')
  await hasSegments(1)
  await until(() => recorders().some((each) => each !== pid), describe)
  await hasWritten(20_000)
  fixture.engine.apply(channel(1, urlInput(10, 'udp://127.0.0.1:9')))
  await hasSegments(2)
  assert.deepEqual(files('.partial'), [])
  for (const path of segments()) assert.equal(decode(path).tracks, 'audio,video')
  assert.equal(fixture.engine.observe(1).recording, undefined)
})

test('a recorder that is stopped and killed costs one segment, which the next recorder removes', async () => {
  await record(wanted())
  await hasSegments(2)
  const before = segments()
  const left = join(before[0] ?? '', '../1000.partial')
  writeFileSync(left, 'x')
  const [pid] = recorders()
  assert.ok(pid)
  process.kill(pid, 'SIGSTOP')
  await until(() => fixture.engine.observe(1).recording?.reason === 'program-stuck', describe)
  assert.ok(fixture.engine.observe(1).kbps > 0, 'the channel is on air')
  // The watchdog of the engine does the same after 5 s.
  process.kill(pid, 'SIGKILL')
  await hasSegments(before.length + 2)
  for (const path of before) assert.equal(decode(path).errors, '')
  assert.equal(existsSync(left), false)
  assert.ok(files('.partial').length <= 1)
})

test('a segment that is too large is cut', async () => {
  await record(wanted({ segmentS: 600, segmentBytes: 100_000 }))
  await hasSegments(2)
  assert.ok(statSync(segments()[0] ?? '').size >= 100_000)
  assert.ok(statSync(segments()[0] ?? '').size < 1_000_000)
})

test('too little free space stops the recording and not the channel', async () => {
  await record(wanted({ freeMin: Number.MAX_SAFE_INTEGER }))
  await until(() => fixture.engine.observe(1).recording?.reason === 'recording-disk-full', describe)
  await until(() => fixture.engine.observe(1).kbps > 0, 'the channel has no media')
  assert.deepEqual(segments(), [])
})

test('a disk without a free byte stops the recording and not the channel, until there is space again', async () => {
  const disk = await createSmallDisk(3)
  const before = folder
  folder = disk.path()
  try {
    await record(wanted())
    await hasSegments(1)
    disk.fill()
    await until(() => fixture.engine.observe(1).recording?.reason === 'recording-disk-full', describe)
    assert.ok(fixture.engine.observe(1).kbps > 0)
    const complete = segments().length
    rmSync(disk.path('filler'))
    await hasSegments(complete + 1)
    await until(() => fixture.engine.observe(1).recording?.reason === undefined, describe)
    for (const path of segments()) assert.equal(decode(path).errors, '')
  } finally {
    await disk.close()
    folder = before
  }
})

test.run()
