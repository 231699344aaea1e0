import * as assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { suite } from 'uvu'
import { createPlayer } from '../../../fleet/streams/player.ts'
import { parsePlayOrder } from '../../../fleet/streams/stream-orders.ts'
import { createTestAppliance } from '../../kit/fleet/appliance.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { commandLineOf } from '../../kit/system-processes.ts'
import { until } from '../../kit/until.ts'
import { clip, ffmpegProcesses, provideClip } from './clip.ts'

const test = suite('player')
provideClip(test)

const ORDER = { 'stream-id': 'play/one', passphrase: "a-secret-'nobody'-knows", latency: 60 }

/** An SRT listener that sends the clip in a loop to callers with the passphrase. */
function startSender(port: number): ChildProcess {
  return spawn(
    'ffmpeg',
    [
      ...['-v', 'quiet', '-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', 'mpegts'],
      ...['-passphrase', ORDER.passphrase, `srt://127.0.0.1:${port}?mode=listener&pkt_size=1316`]
    ],
    { stdio: 'ignore' }
  )
}

test('received data is counted, no secret is in the arguments, and the player reconnects when the sender restarts', async () => {
  const port = await freeUdpPort()
  const states: boolean[] = []
  let bytes = 0
  const player = createPlayer({
    onPlaying: (on) => states.push(on),
    onReceived(size) {
      bytes += size
    }
  })
  player.start('127.0.0.1', { ...ORDER, port })
  const sender = startSender(port)
  await until(() => bytes > 20_000, 'bytes')
  assert.deepEqual(states, [true])
  assert.equal(player.sourceUrl(), `srt://127.0.0.1:${port}`)
  const pids = ffmpegProcesses(sender.pid)
  assert.equal(pids.length, 1)
  assert.doesNotMatch(commandLineOf(pids[0] ?? 0), /secret/)
  sender.kill('SIGKILL')
  await until(() => states.at(-1) === false, 'the end')
  const secondSender = startSender(port)
  const before = bytes
  await until(() => bytes > before + 20_000, 'bytes again')
  player.stop()
  assert.deepEqual(states, [true, false, true, false])
  assert.equal(player.sourceUrl(), undefined)
  await until(() => !existsSync(`/proc/${pids[0]}`), 'the end of ffmpeg')
  secondSender.kill('SIGKILL')
})

test('a decoder reports the URL that it plays and the received bit rate', () => {
  const device = createTestAppliance('ndiToHdmi')
  const { machine } = device
  assert.ok(machine.read().rx > 50_000_000)
  machine.setPlaying('srt://10.0.0.1:9000')
  assert.ok(machine.read().rx < 100_000)
  for (let second = 0; second < 3; second++) {
    device.time += 1000
    machine.countReceivedBytes(250_000)
  }
  const { rx, playing } = machine.read()
  assert.ok(rx > 1_990_000 && rx < 2_100_000, String(rx))
  assert.equal(playing, 'srt://10.0.0.1:9000')
  device.time += 4000
  assert.ok(machine.read().rx < 100_000)
  machine.setPlaying(undefined)
  assert.equal(machine.read().playing, undefined)
})

test('an order is parsed with its defaults, and an invalid one is not', () => {
  const defaults = { port: 9000, passphrase: '', latency: 20, 'stream-id': '' }
  assert.deepEqual(parsePlayOrder({ port: 9000 }), defaults)
  assert.deepEqual(parsePlayOrder({ ...defaults, 'buffer-ms': 200 }), { ...defaults, 'buffer-ms': 200 })
  for (const invalid of [{}, { port: 0 }, { port: 9000, passphrase: 'short' }, { port: 9000, 'buffer-ms': 0 }])
    assert.equal(parsePlayOrder(invalid), undefined, JSON.stringify(invalid))
})

test.run()
