// Playing a channel in a page, from the call to the end of the stream.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW, DEVICE_VIEW } from '../../../../contract/access/permissions.ts'
import { logout } from '../../../../contract/access/session.ts'
import {
  NOT_EXIST,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  TOO_MANY,
  TRY_AGAIN,
  WRONG_STATE
} from '../../../../contract/codes.ts'
import { acceptDevices, setDeviceSecurity } from '../../../../contract/device/device.ts'
import { WATCHERS_PER_USER_MAX } from '../../../../contract/limits.ts'
import { addChannel, enableChannel, queryChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { CONNECTION_STATE } from '../../../../contract/stream/protocols.ts'
import { addInput } from '../../../../contract/stream/source.ts'
import { sendClip, setUpMedia } from '../../../kit/engine/media.ts'
import { addUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'
import { freeUdpPort } from '../../../kit/net/free-port.ts'
import { until } from '../../../kit/until.ts'

const test = suite('watching a channel')
hubForEach(test)
setUpMedia(test)

let channelId: number
/** Node id of a device that is a backup of the channel, and its serial number. */
let spare: { id: number; sn: string }

/** A channel that receives a clip. */
async function startChannel(): Promise<void> {
  const [sn = ''] = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [sn] })
  spare = { id: hub.parts.store.devices.bySerial(sn)?.id ?? 0, sn }
  const port = await freeUdpPort()
  const { id: source } = await admin.send(addInput, {
    name: 'Truck',
    config: { type: 1, url: `udp://127.0.0.1:${port}` }
  })
  channelId = (await admin.send(addChannel, { name: 'News', config: { backups: [spare.id] } })).id
  await admin.send(setChannelInput, { id: channelId, input: source })
  await admin.send(enableChannel, { id: channelId, enable: true })
  sendClip('mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`)
  const isLive = () => hub.parts.engine.observe(channelId).input.connState === CONNECTION_STATE.connected
  await until(isLive, 'the stream arrives')
}

const watch = (client: Client, id = channelId) => client.raw('GET', `/api/channel/watch?id=${id}&v=1`)
const resultOf = async (client: Client, id?: number) => (await (await watch(client, id)).json()).result
const watchers = async () => (await admin.send(queryChannel, { id: channelId })).channel.watchers

test('the stream begins with its initialization segment, and is counted while it is open', async () => {
  await startChannel()
  const response = await watch(admin)
  assert.equal(response.headers.get('content-type'), 'video/mp4; codecs="avc1.42c00d,mp4a.40.2"')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('x-accel-buffering'), 'no')
  assert.equal(await watchers(), 1)
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  assert.equal(Buffer.from(value ?? []).toString('latin1', 4, 8), 'ftyp')
  await reader?.cancel()
  await until(async () => (await watchers()) === undefined, 'it is not counted any more')
})

test('watching a channel requires access to it and to all devices that can be its input', async () => {
  await startChannel()
  assert.equal(await resultOf(hub.client()), NOT_LOGGED_IN)
  assert.equal(await resultOf(await addUser(hub, 'dora', DEVICE_VIEW)), NOT_PERMITTED)
  assert.equal(await resultOf(admin, 1), NOT_EXIST)
  const viewer = await addUser(hub, 'vera', CHANNEL_VIEW)
  const response = await watch(viewer)
  const reader = response.body?.getReader()
  await reader?.read()
  await admin.send(setDeviceSecurity, { sn: spare.sn, security: { 'is-inherit': 0, 'group-mask': 1, 'usr-mask': 0 } })
  await assert.rejects(async () => {
    for (;;) if ((await reader?.read())?.done) throw new Error('ended')
  })
  assert.equal(await resultOf(viewer), NOT_PERMITTED)
  await until(async () => (await watchers()) === undefined, 'it is not counted any more')
})

test('the stream of a session that ends is closed', async () => {
  await startChannel()
  const client = await hub.signIn()
  const reader = (await watch(client)).body?.getReader()
  await reader?.read()
  await client.send(logout, {})
  await assert.rejects(async () => {
    for (;;) if ((await reader?.read())?.done) throw new Error('ended')
  })
})

test('a stopped channel and one without a stream are refused', async () => {
  await startChannel()
  const { id: silent } = await admin.send(addChannel, { name: 'Silent' })
  assert.equal(await resultOf(admin, silent), WRONG_STATE)
  await admin.send(enableChannel, { id: silent, enable: true })
  assert.equal(await resultOf(admin, silent), TRY_AGAIN)
})

test('a fifth page of a user plays, and the one that began first ends and is told why', async () => {
  await startChannel()
  const play = (page: number) => admin.raw('GET', `/api/channel/watch?id=${channelId}&v=${page}`)
  const pages = []
  for (let page = 1; page <= WATCHERS_PER_USER_MAX + 1; page++) pages.push(await play(page))
  assert.deepEqual(
    pages.map(({ status }) => status),
    pages.map(() => 200)
  )
  assert.equal(await watchers(), WATCHERS_PER_USER_MAX)
  const first = pages[0]?.body?.getReader()
  await assert.rejects(async () => {
    for (;;) if ((await first?.read())?.done) throw new Error('ended')
  })
  const { result, max } = await (await play(1)).json()
  assert.deepEqual([result, max], [TOO_MANY, WATCHERS_PER_USER_MAX])
  await pages[1]?.body?.cancel()
  await until(async () => (await watchers()) === WATCHERS_PER_USER_MAX - 1, 'it is not counted any more')
  const again = await play(1)
  assert.equal(again.status, 200, 'there is a place again')
  for (const { body } of [again, ...pages.slice(2)]) await body?.cancel()
})

test.run()
