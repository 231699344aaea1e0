import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_CONTROL, DEVICE_VIEW, FIRMWARE_VIEW } from '../../../../contract/access/permissions.ts'
import { DATA_LOSS, NOT_EXIST, NOT_PERMITTED, OBJECT_BUSY, SUCCESS, WRONG_STATE } from '../../../../contract/codes.ts'
import { queryDevice, setDeviceSecurity } from '../../../../contract/device/device.ts'
import { deleteFirmware } from '../../../../contract/firmware.ts'
import {
  cancelRollout,
  DEVICE_UPDATE_STATE,
  deleteRollout,
  listRolloutDevices,
  listRollouts,
  pauseRollout,
  queryRollout,
  resumeRollout,
  retryRollout,
  startRollout,
  upgradeDevices
} from '../../../../contract/rollout.ts'
import { fleet, updateFixtureForEach } from '../../../kit/fleet/update-fixture.ts'
import { firmwareFile, uploadFile } from '../../../kit/hub/firmware-upload.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { admin, hub } from '../../../kit/hub/hub-for-each.ts'
import { until } from '../../../kit/until.ts'

const test = suite('rollout')
updateFixtureForEach(test)

test('each device has its own result: wrong model, unknown, offline, already updating, lower version', async () => {
  const [good = '', off = '', high = ''] = await fleet.start('encodeAio', 3)
  const [other = ''] = await fleet.start('hdmiToNdi', 1)
  const [slow = ''] = await fleet.start('encodeAio', 1, { reboot: 100, install: 60_000 })
  const firmware = await uploadFile(admin, firmwareFile('encodeAio', '1.4.226'))
  const newer = await uploadFile(admin, firmwareFile('encodeAio', '1.4.300'))
  const upgrade = await admin.send(upgradeDevices, { sn: [high], 'firmware-id': newer })
  await fleet.waitForEnd(upgrade.id)
  await admin.send(upgradeDevices, { sn: [slow], 'firmware-id': newer })
  fleet.stop(off)
  await until(() => !hub.parts.registry.isOnline(off), 'the device is offline')
  const sn = [good, other, 'B313000000999', off, slow, high]
  const { result, details, id } = await admin.send(upgradeDevices, { sn, 'firmware-id': firmware })
  assert.equal(result, SUCCESS)
  assert.deepEqual(
    details.map((detail) => detail.result),
    [0, 24, 16, 12, 11, 1009]
  )
  await fleet.waitForEnd(id)
  assert.equal(fleet.versionOf(good), '1.4.226')
  const lower = await admin.send(upgradeDevices, { sn: [high], 'firmware-id': firmware })
  assert.equal(lower.result, DATA_LOSS)
  const forced = await admin.send(upgradeDevices, { sn: [high], 'firmware-id': firmware, force: true })
  await fleet.waitForEnd(forced.id)
  assert.equal(fleet.versionOf(high), '1.4.226')
  assert.equal((await admin.send(upgradeDevices, { sn: [good], 'firmware-id': 4711 })).result, NOT_EXIST)
})

test('one device is updated first; the others follow in waves once it has succeeded', async () => {
  const sn = await fleet.start('encodeAio', 6)
  const firmware = await uploadFile(admin, firmwareFile('encodeAio', '1.5.0'))
  const { id } = await admin.send(startRollout, { sn, 'firmware-id': firmware, wave: 3 })
  await fleet.waitForEnd(id)
  const { list } = await admin.send(listRolloutDevices, { id })
  assert.deepEqual(
    list.map(({ wave }) => wave),
    [1, 2, 2, 2, 3, 3]
  )
  for (const device of list) {
    const before = list.filter(({ wave }) => wave < device.wave)
    assert.ok(
      before.every((earlier) => earlier.ended <= device.started),
      'a wave begins after the one before it'
    )
    assert.equal(device['firmware-ver'], '1.5.0')
  }
  const { rollout } = await admin.send(queryRollout, { id })
  assert.deepEqual([rollout.state, rollout.total, rollout.done, rollout.failed], ['done', 6, 6, 0])
})

