// Measured audio levels of inputs with a known loudness.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { runProcess } from '../../kit/engine/media.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('audio level')

const folder = mkdtempSync(join(tmpdir(), 'headend-level-'))

fixtureForEach(test)
test.after(() => {
  rmSync(folder, { recursive: true })
})

/** Starts a channel with video, and with audio if a filter is passed. */
async function startChannel(audioFilter?: string): Promise<void> {
  const file = join(folder, `${audioFilter ? 'audio' : 'mute'}.ts`)
  const encoder = runProcess([
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25'],
    ...(audioFilter ? ['-f', 'lavfi', '-i', audioFilter] : []),
    ...[
      '-t',
      '4',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-g',
      '12',
      '-b:v',
      '200k',
      '-c:a',
      'aac',
      '-b:a',
      '128k'
    ],
    ...['-f', 'mpegts', file]
  ])
  assert.equal(await encoder.exited, 0, encoder.output())
  const port = await freeUdpPort()
  const url = { protocol: 4, scheme: 'udp', host: '127.0.0.1', port, path: '' } as const
  fixture.engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    outputs: [],
    input: { id: 10, name: 'In', kind: 'url', url }
  })
  const target = `udp://127.0.0.1:${port}?pkt_size=1316`
  runProcess(['-v', 'error', '-re', '-stream_loop', '-1', '-i', file, '-c', 'copy', '-f', 'mpegts', target])
  await fixture.waitForState(1, CONNECTION_STATE.connected)
}

test('the level of each audio channel is right within a decibel, and is measured only while a client asks for it', async () => {
  // Peaks at a tenth of full scale, 20 dB below it, on the left; silence on the right.
  await startChannel('aevalsrc=0.1*sin(880*PI*t)|0:s=48000')
  assert.equal(fixture.engine.processCount(), 1)
  let levels: number[] | undefined
  await until(
    () => {
      levels = fixture.engine.audioLevel(1)?.levels
      return levels?.length === 2
    },
    () => `there are levels of two channels: ${levels}`
  )
  assert.ok(Math.abs((levels?.[0] ?? 0) + 20) < 1, `${levels} dBFS`)
  assert.ok((levels?.[1] ?? 0) < -80, `${levels} dBFS`)
  assert.equal(fixture.engine.processCount(), 2)
  await until(() => fixture.engine.processCount() === 1, 'the measurement ends when no client asks for it')
  assert.equal(fixture.engine.audioLevel(1), undefined)
})

test('a stream without audio has no level, and the measurement ends', async () => {
  await startChannel()
  fixture.engine.audioLevel(1)
  await until(() => fixture.engine.processCount() === 2, 'the measurement runs')
  await until(() => fixture.engine.processCount() === 1, 'the measurement has ended')
  assert.equal(fixture.engine.audioLevel(1), undefined)
})

test('removing a channel ends the measurement', async () => {
  await startChannel('sine=f=440')
  fixture.engine.audioLevel(1)
  await until(() => fixture.engine.processCount() === 2, 'the measurement runs')
  fixture.engine.remove(1)
  await until(() => fixture.engine.processCount() === 0, 'all processes have ended')
})

test.run()
