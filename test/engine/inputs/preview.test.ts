// Previews of a channel: JPEG images of the key frames of a real stream.
import assert from 'node:assert/strict'
import { decode } from 'jpeg-js'
import { suite } from 'uvu'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import { createJpegSplitter } from '../../../engine/process/jpeg-splitter.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { sendClip } from '../../kit/engine/media.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('preview')

fixtureForEach(test)

const SIZE = { width: 80, fps: 1 }

/** Starts a channel that carries the clip. @returns a function that enables or disables it */
async function startChannel(): Promise<(enable: boolean) => void> {
  const port = await freeUdpPort()
  const url = { protocol: 4, scheme: 'udp', host: '127.0.0.1', port, path: '' } as const
  const enable = (on: boolean) =>
    fixture.engine.apply({
      id: 1,
      name: 'Stage',
      enable: on,
      outputs: [],
      input: { id: 10, name: 'In', kind: 'url', url }
    })
  enable(true)
  sendClip('mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`)
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  return enable
}

test('a channel has previews of the requested size and rate, only while a client watches', async () => {
  await startChannel()
  assert.equal(fixture.engine.processCount(), 1)
  const images: { at: number; jpeg: Uint8Array }[] = []
  const unsubscribe = fixture.engine.watchPreview(1, SIZE, (jpeg) => images.push({ at: performance.now(), jpeg }))
  await until(() => images.length >= 6, 'there are six images')
  assert.equal(fixture.engine.processCount(), 2)
  // The clip has a key frame every half second. The images of the time until the decoder has started arrive together.
  await until(
    () => (images.at(-1)?.at ?? 0) - (images.at(-4)?.at ?? 0) > 2400,
    () => `the images arrive once a second: ${images.map(({ at }) => at)}`
  )
  for (const { jpeg } of images) {
    const { width, height } = decode(jpeg)
    assert.deepEqual([width, height], [80, 46])
  }
  assert.ok(new Set(images.map(({ jpeg }) => Buffer.from(jpeg).toString('base64'))).size > 2, 'the images differ')
  unsubscribe?.()
  await until(() => fixture.engine.processCount() === 1, 'the decoder ends when no client watches')
  const count = images.length
  assert.equal(fixture.engine.observe(1).connState, CONNECTION_STATE.connected)
  assert.equal(images.length, count)
})

test('the preview of a disabled channel continues when it is enabled again', async () => {
  const enable = await startChannel()
  let imageCount = 0
  fixture.engine.watchPreview(1, SIZE, () => imageCount++)
  await until(() => imageCount > 0, 'there is an image')
  enable(false)
  await until(() => fixture.engine.processCount() === 0, 'all processes have ended')
  const before = imageCount
  enable(true)
  await until(() => imageCount > before, 'there is another image')
})

test('a removed channel leaves no process behind, and an unknown channel has no preview', async () => {
  await startChannel()
  let imageCount = 0
  const unsubscribe = fixture.engine.watchPreview(1, SIZE, () => imageCount++)
  await until(() => imageCount > 0, 'there is an image')
  fixture.engine.remove(1)
  await until(() => fixture.engine.processCount() === 0, 'all processes have ended')
  unsubscribe?.()
  assert.equal(
    fixture.engine.watchPreview(1, SIZE, () => {}),
    undefined
  )
})

const part = (text: string) =>
  `--ffmpeg\r\nContent-type: image/jpeg\r\nContent-length: ${text.length}\r\n\r\n${text}\r\n`

test('the images are the same wherever the stream is split into chunks', () => {
  const bytes = Buffer.from(part('one\r\n\r\n') + part('') + part('three') + part('x').slice(0, -3))
  for (let cut = 0; cut <= bytes.length; cut++) {
    const images: string[] = []
    const push = createJpegSplitter((jpeg) => images.push(Buffer.from(jpeg).toString()))
    assert.ok(push(bytes.subarray(0, cut)))
    assert.ok(push(bytes.subarray(cut)))
    assert.deepEqual(images, ['one\r\n\r\n', '', 'three'], `cut at ${cut}`)
  }
})

test('data that is not an image is refused and not buffered', () => {
  const push = createJpegSplitter(() => {})
  assert.equal(push(Buffer.from('hello\r\n\r\n')), false)
  assert.equal(createJpegSplitter(() => {})(Buffer.from(part('x').replace('length: 1', 'length: 99999999'))), false)
  assert.equal(createJpegSplitter(() => {})(Buffer.alloc(5 << 20)), false)
})

test.run()
