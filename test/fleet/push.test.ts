import * as assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { createPusher } from '../../fleet/push.ts'
import { readOrder } from '../../fleet/stream-orders.ts'
import { freeUdpPort } from '../kit/free-port.ts'
import { until } from '../kit/link-hub.ts'
import { commandOf } from '../kit/system-processes.ts'
import { carriers, clip, clipFor, folder, run } from './clip.ts'

const test = suite('push')
clipFor(test)

const ORDER = { 'stream-id': 'publish', passphrase: 'a secret nobody knows'.replaceAll(' ', '-'), latency: 60 }

/** An SRT listener that writes what comes for so many seconds of media. */
function listen(port: number, file: string, seconds: number, passphrase = ORDER.passphrase): ChildProcess {
  const source = `srt://127.0.0.1:${port}?mode=listener&passphrase=${passphrase}`
  const quick = ['-probesize', '200000', '-analyzeduration', '500000']
  const options = [
    '-v',
    'error',
    '-y',
    ...quick,
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

async function streams(file: string): Promise<string[]> {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', file])
  return [...new Set(stdout.split(/\s+/).filter(Boolean))].sort()
}

/** Distances between the time stamps of a track, without repeats. */
async function steps(file: string, track: 'v' | 'a'): Promise<number[]> {
  const { stdout } = await run('ffprobe', [
    ...['-v', 'error', '-select_streams', track, '-show_entries', 'packet=dts', '-of', 'compact=p=0', file]
  ])
  const stamps = [...stdout.matchAll(/dts=(\d+)/g)].map(([, stamp]) => Number(stamp))
  assert.ok(stamps.length > 100)
  return [...new Set(stamps.slice(1).map((stamp, index) => stamp - (stamps[index] as number)))]
}

test('H.264 and AAC arrive at a listener that comes later and asks for the passphrase', async () => {
  const port = await freeUdpPort()
  const said: boolean[] = []
  const pusher = createPusher({ clip: () => clip, sending: (on) => said.push(on) })
  pusher.start('127.0.0.1', { ...ORDER, port, 'stream-index': 0 })
  const file = join(folder, 'got.ts')
  const listener = listen(port, file, 1)
  await until(() => said[0] === true, 'the stream', 15_000)
  assert.equal((await once(listener, 'exit'))[0], 0)
  assert.deepEqual(await streams(file), ['aac', 'h264'])
  // The listener is gone: it notices, and comes to the next one.
  const again = listen(port, file, 1)
  assert.equal((await once(again, 'exit'))[0], 0)
  pusher.stop()
  assert.equal(said.at(-1), false)
})

test('no secret is among the arguments of a process', async () => {
  const port = await freeUdpPort()
  const listener = listen(port, join(folder, 'secret.ts'), 60)
  const said: boolean[] = []
  const pusher = createPusher({ clip: () => clip, sending: (on) => said.push(on) })
  pusher.start('127.0.0.1', { ...ORDER, port, 'stream-index': 0 })
  await until(() => said[0] === true, 'the stream')
  const pushing = carriers(listener.pid)
  assert.equal(pushing.length, 1)
  assert.doesNotMatch(commandOf(pushing[0] ?? 0), /secret/)
  pusher.stop()
  await until(() => !existsSync(`/proc/${pushing[0]}`), 'the end of ffmpeg')
  listener.kill('SIGKILL')
})

test('an order waits for media that is not there yet', async () => {
  const port = await freeUdpPort()
  let file: string | undefined
  const said: boolean[] = []
  const pusher = createPusher({ clip: () => file, sending: (on) => said.push(on) })
  pusher.start('127.0.0.1', { ...ORDER, port, 'stream-index': 0 })
  const listener = listen(port, join(folder, 'late.ts'), 60)
  await new Promise((resolve) => setTimeout(resolve, 200))
  assert.deepEqual(said, [])
  file = clip
  await until(() => said[0] === true, 'the stream')
  pusher.stop()
  listener.kill('SIGKILL')
})

test('a clip loops without a gap in either track', async () => {
  const looped = join(folder, 'looped.ts')
  const loop = ['-v', 'error', '-y', '-stream_loop', '3', '-i', clip, '-c', 'copy', '-f', 'mpegts', looped]
  await run('ffmpeg', loop)
  // 1/25 s and 1024/48000 s in 90 kHz.
  assert.deepEqual(await steps(looped, 'v'), [3600])
  assert.deepEqual(await steps(looped, 'a'), [1920])
})

test('an order is read with its defaults', () => {
  assert.deepEqual(readOrder({ port: 9000 }), {
    ...{ port: 9000, passphrase: '', latency: 20, 'stream-id': '', 'stream-index': 0 }
  })
})

test.run()
