// Devices that are ordered to push to the shared RTMP port.
import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { suite } from 'uvu'
import type { PushOrder } from '../../../contract/device/link.ts'
import { CONNECTION_STATE, RTMP } from '../../../contract/stream/protocols.ts'
import type { PushSettings, WantedInput } from '../../../engine/interfaces/channel.ts'
import { type RunningProcess, sendClip, setUpMedia } from '../../kit/engine/media.ts'
import { channel } from '../../kit/engine/wanted-channels.ts'
import { until } from '../../kit/until.ts'
import { createSharedPortsFixture, PORT_SETTINGS, type SharedPortsFixture } from './shared-ports-fixture.ts'

const test = suite('devices at the shared RTMP port')
setUpMedia(test)

let fixture: SharedPortsFixture
let orders: PushOrder[]
let cancelled: string[]
let sender: RunningProcess | undefined

const targetOf = ({ port, 'stream-id': key }: PushOrder) => `rtmp://127.0.0.1:${port}/live/${key}`
const camera = (push: Partial<PushSettings> = { protocol: RTMP }): WantedInput => ({
  id: 10,
  name: 'Camera',
  kind: 'device',
  sn: 'A1',
  push: { latency: 120, 'stream-index': 0, ...push }
})

async function send(order: PushOrder): Promise<void> {
  await sender?.kill()
  const srt = `srt://127.0.0.1:${order.port}?mode=caller&pkt_size=1316`
  sender =
    order.protocol === RTMP
      ? sendClip('flv', targetOf(order))
      : sendClip('mpegts', '-passphrase', order.passphrase, '-srt_streamid', order['stream-id'], srt)
}

test.before.each(() => {
  orders = []
  cancelled = []
  fixture = createSharedPortsFixture({
    async orderPush(_, order) {
      orders.push(order)
      await send(order)
    },
    async cancelOrder(sn) {
      cancelled.push(sn)
      await sender?.kill()
    }
  })
  // Both ports stay closed until something needs them.
  fixture.engine.configurePorts(PORT_SETTINGS)
})
test.after.each(async () => {
  await fixture.engine.close()
  await sender?.kill()
})

const isLive = () => fixture.waitForState(1, CONNECTION_STATE.connected)

test('the port opens for the device, which gets a key of its own and whose stream arrives', async () => {
  assert.equal(fixture.engine.observePorts().rtmp.port, undefined)
  fixture.engine.apply(channel(1, camera({ protocol: RTMP, 'stream-index': 1 })))
  await isLive()
  const [order] = orders
  assert.equal(orders.length, 1)
  assert.deepEqual(
    [order?.protocol, order?.port, order?.passphrase, order?.['stream-index']],
    [RTMP, fixture.engine.observePorts().rtmp.port, '', 1]
  )
  assert.match(order?.['stream-id'] ?? '', /^DEV-[\w-]{24}$/)
  await until(() => fixture.engine.observe(1).input.kbps > 100, 'the rate of the clip')
  const { input } = fixture.engine.observe(1)
  assert.ok(JSON.stringify(input.format).includes('H.264'), JSON.stringify(input.format))
})

test('a device that breaks off is ordered again with another key, and the old one is refused', async () => {
  fixture.engine.apply(channel(1, camera()))
  await isLive()
  const [first] = orders
  assert.ok(first)
  await sender?.kill()
  await until(() => orders.length === 2, 'the device gets another order')
  await isLive()
  assert.notEqual(orders[1]?.['stream-id'], first['stream-id'])
  const stale = sendClip('flv', targetOf(first))
  await stale.exited
  const stranger = sendClip('flv', fixture.rtmpUrl('DEV-000000000000000000000000'))
  await stranger.exited
  assert.equal(fixture.engine.observe(1).input.connState, CONNECTION_STATE.connected)
  assert.equal(orders.length, 2)
})

test('a channel that stops cancels the order and refuses the device', async () => {
  fixture.engine.apply(channel(1, camera()))
  await isLive()
  const [order] = orders
  assert.ok(order)
  fixture.engine.apply({ ...channel(1, camera()), enable: false })
  await until(() => cancelled.length === 1, 'the order is cancelled')
  const late = sendClip('flv', targetOf(order))
  await late.exited
  assert.match(late.output(), /error|refused|closed|Input\/output/i)
})

test('a device changes from SRT to RTMP and back while its channel runs', async () => {
  fixture.engine.apply(channel(1, camera({})))
  await isLive()
  assert.equal(orders.at(-1)?.protocol, undefined)
  fixture.engine.apply(channel(1, camera()))
  await until(() => orders.at(-1)?.protocol === RTMP, 'the device is ordered to push over RTMP')
  await isLive()
  const rtmp = orders.at(-1)
  fixture.engine.apply(channel(1, camera({})))
  await until(() => orders.length === 3, 'the device is ordered to push over SRT')
  assert.equal(orders[2]?.protocol, undefined)
  await isLive()
  assert.ok(rtmp)
  await sendClip('flv', targetOf(rtmp)).exited
  assert.equal(fixture.engine.observe(1).input.connState, CONNECTION_STATE.connected)
})

test('a port that cannot be opened is the reason at the input, and the device is not ordered', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  fixture.engine.configurePorts({ ...PORT_SETTINGS, rtmp: { port } })
  fixture.engine.apply(channel(1, camera()))
  await until(
    () => fixture.engine.observe(1).input.reason === `port-taken ${port}`,
    () => `the reason: ${JSON.stringify(fixture.engine.observe(1).input)}`
  )
  assert.equal(fixture.engine.observe(1).input.connState, CONNECTION_STATE.creationFailed)
  assert.deepEqual(orders, [])
  await new Promise((resolve) => server.close(resolve))
  await isLive()
})

test('one device is the input of two channels with one connection, beside publishers with keys of their own', async () => {
  fixture.engine.apply(channel(1, camera()))
  fixture.engine.apply(channel(2, camera()))
  await isLive()
  await fixture.waitForState(2, CONNECTION_STATE.connected)
  assert.equal(orders.length, 1)
  const access = { 'push-key': 'PUSH-3', 'play-key': 'PLAY-3', srt: false, rtmp: true, 'allow-ip': [] }
  fixture.engine.apply({ ...channel(3, { id: 0, name: 'Stage', kind: 'pushed', channel: 3 }), access })
  const publisher = fixture.pushRtmp('PUSH-3')
  await fixture.waitForState(3, CONNECTION_STATE.connected)
  await publisher.kill()
  assert.equal(fixture.engine.observe(1).input.connState, CONNECTION_STATE.connected)
})

test.run()
