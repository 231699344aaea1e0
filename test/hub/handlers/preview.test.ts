import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW, DEVICE_VIEW, INPUT_OUTPUT_VIEW, NDI_VIEW } from '../../../contract/access/permissions.ts'
import { logout } from '../../../contract/access/session.ts'
import { INVALID_ARG, NOT_EXIST, NOT_LOGGED_IN, NOT_PERMITTED, SUCCESS, TOO_MANY } from '../../../contract/codes.ts'
import {
  acceptDevices,
  REGISTRATION_STATE,
  rejectDevices,
  setDeviceSecurity,
  setGlobalDevice
} from '../../../contract/device/device.ts'
import { addNdiPreset, deleteNdiPresets } from '../../../contract/ndi/preset.ts'
import { ndiPreviewId } from '../../../contract/ndi/preview-id.ts'
import type { NdiUrl } from '../../../contract/ndi/url.ts'
import { clearPreview, setupPreview } from '../../../contract/preview.ts'
import { addChannel, queryChannel, setChannelInput } from '../../../contract/stream/channel.ts'
import { addInput } from '../../../contract/stream/source.ts'
import { readStreamHead } from '../../../src/preview/headers.ts'
import { addUser, type Client } from '../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { helloOf, registerDevices } from '../../kit/hub/register-devices.ts'

const test = suite('preview')
let imageListeners: Map<string, (jpeg: Uint8Array) => void>
hubForEach(test)
test.before.each(() => {
  imageListeners = new Map()
  // This test is about which previews are requested, not about their contents.
  hub.parts.links.subscribePreviews = (sn, _format, onPicture) => {
    imageListeners.set(sn, onPicture)
    return () => imageListeners.delete(sn)
  }
})

async function open(client = admin) {
  const response = await client.raw('GET', '/api/preview/open?v=1')
  const head = readStreamHead(response.headers)
  assert.ok(head && response.body)
  return { ...head, response, reader: response.body.getReader() }
}

test('a preview needs a session, and a changed password for remote clients', async () => {
  const openPreview = async (client: Client) => (await client.raw('GET', '/api/preview/open')).json()
  assert.deepEqual(await openPreview(hub.client()), { result: NOT_LOGGED_IN })
  const remoteClient = await hub.signIn('Admin', 'Admin', '192.0.2.7')
  assert.deepEqual(await openPreview(remoteClient), { result: NOT_PERMITTED, 'must-change-password': true })
})

test('a stream has the hub’s security headers and shows the requested previews', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [sn] })
  const { handle, response, reader } = await open()
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  await reader.read()
  assert.equal((await admin.send(setupPreview, { id: handle, add: [`DEV-${sn}`] })).result, SUCCESS)
  imageListeners.get(sn)?.(new Uint8Array([1, 2, 3]))
  assert.match(Buffer.from((await reader.read()).value ?? []).toString(), new RegExp(`^image-id: DEV-${sn}\r\n`))
  assert.equal((await admin.send(setupPreview, { id: handle, del: [`DEV-${sn}`] })).result, SUCCESS)
  assert.equal(imageListeners.size, 0)
  assert.equal((await admin.send(clearPreview, { id: handle })).result, SUCCESS)
  assert.equal((await reader.read()).done, true)
  assert.equal((await admin.send(clearPreview, { id: handle })).result, NOT_EXIST)
})

test('the stream of another session does not exist, even of the same user', async () => {
  const { handle } = await open()
  for (const other of [await hub.signIn(), await addUser(hub, 'vera', 4294967295)]) {
    assert.equal((await other.send(setupPreview, { id: handle, add: [] })).result, NOT_EXIST)
    assert.equal((await other.send(clearPreview, { id: handle })).result, NOT_EXIST)
  }
  assert.equal((await admin.send(setupPreview, { id: 'made-up' })).result, NOT_EXIST)
  assert.equal((await admin.send(setupPreview, { id: handle })).result, SUCCESS)
})

