import assert from 'node:assert/strict'
import type { ServerHttp2Stream } from 'node:http2'
import { suite } from 'uvu'
import { REGISTRATION_STATE } from '../../../../contract/device/device.ts'
import { PREVIEW_IMAGE_MAX } from '../../../../contract/device/link.ts'
import { createDeviceLinks, type DeviceLinks } from '../../../../hub/devices/link/links.ts'
import { connectLinkDevice, type LinkDevice } from '../../../kit/fleet/link-device.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'
import { sendPaced } from '../../../kit/net/send-paced.ts'
import { until } from '../../../kit/until.ts'

const test = suite('previews')
const { sn } = helloOf(1)
const SIZE = { width: 320, fps: 2 }
let links: DeviceLinks
let port: number
/** Preview streams that the hub requested from the device. */
let streams: ServerHttp2Stream[]
let received: string[]
const collect = (jpeg: Uint8Array) => received.push(Buffer.from(jpeg).toString())

async function open(previewStall = 5000) {
  await links?.close()
  streams = []
  received = []
  links = createDeviceLinks({
    register: () => ({ state: REGISTRATION_STATE.accepted }),
    onUp() {},
    onDown() {},
    previewStall,
    previewRetry: [20, 80]
  })
  port = await links.listen(0, '127.0.0.1')
}
test.before.each(() => open())
test.after.each(() => links.close())

/** An image as it is sent in a stream. */
function encodeImage(image: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(image))
  return Buffer.concat([length, Buffer.from(image)])
}

async function device(status = 200): Promise<LinkDevice> {
  const linkDevice = await connectLinkDevice(port, helloOf(1), (_call, stream) => {
    streams.push(stream)
    stream.respond({ ':status': status })
    if (status !== 200) stream.end('no')
  })
  await until(() => links.isOnline(sn), 'it is online')
  return linkDevice
}

const requested = (count: number) => until(() => streams.length >= count, `${count} stream requests`)
const delivered = (...images: string[]) =>
  until(() => JSON.stringify(received) === JSON.stringify(images), `${images} were delivered, not ${received}`)

test('images are delivered until the subscription ends', async () => {
  const linkDevice = await device()
  const stop = links.subscribePreviews(sn, SIZE, collect)
  await requested(1)
  assert.deepEqual(
    linkDevice.calls.map(({ method, path }) => [method, path]),
    [['GET', '/link/preview?width=320&fps=2']]
  )
  streams[0]?.write(encodeImage('one'))
  streams[0]?.write(encodeImage('two'))
  await delivered('one', 'two')
  stop()
  await until(() => streams[0]?.destroyed === true, 'the stream is closed')
  assert.equal(streams[0]?.rstCode, 8)
  assert.ok(links.isOnline(sn))
})

test('a subscription waits for a device that is offline, and resumes when the device reconnects', async () => {
  const stop = links.subscribePreviews(sn, SIZE, collect)
  const first = await device()
  await requested(1)
  streams[0]?.write(encodeImage('one'))
  await delivered('one')
  await first.end()
  await until(() => !links.isOnline(sn), 'the device is offline')
  await device()
  await requested(2)
  streams[1]?.write(encodeImage('two'))
  await delivered('one', 'two')
  stop()
})

test('an image truncated by the end of a stream is not delivered, and does not corrupt the next one', async () => {
  await device()
  links.subscribePreviews(sn, SIZE, collect)
  await requested(1)
  streams[0]?.write(encodeImage('one'))
  streams[0]?.end(encodeImage('half of it').subarray(0, 9))
  await requested(2)
  streams[1]?.write(encodeImage('two'))
  await delivered('one', 'two')
})

test('a stream with an image that is too large is closed and requested again', async () => {
  await device()
  links.subscribePreviews(sn, SIZE, collect)
  await requested(1)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(PREVIEW_IMAGE_MAX + 1)
  streams[0]?.write(encodeImage('one'))
  streams[0]?.write(length)
  streams[0]?.write(encodeImage('never'))
  await requested(2)
  assert.ok(streams[0]?.destroyed)
  streams[1]?.write(encodeImage('two'))
  await delivered('one', 'two')
})

test('a stalled stream is closed and requested again, one with data is not', async () => {
  await open(1500)
  await device()
  links.subscribePreviews(sn, SIZE, collect)
  await requested(1)
  await sendPaced(Array(20).fill(encodeImage('p')), 100, (image) => streams[0]?.write(image))
  assert.equal(streams.length, 1)
  await requested(2)
  assert.ok(streams[0]?.destroyed)
})

test('a refused stream is requested again with back-off, until the subscription ends', async () => {
  const linkDevice = await device(404)
  const stop = links.subscribePreviews(sn, SIZE, collect)
  const times: number[] = []
  for (let count = 1; count <= 5; count++) {
    await requested(count)
    times.push(performance.now())
  }
  const total = (times[4] as number) - (times[0] as number)
  assert.ok(total > 20 + 40 + 80 + 80 - 10, `requested too often: ${total} ms`)
  stop()
  const requests = (width: number) => linkDevice.calls.filter(({ path }) => path.includes(`width=${width}&`)).length
  const before = requests(SIZE.width)
  links.subscribePreviews(sn, { width: 640, fps: 5 }, collect)
  await until(() => requests(640) === 5, 'five requests of another subscription')
  assert.equal(requests(SIZE.width), before)
  assert.deepEqual(received, [])
})

test('two subscriptions to one device have separate streams, and end separately', async () => {
  await device()
  const other: string[] = []
  const stop = links.subscribePreviews(sn, SIZE, collect)
  links.subscribePreviews(sn, { width: 640, fps: 5 }, (jpeg) => other.push(Buffer.from(jpeg).toString()))
  await requested(2)
  stop()
  stop()
  streams[1]?.write(encodeImage('two'))
  await until(() => other.length === 1, 'the other subscription continues')
  assert.deepEqual(received, [])
})

test('a subscription that is ended in its callback delivers no further image', async () => {
  await device()
  const stop = links.subscribePreviews(sn, SIZE, (jpeg) => {
    collect(jpeg)
    stop()
  })
  await requested(1)
  streams[0]?.write(Buffer.concat([encodeImage('one'), encodeImage('two')]))
  await until(() => streams[0]?.destroyed === true, 'the stream is closed')
  assert.deepEqual(received, ['one'])
})

test('requests get responses while previews use the full bandwidth', async () => {
  let sentCount = 0
  await connectLinkDevice(port, helloOf(1), ({ path }, stream) => {
    if (!path.startsWith('/link/preview')) return { result: 0 }
    stream.respond({ ':status': 200 })
    const image = encodeImage('x'.repeat(100_000))
    const more = () => {
      do sentCount++
      while (!stream.destroyed && stream.write(image))
    }
    stream.on('drain', more)
    more()
  })
  await until(() => links.isOnline(sn), 'it is online')
  let count = 0
  const stop = links.subscribePreviews(sn, SIZE, (jpeg) => {
    assert.equal(jpeg.length, 100_000)
    count++
  })
  await until(() => count > 20, 'previews are delivered')
  assert.equal((await links.request(sn, { method: 'GET', path: '/usapi?method=ping' }, 3000)).status, 200)
  stop()
  assert.ok(sentCount >= count)
})

test.run()
