// What is seen of a channel: real key frames of a real stream, as small pictures.
import assert from 'node:assert/strict'
import { decode } from 'jpeg-js'
import { suite } from 'uvu'
import { CONNECTION } from '../../../contract/stream/protocols.ts'
import { createPictureCutter } from '../../../engine/inputs/preview.ts'
import { freeUdpPort } from '../../kit/free-port.ts'
import { bench, benchForEach } from '../bench.ts'
import { send, until } from '../media.ts'

const test = suite('picture')

benchForEach(test)

const SIZE = { width: 80, fps: 1 }

/** Has a channel carry the clip. @returns how to switch it */
async function carry(): Promise<(enable: boolean) => void> {
  const port = await freeUdpPort()
  const url = { protocol: 4, scheme: 'udp', host: '127.0.0.1', port, path: '' } as const
  const enable = (on: boolean) =>
    bench.engine.apply({
      ...{ id: 1, name: 'Stage', enable: on, outputs: [] },
      input: { id: 10, name: 'In', kind: 'url', url }
    })
  enable(true)
  send('mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`)
  await bench.reaches(1, CONNECTION.connected)
  return enable
}

test('a channel has pictures of the asked size as long as somebody looks, and no more of them than asked for', async () => {
  await carry()
  assert.equal(bench.engine.processes(), 1)
  const taken: { at: number; jpeg: Uint8Array }[] = []
  const leave = bench.engine.watch(1, SIZE, (jpeg) => taken.push({ at: performance.now(), jpeg }))
  await until('four pictures', () => taken.length === 4)
  assert.equal(bench.engine.processes(), 2)
  // The clip has a key frame each half second. The first ones may come together.
  assert.ok((taken[3]?.at ?? 0) - (taken[1]?.at ?? 0) > 1500, taken.map(({ at }) => at).join())
  const sizes = taken.map(({ jpeg }) => decode(jpeg)).map(({ width, height }) => [width, height])
  assert.deepEqual(sizes, Array(4).fill([80, 46]))
  assert.ok(new Set(taken.map(({ jpeg }) => Buffer.from(jpeg).toString('base64'))).size > 2, 'it moves')
  leave?.()
  await until('it ends with who looked', () => bench.engine.processes() === 1)
  const count = taken.length
  assert.equal(bench.engine.observe(1).connState, CONNECTION.connected)
  assert.equal(taken.length, count)
})

test('who looks at a channel that is stopped sees it again when it is started', async () => {
  const enable = await carry()
  let taken = 0
  bench.engine.watch(1, SIZE, () => taken++)
  await until('a picture', () => taken > 0)
  enable(false)
  await until('all have ended', () => bench.engine.processes() === 0)
  const before = taken
  enable(true)
  await until('a picture again', () => taken > before)
})

test('a channel that is gone leaves nothing behind, and one that never was has no pictures', async () => {
  await carry()
  let taken = 0
  const leave = bench.engine.watch(1, SIZE, () => taken++)
  await until('a picture', () => taken > 0)
  bench.engine.remove(1)
  await until('all have ended', () => bench.engine.processes() === 0)
  leave?.()
  assert.equal(
    bench.engine.watch(1, SIZE, () => {}),
    undefined
  )
})

const part = (text: string) =>
  `--ffmpeg\r\nContent-type: image/jpeg\r\nContent-length: ${text.length}\r\n\r\n${text}\r\n`

test('pictures are the same wherever what is written is cut', () => {
  const bytes = Buffer.from(part('one\r\n\r\n') + part('') + part('three') + part('x').slice(0, -3))
  for (let cut = 0; cut <= bytes.length; cut++) {
    const taken: string[] = []
    const take = createPictureCutter((jpeg) => taken.push(Buffer.from(jpeg).toString()))
    assert.ok(take(bytes.subarray(0, cut)))
    assert.ok(take(bytes.subarray(cut)))
    assert.deepEqual(taken, ['one\r\n\r\n', '', 'three'], `cut at ${cut}`)
  }
})

test('what is no picture is refused, and not kept', () => {
  const take = createPictureCutter(() => {})
  assert.equal(take(Buffer.from('hello\r\n\r\n')), false)
  assert.equal(createPictureCutter(() => {})(Buffer.from(part('x').replace('length: 1', 'length: 99999999'))), false)
  assert.equal(createPictureCutter(() => {})(Buffer.alloc(5 << 20)), false)
})

test.run()
