// Orders to devices at addresses that answer the documented requests alone: what the hub sets up on them, and what they
// get back.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { SUCCESS, UNSUPPORTED } from '../../../../../contract/codes.ts'
import { addDevice } from '../../../../../contract/device/address.ts'
import { configureDevices, deleteDevices, queryDevice } from '../../../../../contract/device/device.ts'
import { RTMP, SRT } from '../../../../../contract/stream/protocols.ts'
import { reasonText } from '../../../../../hub/messages/reasons.ts'
import { cleanUpMedia, clipPath } from '../../../../kit/engine/media.ts'
import {
  addressedHubForEach,
  createAddRequest,
  isOnline,
  SHORT_TIMEOUTS,
  startDevice
} from '../../../../kit/fleet/addressed-devices.ts'
import type { HttpDevice } from '../../../../kit/fleet/http-device.ts'
import { admin, hub, replaceHub } from '../../../../kit/hub/hub-for-each.ts'
import { until } from '../../../../kit/until.ts'

const test = suite('orders to devices at addresses')
test.after(cleanUpMedia)
addressedHubForEach(test)

const DECODER = 'Z410210600124'
const documented = { clipPath: () => clipPath() }
/** Nothing listens there. */
const PUSH = {
  port: 9,
  'stream-id': 'push/x',
  passphrase: 'a secret of 24 letters',
  latency: 200,
  'stream-index': 0
} as const
const PLAY = { port: 9, 'stream-id': 'play/x', passphrase: 'a secret of 24 letters', latency: 200 } as const

async function add(...[model, options]: Parameters<typeof startDevice>): Promise<{ device: HttpDevice; sn: string }> {
  const device = await startDevice(model, { ...options, documented })
  const { family: module } = device.appliance.entry.model
  const reply = await admin.send(addDevice, createAddRequest(device, { module }))
  assert.equal(reply.result, SUCCESS)
  return { device, sn: reply.sn }
}