test('failures are reported with their reason, and stop the rollout', async () => {
  const sn = await fleet.start('encodeAio', 4)
  const firmware = await uploadFile(admin, firmwareFile('encodeAio', '1.5.0', { size: 500_000 }))
  fleet.applyCommand(sn[0], 'update-full')
  const { id } = await admin.send(startRollout, { sn, 'firmware-id': firmware })
  await fleet.waitForEnd(id, 'stopped')
  assert.deepEqual((await fleet.deviceStates(id))[0], [DEVICE_UPDATE_STATE.failed, 29])
  const { dev } = await admin.send(queryDevice, { sn: sn[0] ?? '' })
  assert.deepEqual(dev.update, {
    state: DEVICE_UPDATE_STATE.failed,
    progress: 0,
    reason: 29,
    tone: 'bad',
    text: 'Failed: Not enough space. Free some space first.'
  })
  assert.equal((await admin.send(queryDevice, { sn: sn[1] ?? '' })).dev.update?.state, DEVICE_UPDATE_STATE.waiting)
  const { rollout } = await admin.send(queryRollout, { id })
  assert.deepEqual([rollout.failed, rollout.waiting, rollout.active], [1, 3, 0])
  fleet.applyCommand(sn[0], 'normal')
  assert.equal((await admin.send(resumeRollout, { id })).result, SUCCESS)
  await fleet.waitForEnd(id)
  assert.deepEqual(
    (await fleet.deviceStates(id)).map(([state]) => state),
    [DEVICE_UPDATE_STATE.failed, 0, 0, 0]
  )
  const retryReply = await admin.send(retryRollout, { id })
  assert.deepEqual(retryReply.details, [{ sn: sn[0], result: SUCCESS }])
  await fleet.waitForEnd(id)
  assert.equal(fleet.versionOf(sn[0]), '1.5.0')
  assert.equal((await admin.send(queryDevice, { sn: sn[0] ?? '' })).dev.update, undefined)
  assert.equal((await admin.send(retryRollout, { id })).result, WRONG_STATE)
})

test('a paused rollout starts no further device; a cancelled one never does', async () => {
  const sn = await fleet.start('encodeAio', 3, { reboot: 100, install: 2000 })
  const firmware = await uploadFile(admin, firmwareFile('encodeAio', '1.5.0'))
  const { id } = await admin.send(startRollout, { sn, 'firmware-id': firmware })
  assert.equal((await admin.send(resumeRollout, { id })).result, WRONG_STATE)
  assert.equal((await admin.send(pauseRollout, { id })).result, SUCCESS)
  await until(
    () => hub.parts.store.rollouts.device(id, sn[0] ?? '')?.state === DEVICE_UPDATE_STATE.idle,
    'the first one is done'
  )
  const { rollout } = await admin.send(queryRollout, { id })
  assert.deepEqual([rollout.state, rollout.waiting, rollout.active], ['paused', 2, 0])
  assert.equal((await admin.send(deleteRollout, { id })).result, WRONG_STATE)
  assert.equal((await admin.send(cancelRollout, { id })).result, SUCCESS)
  assert.equal(fleet.stateOf(id), 'cancelled')
  assert.deepEqual(await fleet.deviceStates(id), [
    [DEVICE_UPDATE_STATE.idle, undefined],
    [DEVICE_UPDATE_STATE.failed, 42],
    [DEVICE_UPDATE_STATE.failed, 42]
  ])
  assert.equal((await admin.send(cancelRollout, { id })).result, WRONG_STATE)
  const { rev } = await admin.send(listRollouts, {})
  assert.equal((await admin.send(deleteRollout, { id })).result, SUCCESS)
  assert.deepEqual((await admin.send(listRollouts, { since: rev })).gone, [id])
})

