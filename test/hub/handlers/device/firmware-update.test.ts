import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_VIEW, FIRMWARE_VIEW } from '../../../../contract/access/permissions.ts'
import { NOT_PERMITTED, SUCCESS } from '../../../../contract/codes.ts'
import { acceptDevices, listDevices, setFavorite } from '../../../../contract/device/device.ts'
import { deleteFirmware } from '../../../../contract/firmware.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { firmwareFile, uploadFile } from '../../../kit/hub/firmware-upload.ts'
import { addUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'

const test = suite('firmware updates of devices')
hubForEach(test)

const OLD = helloOf(1, { 'firmware-ver': '1.4.0' })
const NEW = helloOf(2, { 'firmware-ver': '1.10.0' })
const OTHER_MODEL = helloOf(3, { 'product-id': 772, 'module-name': 'Ultra Encode HDMI', 'firmware-ver': '1.0.0' })
const PENDING = helloOf(4, { 'firmware-ver': '1.0.0' })

test.before.each(async () => {
  for (const hello of [OLD, NEW, OTHER_MODEL, PENDING]) hub.parts.registry.register(hello, '192.0.2.10')
  await admin.send(acceptDevices, { sn: [OLD.sn, NEW.sn, OTHER_MODEL.sn] })
})

const updates = async (client: Client = admin) =>
  Object.fromEntries(
    (await client.send(listDevices, {})).list.flatMap((device) =>
      device['firmware-update'] ? [[device.sn, device['firmware-update']]] : []
    )
  )
const serialsWithUpdate = async () => (await admin.send(listDevices, { update: 1 })).list.map(({ sn }) => sn)
const counts = async (client: Client = admin) => (await client.send(systemStatus, {})).status.system.device

test('the newest release that fits a device and is newer than its firmware is its update', async () => {
  assert.deepEqual(await updates(), {})
  await uploadFile(admin, firmwareFile('encodeAio', '1.9.0'))
  await uploadFile(admin, firmwareFile('encodeAio', '1.5.0'))
  // A test build is no update that the hub proposes.
  await uploadFile(admin, firmwareFile('encodeAio', '2.0.0', { test: true }))
  assert.deepEqual(await updates(), { [OLD.sn]: '1.9.0' })
  const newest = await uploadFile(admin, firmwareFile('encodeAio', '1.11.0'))
  assert.deepEqual(await updates(), { [OLD.sn]: '1.11.0', [NEW.sn]: '1.11.0' })
  await admin.send(deleteFirmware, { id: newest })
  assert.deepEqual(await updates(), { [OLD.sn]: '1.9.0' })
})

test('devices with an update can be listed and are counted, also by a client that knows the list already', async () => {
  const { rev } = await admin.send(listDevices, {})
  assert.deepEqual([await serialsWithUpdate(), (await counts())['num-update']], [[], 0])
  const id = await uploadFile(admin, firmwareFile('encodeAio', '1.5.0'))
  assert.deepEqual([await serialsWithUpdate(), (await counts())['num-update']], [[OLD.sn], 1])
  const delta = await admin.send(listDevices, { since: rev })
  assert.equal(delta.list.find(({ sn }) => sn === OLD.sn)?.['firmware-update'], '1.5.0')
  await admin.send(deleteFirmware, { id })
  const after = await admin.send(listDevices, { since: delta.rev })
  assert.equal(after.list.find(({ sn }) => sn === OLD.sn)?.['firmware-update'], undefined)
  assert.equal(after.list.length, 3)
  assert.deepEqual([await serialsWithUpdate(), (await counts())['num-update']], [[], 0])
})

test('callers who may not view firmware get no updates', async () => {
  await uploadFile(admin, firmwareFile('encodeAio', '1.5.0'))
  const viewer = await addUser(hub, 'viewer', DEVICE_VIEW)
  assert.deepEqual(await updates(viewer), {})
  assert.equal((await viewer.send(listDevices, { update: 1 })).result, NOT_PERMITTED)
  assert.equal((await viewer.send(listDevices, { update: 0 })).result, SUCCESS)
  assert.ok(!('num-update' in (await counts(viewer))))
  const reader = await addUser(hub, 'reader', DEVICE_VIEW | FIRMWARE_VIEW)
  assert.deepEqual(await updates(reader), { [OLD.sn]: '1.5.0' })
  assert.equal((await counts(reader))['num-update'], 1)
})

test('favorites are counted for each user, without devices that are not accepted', async () => {
  const viewer = await addUser(hub, 'viewer', DEVICE_VIEW)
  await admin.send(setFavorite, { sn: [OLD.sn, NEW.sn, PENDING.sn], favorite: true })
  await viewer.send(setFavorite, { sn: [OLD.sn], favorite: true })
  assert.deepEqual([(await counts())['num-favorite'], (await counts(viewer))['num-favorite']], [2, 1])
})

test.run()