test('unknown ids, and ids that the caller has no access to, are skipped', async () => {
  const [a = '', b = '', c = '', d = ''] = registerDevices(hub, 4)
  await admin.send(acceptDevices, { sn: [a, b] })
  await admin.send(rejectDevices, { sn: [c] })
  hub.parts.store.database.run('UPDATE device SET is_inherit = 0, group_mask = 1 WHERE sn = ?', b)
  const viewer = await addUser(hub, 'vera', CHANNEL_VIEW)
  const { handle } = await open(viewer)
  const add = [...[a, b, c, d].map((sn) => `DEV-${sn}`), a, 'DEV-', 'DEV-nothing', 1001, `DEV-${a}\r\nx: y`]
  assert.equal((await viewer.send(setupPreview, { id: handle, add })).result, SUCCESS)
  assert.deepEqual([...imageListeners.keys()], [a])
})

test('a channel’s preview needs the permission to view channels and all devices that may be in it', async () => {
  const [sn = '', spare = ''] = registerDevices(hub, 2)
  await admin.send(acceptDevices, { sn: [sn, spare] })
  const { channels, devices } = hub.parts.store
  const watchedChannels = new Set<number>()
  hub.parts.engine.watchPreview = (id) => {
    watchedChannels.add(id)
    return () => watchedChannels.delete(id)
  }
  const url = 'srt://127.0.0.1:9000'
  const { id: source } = await admin.send(addInput, { name: 'Truck', config: { type: 1, url } })
  const { id } = await admin.send(addChannel, { name: 'News', config: { backups: [devices.bySerial(spare)?.id ?? 0] } })
  await admin.send(setChannelInput, { id, input: source })
  const channelPreviewId = `CHANNEL-${id}`
  const viewer = await addUser(hub, 'vera', CHANNEL_VIEW)
  const { handle } = await open(viewer)
  const ask = () =>
    viewer.send(setupPreview, { id: handle, add: [channelPreviewId, 'CHANNEL-', 'CHANNEL-x', 'CHANNEL--1'] })
  await ask()
  assert.deepEqual([...watchedChannels], [id])
  const inputPreviewId = async (client: Client) => {
    const { channel } = await client.send(queryChannel, { id })
    assert.equal(channel['preview-id'], channel.input?.['preview-id'])
    return channel.input?.['preview-id']
  }
  assert.equal(await inputPreviewId(viewer), undefined, 'the channel is stopped')
  channels.setEnable(id, true)
  assert.equal(await inputPreviewId(viewer), channelPreviewId)
  const hidden = { 'is-inherit': 0, 'group-mask': 1, 'usr-mask': 0 }
  await admin.send(setDeviceSecurity, { sn: spare, security: hidden })
  assert.deepEqual([...watchedChannels], [], 'one of its devices is hidden')
  await ask()
  assert.deepEqual([...watchedChannels], [])
  assert.deepEqual([await inputPreviewId(viewer), await inputPreviewId(admin)], [undefined, channelPreviewId])
  const otherGroup = await addUser(hub, 'dora', DEVICE_VIEW, 2 ** 3)
  const other = await open(otherGroup)
  channels.setBackups(id, [])
  await otherGroup.send(setupPreview, { id: other.handle, add: [channelPreviewId] })
  assert.deepEqual([...watchedChannels], [], 'a user who may only view devices')
  await ask()
  assert.deepEqual([...watchedChannels], [id])
})

test('a caller with permission to view neither devices nor channels gets no preview images', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [sn] })
  const client = await addUser(hub, 'ines', INPUT_OUTPUT_VIEW)
  const { handle } = await open(client)
  assert.equal((await client.send(setupPreview, { id: handle, add: [`DEV-${sn}`] })).result, SUCCESS)
  assert.equal(imageListeners.size, 0)
})

