// How loud an input is said to be, beside what was put into it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { CONNECTION } from '../../../contract/stream/protocols.ts'
import { freeUdpPort } from '../../kit/free-port.ts'
import { bench, benchForEach } from '../bench.ts'
import { run, until } from '../media.ts'

const test = suite('level')

const folder = mkdtempSync(join(tmpdir(), 'headend-level-'))

benchForEach(test)
test.after(() => {
  rmSync(folder, { recursive: true })
})

/** Has a channel carry a picture with the sound that a filter makes, if any. */
async function carry(sound?: string): Promise<void> {
  const file = join(folder, `${sound ? 'sound' : 'mute'}.ts`)
  const made = run([
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25'],
    ...(sound ? ['-f', 'lavfi', '-i', sound] : []),
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
  assert.equal(await made.done, 0, made.text())
  const port = await freeUdpPort()
  const url = { protocol: 4, scheme: 'udp', host: '127.0.0.1', port, path: '' } as const
  bench.engine.apply({
    ...{ id: 1, name: 'Stage', enable: true, outputs: [] },
    input: { id: 10, name: 'In', kind: 'url', url }
  })
  const target = `udp://127.0.0.1:${port}?pkt_size=1316`
  run(['-v', 'error', '-re', '-stream_loop', '-1', '-i', file, '-c', 'copy', '-f', 'mpegts', target])
  await bench.reaches(1, CONNECTION.connected)
}

test('each channel is as loud as it was made, within a decibel; nobody listens before somebody asks', async () => {
  // Peaks at a tenth, 20 dB below the loudest, on the left; nothing on the right.
  await carry('aevalsrc=0.1*sin(880*PI*t)|0:s=48000')
  assert.equal(bench.engine.processes(), 1)
  let heard: number[] | undefined
  await until(
    () => `a level of two channels: ${heard}`,
    () => {
      heard = bench.engine.level(1)?.level
      return heard?.length === 2
    }
  )
  assert.ok(Math.abs((heard?.[0] ?? 0) + 20) < 1, `${heard} dBFS`)
  assert.ok((heard?.[1] ?? 0) < -80, `${heard} dBFS`)
  assert.equal(bench.engine.processes(), 2)
  await until('it ends when nobody asks any more', () => bench.engine.processes() === 1)
  assert.equal(bench.engine.level(1), undefined)
})

test('a stream without sound has no level, and nothing is left of the try', async () => {
  await carry()
  bench.engine.level(1)
  await until('somebody listens', () => bench.engine.processes() === 2)
  await until('and gives up', () => bench.engine.processes() === 1)
  assert.equal(bench.engine.level(1), undefined)
})

test('with the channel the listener ends, too', async () => {
  await carry('sine=f=440')
  bench.engine.level(1)
  await until('somebody listens', () => bench.engine.processes() === 2)
  bench.engine.remove(1)
  await until('all have ended', () => bench.engine.processes() === 0)
})

test.run()