test('a device that is offline does not fail while the rollout is paused', async () => {
  const [first = '', away = '', later = ''] = await fleet.start('encodeAio', 3)
  const firmware = await uploadFile(admin, firmwareFile('encodeAio', '1.5.0'))
  const { id } = await admin.send(startRollout, { sn: [first, away], 'firmware-id': firmware })
  fleet.stop(away)
  await until(() => hub.parts.store.rollouts.device(id, away)?.wave === 2, 'it has had a turn')
  assert.equal((await admin.send(pauseRollout, { id })).result, SUCCESS)
  // Another device goes offline after it, in a rollout that is not paused, and fails.
  fleet.stop(later)
  const other = await admin.send(startRollout, { sn: [later], 'firmware-id': firmware })
  await fleet.waitForEnd(other.id)
  assert.equal((await fleet.deviceStates(other.id))[0]?.[0], DEVICE_UPDATE_STATE.failed)
  assert.deepEqual((await fleet.deviceStates(id))[1], [DEVICE_UPDATE_STATE.waiting, undefined])
})

test('a firmware used by a rollout cannot be deleted; with force the waiting devices are cancelled', async () => {
  const sn = await fleet.start('encodeAio', 2, { reboot: 100, install: 2000 })
  const firmware = await uploadFile(admin, firmwareFile('encodeAio', '1.5.0'))
  const { id } = await admin.send(startRollout, { sn, 'firmware-id': firmware })
  await until(
    () => hub.parts.store.rollouts.device(id, sn[0] ?? '')?.state === DEVICE_UPDATE_STATE.installing,
    'one installs'
  )
  assert.equal((await admin.send(deleteFirmware, { id: firmware })).result, OBJECT_BUSY)
  assert.equal((await admin.send(deleteFirmware, { id: firmware, force: true })).result, SUCCESS)
  await fleet.waitForEnd(id)
  assert.deepEqual(await fleet.deviceStates(id), [
    [DEVICE_UPDATE_STATE.idle, undefined],
    [DEVICE_UPDATE_STATE.failed, 42]
  ])
  assert.equal((await admin.send(retryRollout, { id })).result, NOT_EXIST)
})

test('a caller can neither update hidden devices nor see their rollouts', async () => {
  const [visibleSerial = '', hiddenSerial = ''] = await fleet.start('encodeAio', 2)
  const viewer = await addUser(hub, 'viewer', FIRMWARE_VIEW | DEVICE_VIEW)
  const operator = await addUser(hub, 'operator', FIRMWARE_VIEW | DEVICE_VIEW | DEVICE_CONTROL)
  await admin.send(setDeviceSecurity, {
    sn: hiddenSerial,
    security: { 'is-inherit': false, 'group-mask': 1, 'usr-mask': 0 }
  })
  const firmware = await uploadFile(admin, firmwareFile('encodeAio', '1.5.0'))
  assert.equal(
    (await viewer.send(upgradeDevices, { sn: [visibleSerial], 'firmware-id': firmware })).result,
    NOT_PERMITTED
  )
  assert.equal((await operator.send(upgradeDevices, { sn: [hiddenSerial], 'firmware-id': firmware })).result, NOT_EXIST)
  const reply = await admin.send(startRollout, { sn: [visibleSerial, hiddenSerial], 'firmware-id': firmware })
  const { list } = await operator.send(listRollouts, {})
  assert.deepEqual(
    list.map(({ id, total }) => [id, total]),
    [[reply.id, 1]]
  )
  const { list: shown } = await operator.send(listRolloutDevices, { id: reply.id })
  assert.deepEqual(
    shown.map(({ sn }) => sn),
    [visibleSerial]
  )
  assert.equal((await operator.send(pauseRollout, { id: reply.id })).result, NOT_PERMITTED)
  await fleet.waitForEnd(reply.id)
  const hiddenUpgrade = await admin.send(upgradeDevices, { sn: [hiddenSerial], 'firmware-id': firmware })
  assert.equal((await operator.send(queryRollout, { id: hiddenUpgrade.id })).result, NOT_EXIST)
  assert.equal((await viewer.send(listRollouts, {})).total, 1)
})

test.run()
