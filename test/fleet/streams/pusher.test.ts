import * as assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { createPusher } from '../../../fleet/streams/pusher.ts'
import { parsePushOrder } from '../../../fleet/streams/stream-orders.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { commandLineOf } from '../../kit/system-processes.ts'
import { until } from '../../kit/until.ts'
import { clip, ffmpegProcesses, folder, provideClip, run } from './clip.ts'

const test = suite('pusher')
provideClip(test)

const ORDER = { 'stream-id': 'publish', passphrase: 'a secret nobody knows'.replaceAll(' ', '-'), latency: 60 }

/** An SRT listener that writes received media of a length of `seconds` to a file. */
function listen(port: number, file: string, seconds: number, passphrase = ORDER.passphrase): ChildProcess {
  const source = `srt://127.0.0.1:${port}?mode=listener&passphrase=${passphrase}`
  const fastProbe = ['-probesize', '200000', '-analyzeduration', '500000']
  const options = [
    '-v',
    'error',
    '-y',
    ...fastProbe,
    '-i',
    source,
    '-t',
    String(seconds),
    '-c',
    'copy',
    '-f',
    'mpegts',
    file
  ]
  return spawn('ffmpeg', options, { stdio: 'ignore' })
}

async function codecsOf(file: string): Promise<string[]> {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', file])
  return [...new Set(stdout.split(/\s+/).filter(Boolean))].sort()
}

/** Differences between consecutive timestamps of a track, each listed once. */
async function timestampSteps(file: string, track: 'v' | 'a'): Promise<number[]> {
  const { stdout } = await run('ffprobe', [
    ...['-v', 'error', '-select_streams', track, '-show_entries', 'packet=dts', '-of', 'compact=p=0', file]
  ])
  const timestamps = [...stdout.matchAll(/dts=(\d+)/g)].map(([, timestamp]) => Number(timestamp))
  assert.ok(timestamps.length > 100)
  return [...new Set(timestamps.slice(1).map((timestamp, index) => timestamp - (timestamps[index] as number)))]
}

test('H.264 and AAC arrive at a listener with a passphrase that starts later', async () => {
  const port = await freeUdpPort()
  const states: boolean[] = []
  const pusher = createPusher({ clipPath: () => clip, onSending: (on) => states.push(on) })
  pusher.start('127.0.0.1', { ...ORDER, port, 'stream-index': 0 })
  const file = join(folder, 'got.ts')
  const listener = listen(port, file, 1)
  await until(() => states[0] === true, 'the stream')
  assert.equal((await once(listener, 'exit'))[0], 0)
  assert.deepEqual(await codecsOf(file), ['aac', 'h264'])
  // The listener has ended: the pusher notices, and connects to the next one.
  const secondListener = listen(port, file, 1)
  assert.equal((await once(secondListener, 'exit'))[0], 0)
  pusher.stop()
  assert.equal(states.at(-1), false)
})

test('the arguments of the process contain no secret', async () => {
  const port = await freeUdpPort()
  const listener = listen(port, join(folder, 'secret.ts'), 60)
  const states: boolean[] = []
  const pusher = createPusher({ clipPath: () => clip, onSending: (on) => states.push(on) })
  pusher.start('127.0.0.1', { ...ORDER, port, 'stream-index': 0 })
  await until(() => states[0] === true, 'the stream')
  const pids = ffmpegProcesses(listener.pid)
  assert.equal(pids.length, 1)
  assert.doesNotMatch(commandLineOf(pids[0] ?? 0), /secret/)
  pusher.stop()
  await until(() => !existsSync(`/proc/${pids[0]}`), 'the end of ffmpeg')
  listener.kill('SIGKILL')
})

test('an order waits for a clip that is not encoded yet', async () => {
  const port = await freeUdpPort()
  let file: string | undefined
  const states: boolean[] = []
  let asked = 0
  const clipPath = () => {
    asked++
    return file
  }
  const pusher = createPusher({ clipPath, onSending: (on) => states.push(on) })
  pusher.start('127.0.0.1', { ...ORDER, port, 'stream-index': 0 })
  const listener = listen(port, join(folder, 'late.ts'), 60)
  await until(() => asked > 1, 'the pusher looks again')
  assert.deepEqual(states, [])
  file = clip
  await until(() => states[0] === true, 'the stream')
  pusher.stop()
  listener.kill('SIGKILL')
})

test('a clip loops without a gap in either track', async () => {
  const looped = join(folder, 'looped.ts')
  const loop = ['-v', 'error', '-y', '-stream_loop', '3', '-i', clip, '-c', 'copy', '-f', 'mpegts', looped]
  await run('ffmpeg', loop)
  // 1/25 s and 1024/48000 s in 90 kHz.
  assert.deepEqual(await timestampSteps(looped, 'v'), [3600])
  assert.deepEqual(await timestampSteps(looped, 'a'), [1920])
})

test('an order is parsed with its defaults', () => {
  assert.deepEqual(parsePushOrder({ port: 9000 }), {
    port: 9000,
    passphrase: '',
    latency: 20,
    'stream-id': '',
    'stream-index': 0
  })
})

test.run()
