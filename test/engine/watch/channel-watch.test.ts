// Playing channels in pages: fragmented MP4 of real streams, read by ffprobe.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { clipPath, type RunningProcess, runProcess, sendClip } from '../../kit/engine/media.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { probeTracks, watchChannel } from '../../kit/engine/watcher.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('watching channels')

fixtureForEach(test)

/** Bytes that a watcher reports to the engine when it does not read. */
const STUCK = 1 << 30

/** Encodes a clip of 4 s and returns its path. */
function encodeClip(name: string, size: string, ...codecs: string[]): string {
  const path = `${clipPath()}.${name}.ts`
  const { status, stderr } = spawnSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=s=${size}:r=25`, '-f', 'lavfi', '-i', 'sine=r=48000', '-t', '4'],
    ...['-g', '12', '-pix_fmt', 'yuv420p', ...codecs, '-f', 'mpegts', '-y', path]
  ])
  assert.equal(status, 0, String(stderr))
  return path
}

/** Sends a clip in an endless loop. */
function send(path: string, url: string, ...options: string[]): RunningProcess {
  const input = ['-v', 'error', '-re', '-stream_loop', '-1', '-i', path, '-map', '0', '-c', 'copy']
  return runProcess([...input, ...options, '-f', 'mpegts', url])
}

/** Seconds at which each track of fragmented MP4 begins. */
function firstTimes(parts: readonly Buffer[]): number[] {
  const { stdout } = spawnSync(
    'ffprobe',
    ['-v', 'error', '-show_entries', 'stream=start_time', '-of', 'csv=p=0', '-'],
    {
      input: Buffer.concat(parts),
      encoding: 'utf8'
    }
  )
  return stdout.trim().split('\n').map(Number)
}

/** Starts channel 1 and returns the URL at which it receives. */
async function startChannel(): Promise<string> {
  const port = await freeUdpPort()
  fixture.engine.apply(channel(1, urlInput(10, `udp://127.0.0.1:${port}`)))
  return `udp://127.0.0.1:${port}?pkt_size=1316`
}

test('all watchers share one process, which ends when the last one has left', async () => {
  sendClip('mpegts', await startChannel())
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  assert.equal(fixture.engine.processCount(), 1)
  const first = watchChannel(fixture.engine, 1)
  await until(() => first.parts.length > 5, 'fragments arrive')
  const second = watchChannel(fixture.engine, 1)
  await until(() => second.parts.length > 5, 'fragments arrive')
  assert.equal(fixture.engine.processCount(), 2)
  for (const { head, parts } of [first, second]) {
    assert.equal(head?.type, 'video/mp4; codecs="avc1.42c00d,mp4a.40.2"')
    assert.equal(head?.missingAudio, undefined)
    assert.deepEqual(probeTracks(parts), ['h264 160x90', 'aac'])
  }
  first.leave()
  const count = first.parts.length
  await until(() => second.parts.length > count + 10, 'the other one goes on')
  assert.equal(first.parts.length, count)
  second.leave()
  await until(() => fixture.engine.processCount() === 1, 'the process has ended')
})

test('a watcher that does not read misses fragments until the next key frame after it reads again', async () => {
  sendClip('mpegts', await startChannel())
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const [slow, fast] = [watchChannel(fixture.engine, 1), watchChannel(fixture.engine, 1)]
  await until(() => slow.parts.length > 5, 'fragments arrive')
  slow.queuedBytes = STUCK
  const count = slow.parts.length
  const fastCount = fast.parts.length
  await until(() => fast.parts.length > fastCount + 20, 'the other one goes on')
  assert.equal(slow.parts.length, count)
  slow.queuedBytes = 0
  await until(() => slow.parts.length > count + 5, 'it goes on')
  // What it received since then begins with a key frame.
  const [init = Buffer.alloc(0)] = slow.parts
  assert.deepEqual(probeTracks([init, ...slow.parts.slice(count)]), ['h264 160x90', 'aac'])
  const { stderr } = spawnSync('ffmpeg', ['-v', 'warning', '-i', '-', '-f', 'null', '-'], {
    input: Buffer.concat([init, ...slow.parts.slice(count)])
  })
  assert.equal(String(stderr).replaceAll(/.*(?:invalid dropping|Non-monotonous).*\n/g, ''), '')
})

const VIDEO = ['-c:v', 'libx264', '-preset', 'ultrafast']

test('Opus is copied, and named as browsers know it', async () => {
  send(encodeClip('opus', '160x90', ...VIDEO, '-c:a', 'libopus'), await startChannel())
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const watcher = watchChannel(fixture.engine, 1)
  await until(() => watcher.parts.length > 5, 'fragments arrive')
  assert.match(watcher.head?.type ?? '', /^video\/mp4; codecs="avc1\.42c00.,opus"$/)
  assert.equal(watcher.head?.missingAudio, undefined)
  assert.deepEqual(probeTracks(watcher.parts), ['h264 160x90', 'opus'])
})

