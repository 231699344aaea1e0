import * as assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { suite } from 'uvu'
import { createPlayer } from '../../fleet/play.ts'
import { readPlayOrder } from '../../fleet/stream-orders.ts'
import { applianceOf } from '../kit/appliance.ts'
import { freeUdpPort } from '../kit/free-port.ts'
import { commandOf } from '../kit/system-processes.ts'
import { until } from '../kit/until.ts'
import { carriers, clip, clipFor } from './clip.ts'

const test = suite('play')
clipFor(test)

const ORDER = { 'stream-id': 'play/one', passphrase: "a-secret-'nobody'-knows", latency: 60 }

/** An SRT listener that sends the clip over and over to whoever calls with the passphrase. */
function offer(port: number): ChildProcess {
  return spawn(
    'ffmpeg',
    [
      ...['-v', 'quiet', '-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', 'mpegts'],
      ...['-passphrase', ORDER.passphrase, `srt://127.0.0.1:${port}?mode=listener&pkt_size=1316`]
    ],
    { stdio: 'ignore' }
  )
}

test('what comes is counted, with no secret among the arguments, and a hub that comes back is called again', async () => {
  const port = await freeUdpPort()
  const said: boolean[] = []
  let bytes = 0
  const player = createPlayer({
    playing: (on) => said.push(on),
    received(size) {
      bytes += size
    }
  })
  player.start('127.0.0.1', { ...ORDER, port })
  const sender = offer(port)
  await until(() => bytes > 20_000, 'bytes', 15_000)
  assert.deepEqual(said, [true])
  assert.equal(player.from(), `srt://127.0.0.1:${port}`)
  const playing = carriers(sender.pid)
  assert.equal(playing.length, 1)
  assert.doesNotMatch(commandOf(playing[0] ?? 0), /secret/)
  sender.kill('SIGKILL')
  await until(() => said.at(-1) === false, 'the end', 15_000)
  const again = offer(port)
  const before = bytes
  await until(() => bytes > before + 20_000, 'bytes again', 15_000)
  player.stop()
  assert.deepEqual(said, [true, false, true, false])
  assert.equal(player.from(), undefined)
  await until(() => !existsSync(`/proc/${playing[0]}`), 'the end of ffmpeg')
  again.kill('SIGKILL')
})

test('a decoder shows what it plays and how much comes', () => {
  const device = applianceOf('ndiToHdmi')
  const { machine } = device
  assert.ok(machine.read().rx > 50_000_000)
  machine.setPlaying('srt://10.0.0.1:9000')
  assert.ok(machine.read().rx < 100_000)
  for (let second = 0; second < 3; second++) {
    device.time += 1000
    machine.receive(250_000)
  }
  const { rx, playing } = machine.read()
  assert.ok(rx > 1_990_000 && rx < 2_100_000, String(rx))
  assert.equal(playing, 'srt://10.0.0.1:9000')
  device.time += 4000
  assert.ok(machine.read().rx < 100_000)
  machine.setPlaying(undefined)
  assert.equal(machine.read().playing, undefined)
})

test('an order is read with its defaults, and one that cannot be carried out is none', () => {
  const least = { port: 9000, passphrase: '', latency: 20, 'stream-id': '' }
  assert.deepEqual(readPlayOrder({ port: 9000 }), least)
  assert.deepEqual(readPlayOrder({ ...least, 'buffer-ms': 200 }), { ...least, 'buffer-ms': 200 })
  for (const bad of [{}, { port: 0 }, { port: 9000, passphrase: 'short' }, { port: 9000, 'buffer-ms': 0 }])
    assert.equal(readPlayOrder(bad), undefined, JSON.stringify(bad))
})

test.run()