/** Asks a device itself. */
async function ask(sn: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const call = body
    ? { method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    : { method: 'GET', path }
  return JSON.parse((await hub.parts.links.request(sn, call, 10_000)).body.toString())
}

const serversOf = async (sn: string) =>
  (await ask(sn, '/usapi?method=get-settings'))['stream-server'] as Record<string, unknown>[]

const addServer = (sn: string, name: string) =>
  ask(sn, `/usapi?method=add-server&type=0&name=${name}&url=rtmp%3A%2F%2F127.0.0.1%3A9%2Flive&key=${name}&is-use=1`)

const isLive = async (sn: string) => (Number((await ask(sn, '/usapi?method=get-status'))['cur-status']) & 4) !== 0

const message = (error: unknown) => reasonText('en', `device-refuses ${(error as Error).message}`)

test('an encoder that cannot reach the hub is reported with the words of its result code', async () => {
  const { sn, device } = await add('encodeAio')
  const order = hub.parts.links.orderStream(sn, PUSH)
  await assert.rejects(order, (error) => {
    assert.equal(message(error), 'the device refused: The operation timed out (-12)')
    assert.doesNotMatch((error as Error).message, /secret/)
    return true
  })
  const [server] = await serversOf(sn)
  assert.deepEqual(
    [server?.type, server?.['ip-addr'], server?.port, server?.aes, server?.latency],
    [120, '127.0.0.1', '9', '16', '200']
  )
  assert.deepEqual(device.unknownRequests, [])
})

test('an encoder that is live stays live for its own servers', async () => {
  const { sn } = await add('encodeAio')
  await addServer(sn, 'Church')
  await ask(sn, '/usapi?method=start-live')
  hub.parts.links.orderStream(sn, PUSH).catch(() => {})
  await until(async () => (await serversOf(sn)).length === 2, 'the hub has a server on the device')
  const uses = async () => (await serversOf(sn)).map((server) => server['is-use'])
  await until(async () => (await uses()).join() === '1,1', 'both servers are in use')
  await hub.parts.links.cancelOrder(sn)
  assert.deepEqual(await uses(), [1, 0])
  assert.ok(await isLive(sn))
})

test('a full list of servers is not changed, and the reason is given in words', async () => {
  const { sn } = await add('encodeAio')
  for (let index = 1; index <= 16; index++) await addServer(sn, `Server${index}`)
  const before = await serversOf(sn)
  await assert.rejects(hub.parts.links.orderStream(sn, PUSH), (error) =>
    /all of its 16 streaming servers are set up/.test(message(error))
  )
  assert.deepEqual(await serversOf(sn), before)
})

test('Ultra Stream, which has no SRT, gets an RTMP server', async () => {
  const { sn } = await add('streamHdmi', { sn: 'A302210600130' })
  assert.equal((await admin.send(queryDevice, { sn })).dev['sends-over'], 'RTMP')
  hub.parts.links.orderStream(sn, { ...PUSH, protocol: RTMP, 'stream-id': 'DEV-key', passphrase: '' }).catch(() => {})
  await until(async () => (await serversOf(sn)).length > 0, 'the device has a server')
  const [server] = await serversOf(sn)
  assert.deepEqual([server?.type, server?.url, server?.key], [0, 'rtmp://127.0.0.1:9/live', 'DEV-key'])
})

test('what a decoder played before is shown, survives a restart of the hub, and is given back then', async () => {
  const data = mkdtempSync(join(tmpdir(), 'orders-'))
  try {
    await replaceHub({ data, addressed: SHORT_TIMEOUTS })
    const { sn, device } = await add('ndiToHdmi', { sn: DECODER })
    await hub.parts.links.orderPlayback(sn, PLAY)
    assert.equal((await admin.send(queryDevice, { sn })).dev['plays-before'], 'STUDIO (Program)')
    const { channels } = (await ask(sn, '/mwapi?method=list-channels')) as { channels: { url: string }[] }
    assert.match(
      channels[0]?.url ?? '',
      /^srt:\/\/127\.0\.0\.1:9\?mode=caller&streamid=play\/x&passphrase=.*&latency=200$/
    )
    // No channel has the decoder as its output, so the order is over when the hub starts again.
    await replaceHub({ data, addressed: SHORT_TIMEOUTS })
    await until(() => isOnline(sn), 'the device is online')
    await until(
      async () => (await ask(sn, '/mwapi?method=get-channel')).name === 'STUDIO (Program)',
      'the decoder has its source again'
    )
    await until(
      async () => (await admin.send(queryDevice, { sn })).dev['plays-before'] === undefined,
      'nothing is kept any more'
    )
    assert.deepEqual(device.unknownRequests, [])
  } finally {
    await replaceHub({})
    rmSync(data, { recursive: true })
  }
})

test('a decoder that is deleted from the hub gets its source back', async () => {
  const { sn, device } = await add('ndiToHdmi', { sn: DECODER })
  await hub.parts.links.orderPlayback(sn, PLAY)
  await admin.send(deleteDevices, { sn: [sn] })
  await until(
    () => device.requests.some((line) => line.includes('method=del-channel')),
    'the source of the hub was deleted'
  )
  const selection = device.requests.filter((line) => line.includes('method=set-channel')).at(-1)
  assert.match(selection ?? '', /ndi-name=true&name=STUDIO%20\(Program\)/)
})

test('a source that a user has selected meanwhile stays', async () => {
  const { sn } = await add('ndiToHdmi', { sn: DECODER })
  await hub.parts.links.orderPlayback(sn, PLAY)
  await ask(sn, '/mwapi?method=set-channel&ndi-name=true&name=OTHER%20(1)')
  await hub.parts.links.cancelPlayback(sn)
  assert.equal((await ask(sn, '/mwapi?method=get-channel')).name, 'OTHER (1)')
})

test('a newer decoder plays by an entry in its list of sources, which is removed afterwards', async () => {
  const { sn, device } = await add('ipDecoder', { sn: 'B434210600131' })
  const before = await ask(sn, '/api/source/list')
  await hub.parts.links.orderPlayback(sn, { ...PLAY, 'buffer-ms': 60 })
  const { list, selected } = (await ask(sn, '/api/source/list')) as Sources
  const own = list.find(({ id }) => id === selected)
  assert.equal(own?.config.name, 'Headend hub')
  assert.match(own?.config.url ?? '', /&mw-buffer-duration=60$/)
  // A second order changes the entry.
  await hub.parts.links.orderPlayback(sn, { ...PLAY, port: 10 })
  assert.equal(((await ask(sn, '/api/source/list')) as unknown as Sources).list.length, 2)
  await hub.parts.links.cancelPlayback(sn)
  assert.deepEqual(await ask(sn, '/api/source/list'), before)
  assert.deepEqual(device.unknownRequests, [])
})

interface Sources extends Record<string, unknown> {
  list: { id: number; config: { name: string; url: string } }[]
  selected: number
}

test('the stream of a Pro Convert encoder is its NDI source, which is followed when it is renamed', async () => {
  const { sn, device } = await add('hdmiToNdi', { sn: 'B401210600132' })
  const sendsOver = async () => (await admin.send(queryDevice, { sn })).dev['sends-over']
  await until(async () => (await sendsOver()) === 'NDI', 'the NDI source is known')
  const id = hub.parts.store.devices.bySerial(sn)?.id ?? 0
  const source = () => hub.parts.store.deviceStreams.ndiSource(id)
  assert.equal(source(), 'MAIN HALL PTZ (Channel 1)')
  const config = { input: { protocol: SRT, 'stream-index': 0 } } as const
  assert.equal((await admin.send(configureDevices, { sn: [sn], config })).result, UNSUPPORTED)
  device.appliance.rename('Stage')
  await until(() => source() === 'STAGE (Channel 1)', 'the new name of the NDI source')
})

test('an encoder with snapshots has a preview, which is fetched with its session; a decoder has none', async () => {
  const { sn } = await add('encodeAio')
  const { dev } = await admin.send(queryDevice, { sn })
  assert.equal(dev['preview-id'], `DEV-${sn}`)
  const received: Uint8Array[] = []
  const unsubscribe = hub.parts.links.subscribePreviews(sn, { width: 320, fps: 2 }, (jpeg) => received.push(jpeg))
  await until(() => received.length > 0, 'a picture')
  assert.deepEqual([received[0]?.[0], received[0]?.[1]], [0xff, 0xd8])
  unsubscribe()
  const decoder = await add('ndiToHdmi', { sn: DECODER })
  assert.equal((await admin.send(queryDevice, { sn: decoder.sn })).dev['preview-id'], undefined)
})

test.run()