test('a picture of an NDI source needs the permission to view inputs or NDI, and only those of stored inputs have an address', async () => {
  const watched: NdiUrl[] = []
  hub.parts.engine.watchNdi = (source) => {
    watched.push(source)
    return () => {}
  }
  const url = 'ntkndi://ndi?name=Hall&url=10.0.0.9'
  const { id } = await admin.send(addNdiPreset, { name: 'Hall', ndi: { name: 'Hall', url: '10.0.0.9' } })
  const add = [ndiPreviewId('STUDIO (Cam 1)'), ndiPreviewId(url), ndiPreviewId(`${url}:80`), 'NDI-'] as string[]
  const watchAs = async (permissions: number) => {
    watched.length = 0
    const client = await addUser(hub, `user${permissions}`, permissions)
    const { handle } = await open(client)
    assert.equal((await client.send(setupPreview, { id: handle, add })).result, SUCCESS)
    await client.send(clearPreview, { id: handle })
    return watched
  }
  const visible = [{ name: 'STUDIO (Cam 1)' }, { name: 'Hall', address: '10.0.0.9' }]
  assert.deepEqual(await watchAs(NDI_VIEW), visible)
  assert.deepEqual(await watchAs(INPUT_OUTPUT_VIEW), visible)
  assert.deepEqual(await watchAs(DEVICE_VIEW | CHANNEL_VIEW), [])
  assert.equal((await admin.send(deleteNdiPresets, { id })).result, SUCCESS)
  assert.deepEqual(await watchAs(NDI_VIEW | INPUT_OUTPUT_VIEW), [{ name: 'STUDIO (Cam 1)' }])
})

test('a preview stops as soon as the viewer loses access to it, and the stream continues', async () => {
  const [a = '', b = ''] = registerDevices(hub, 2)
  await admin.send(acceptDevices, { sn: [a, b] })
  const viewer = await addUser(hub, 'vera', CHANNEL_VIEW)
  const { handle } = await open(viewer)
  const add = [a, b].map((sn) => `DEV-${sn}`)
  await viewer.send(setupPreview, { id: handle, add })
  assert.equal(imageListeners.size, 2)
  const hidden = { 'group-mask': 1, 'usr-mask': 0 }
  assert.equal(
    (await admin.send(setDeviceSecurity, { sn: a, security: { 'is-inherit': 0, ...hidden } })).result,
    SUCCESS
  )
  assert.deepEqual([...imageListeners.keys()], [b])
  assert.equal((await admin.send(setGlobalDevice, { security: hidden })).result, SUCCESS)
  assert.equal(imageListeners.size, 0)
  assert.equal((await viewer.send(setupPreview, { id: handle, add })).result, SUCCESS, 'the stream is still there')
  assert.equal(imageListeners.size, 0)
})

test('too many ids are refused as a whole', async () => {
  const { handle } = await open()
  const { devices, database } = hub.parts.store
  const all = Array.from({ length: 1001 }, (_, index) => `DEV-${helloOf(index).sn}`)
  database.transaction(() => {
    all.forEach((_, index) => {
      devices.add(helloOf(index), '', REGISTRATION_STATE.accepted, '192.0.2.10', Date.now())
    })
  })
  assert.equal((await admin.send(setupPreview, { id: handle, add: all.slice(0, 1000) })).result, SUCCESS)
  assert.equal((await admin.send(setupPreview, { id: handle, add: all.slice(1000) })).result, TOO_MANY)
  assert.equal((await admin.send(setupPreview, { id: handle, add: all })).result, INVALID_ARG)
  assert.equal(imageListeners.size, 1000)
})

test('streams end with their session, and devices are no longer asked for previews', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [sn] })
  const { handle, reader } = await open()
  await reader.read()
  await admin.send(setupPreview, { id: handle, add: [`DEV-${sn}`] })
  assert.equal(imageListeners.size, 1)
  await admin.send(logout, {})
  assert.equal((await reader.read()).done, true)
  assert.equal(imageListeners.size, 0)
})

test.run()