for (const codec of ['mp2', 'ac3', 'eac3'])
  test(`${codec} is made AAC once for all watchers, in time with the video, until the last one leaves`, async () => {
    send(encodeClip(codec, '160x90', ...VIDEO, '-c:a', codec), await startChannel())
    await fixture.waitForState(1, CONNECTION_STATE.connected)
    const watchers = [watchChannel(fixture.engine, 1), watchChannel(fixture.engine, 1)]
    await until(() => watchers.every(({ parts }) => parts.length > 10), 'fragments arrive')
    assert.equal(fixture.engine.processCount(), 2)
    for (const { head, parts } of watchers) {
      assert.match(head?.type ?? '', /^video\/mp4; codecs="avc1\.42c00.,mp4a\.40\.2"$/)
      assert.equal(head?.missingAudio, undefined)
      assert.deepEqual(probeTracks(parts), ['h264 160x90', 'aac'])
      const [video = 0, audio = 0] = firstTimes(parts)
      assert.ok(Math.abs(video - audio) < 0.3, `video begins at ${video} s, audio at ${audio} s`)
    }
    for (const { leave } of watchers) leave()
    await until(() => fixture.engine.processCount() === 1, 'the process has ended')
  })

test('an announced audio track that has no data does not hold up the picture, and is named', async () => {
  const clip = encodeClip('silent', '160x90', ...VIDEO, '-c:a', 'mp2')
  const silence = ['-bsf:a', 'noise=amount=0:drop=1', '-max_interleave_delta', '100000']
  send(clip, await startChannel(), ...silence)
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const watcher = watchChannel(fixture.engine, 1)
  await until(() => watcher.parts.length > 5, 'fragments arrive')
  assert.equal(watcher.head?.missingAudio, 'MPEG audio')
  assert.deepEqual(probeTracks(watcher.parts), ['h264 160x90'])
})

test('HEVC is named with its profile and level', async () => {
  const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error']
  send(encodeClip('hevc', '160x90', ...x265, '-c:a', 'aac'), await startChannel())
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const watcher = watchChannel(fixture.engine, 1)
  await until(() => watcher.parts.length > 5, 'fragments arrive')
  assert.match(watcher.head?.type ?? '', /^video\/mp4; codecs="hvc1\.1\.6\.L(30|60|63)\.[0-9A-F.]+,mp4a\.40\.2"$/)
  assert.deepEqual(probeTracks(watcher.parts), ['hevc 160x90', 'aac'])
})

test('a stream without video is played', async () => {
  const path = `${clipPath()}.audio.ts`
  spawnSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=r=48000', '-t', '4', '-c:a', 'aac', '-y', path])
  send(path, await startChannel())
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const watcher = watchChannel(fixture.engine, 1)
  await until(() => watcher.parts.length > 5, 'fragments arrive')
  assert.equal(watcher.head?.type, 'video/mp4; codecs="mp4a.40.2"')
})

test('another picture size, or another codec, ends the stream of a watcher; the next one gets it', async () => {
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac']
  const clips = [
    encodeClip('small', '160x90', ...x264),
    encodeClip('large', '320x180', ...x264),
    encodeClip('mpeg2', '160x90', '-c:v', 'mpeg2video', '-c:a', 'aac')
  ]
  const url = await startChannel()
  for (const [index, tracks] of [['h264 160x90'], ['h264 320x180'], ['mpeg2video 160x90']].entries()) {
    const sender = send(clips[index] ?? '', url)
    const watcher = watchChannel(fixture.engine, 1)
    await until(() => watcher.parts.length > 8, 'fragments of the new stream arrive')
    assert.deepEqual(probeTracks(watcher.parts), [...tracks, 'aac'])
    await sender.kill()
    if (index === 2) continue
    const next = send(clips[index + 1] ?? '', url)
    await until(() => watcher.hasEnded, 'the watcher has ended')
    await next.kill()
  }
})

test('watchers of a stopped channel end, and a channel that is stopped has no stream', async () => {
  sendClip('mpegts', await startChannel())
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const watcher = watchChannel(fixture.engine, 1)
  await until(() => watcher.parts.length > 5, 'fragments arrive')
  fixture.engine.remove(1)
  await until(() => watcher.hasEnded, 'it has ended')
  assert.throws(() => watchChannel(fixture.engine, 1))
  await until(() => fixture.engine.processCount() === 0, 'no process is left')
})

test.run()
