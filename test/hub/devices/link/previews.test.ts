import assert from 'node:assert/strict'
import type { ServerHttp2Stream } from 'node:http2'
import { suite } from 'uvu'
import { REGISTRATION } from '../../../../contract/device/device.ts'
import { PICTURE_MAX } from '../../../../contract/device/link.ts'
import { createDeviceLinks, type DeviceLinks } from '../../../../hub/devices/link/links.ts'
import { helloOf } from '../../../kit/device.ts'
import { dial, type LinkDevice } from '../../../kit/link-device.ts'
import { until } from '../../../kit/until.ts'

const test = suite('pictures')
const { sn } = helloOf(1)
const SIZE = { width: 320, fps: 2 }
let links: DeviceLinks
let port: number
/** Streams on which the device was asked for pictures. */
let streams: ServerHttp2Stream[]
let got: string[]
const take = (jpeg: Uint8Array) => got.push(Buffer.from(jpeg).toString())

async function open(pictureStall = 5000) {
  await links?.close()
  streams = []
  got = []
  links = createDeviceLinks({
    hello: () => ({ state: REGISTRATION.accepted }),
    up() {},
    down() {},
    pictureStall,
    pictureRetry: [20, 80]
  })
  port = await links.listen(0, '127.0.0.1')
}
test.before.each(() => open())
test.after.each(() => links.close())

function framed(picture: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(picture))
  return Buffer.concat([length, Buffer.from(picture)])
}

async function device(status = 200): Promise<LinkDevice> {
  const one = await dial(port, helloOf(1), (_call, stream) => {
    streams.push(stream)
    stream.respond({ ':status': status })
    if (status !== 200) stream.end('no')
  })
  await until(() => links.online(sn), 'it is online')
  return one
}

const asked = (times: number) => until(() => streams.length >= times, `it was asked ${times} times`)
const shown = (...pictures: string[]) =>
  until(() => JSON.stringify(got) === JSON.stringify(pictures), `${pictures} were shown, not ${got}`)

test('pictures come as they are sent, until they are wanted no more', async () => {
  const one = await device()
  const stop = links.pictures(sn, SIZE, take)
  await asked(1)
  assert.deepEqual(
    one.calls.map(({ method, path }) => [method, path]),
    [['GET', '/link/preview?width=320&fps=2']]
  )
  streams[0]?.write(framed('one'))
  streams[0]?.write(framed('two'))
  await shown('one', 'two')
  stop()
  await until(() => streams[0]?.destroyed === true, 'the device hears of it')
  assert.equal(streams[0]?.rstCode, 8)
  assert.ok(links.online(sn))
})

test('pictures wait for a device that is not there yet, and come again when it is back', async () => {
  const stop = links.pictures(sn, SIZE, take)
  const first = await device()
  await asked(1)
  streams[0]?.write(framed('one'))
  await shown('one')
  await first.end()
  await until(() => !links.online(sn), 'it is gone')
  await new Promise((resolve) => setTimeout(resolve, 100))
  await device()
  await asked(2)
  streams[1]?.write(framed('two'))
  await shown('one', 'two')
  stop()
})

test('a picture cut off by the end of a stream is never shown, and does not spoil the next', async () => {
  await device()
  links.pictures(sn, SIZE, take)
  await asked(1)
  streams[0]?.write(framed('one'))
  streams[0]?.end(framed('half of it').subarray(0, 9))
  await asked(2)
  streams[1]?.write(framed('two'))
  await shown('one', 'two')
})

test('a picture that is too large ends the stream; it is asked for anew', async () => {
  await device()
  links.pictures(sn, SIZE, take)
  await asked(1)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(PICTURE_MAX + 1)
  streams[0]?.write(framed('one'))
  streams[0]?.write(length)
  streams[0]?.write(framed('never'))
  await asked(2)
  assert.ok(streams[0]?.destroyed)
  streams[1]?.write(framed('two'))
  await shown('one', 'two')
})

test('a stream that stalls is given up and asked for anew, one that goes on is not', async () => {
  await open(300)
  await device()
  links.pictures(sn, SIZE, take)
  await asked(1)
  for (let times = 0; times < 8; times++) {
    streams[0]?.write(framed('p'))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.equal(streams.length, 1)
  await asked(2)
  assert.ok(streams[0]?.destroyed)
})

test('a device that refuses is asked again, ever less often, and not after it is wanted no more', async () => {
  await device(404)
  const stop = links.pictures(sn, SIZE, take)
  const times: number[] = []
  for (let count = 1; count <= 5; count++) {
    await asked(count)
    times.push(performance.now())
  }
  const total = (times[4] as number) - (times[0] as number)
  assert.ok(total > 20 + 40 + 80 + 80 - 10, `asked too often: ${total} ms`)
  stop()
  const before = streams.length
  await new Promise((resolve) => setTimeout(resolve, 150))
  assert.ok(streams.length <= before)
  assert.deepEqual(got, [])
})

test('two that want pictures of one device have a stream each, and end on their own', async () => {
  await device()
  const other: string[] = []
  const stop = links.pictures(sn, SIZE, take)
  links.pictures(sn, { width: 640, fps: 5 }, (jpeg) => other.push(Buffer.from(jpeg).toString()))
  await asked(2)
  stop()
  stop()
  streams[1]?.write(framed('two'))
  await until(() => other.length === 1, 'the other one goes on')
  assert.deepEqual(got, [])
})

test('who stops while being handed a picture gets no further one', async () => {
  await device()
  const stop = links.pictures(sn, SIZE, (jpeg) => {
    take(jpeg)
    stop()
  })
  await asked(1)
  streams[0]?.write(Buffer.concat([framed('one'), framed('two')]))
  await until(() => streams[0]?.destroyed === true, 'it is over')
  assert.deepEqual(got, ['one'])
})

test('calls go through while pictures flow at full speed', async () => {
  let sent = 0
  await dial(port, helloOf(1), ({ path }, stream) => {
    if (!path.startsWith('/link/preview')) return { result: 0 }
    stream.respond({ ':status': 200 })
    const picture = framed('x'.repeat(100_000))
    const more = () => {
      do sent++
      while (!stream.destroyed && stream.write(picture))
    }
    stream.on('drain', more)
    more()
  })
  await until(() => links.online(sn), 'it is online')
  let shown = 0
  const stop = links.pictures(sn, SIZE, (jpeg) => {
    assert.equal(jpeg.length, 100_000)
    shown++
  })
  await until(() => shown > 20, 'pictures flow')
  assert.equal((await links.request(sn, { method: 'GET', path: '/usapi?method=ping' }, 3000)).status, 200)
  stop()
  assert.ok(sent >= shown)
})

test.run()
