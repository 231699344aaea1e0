// Updates over real links, with demo devices that succeed or fail.

import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SUCCESS } from '../../../contract/codes.ts'
import { listLog } from '../../../contract/log.ts'
import {
  DEVICE_UPDATE_STATE,
  listRolloutDevices,
  retryRollout,
  startRollout,
  upgradeDevices
} from '../../../contract/rollout.ts'
import type { BehaviourCommand } from '../../../fleet/behaviour.ts'
import { fleet, updateFixtureForEach } from '../../kit/fleet/update-fixture.ts'
import { firmwareFile, uploadFile } from '../../kit/hub/firmware-upload.ts'
import { admin, hub } from '../../kit/hub/hub-for-each.ts'
import { recordProcessLog } from '../../kit/hub/process-log.ts'
import { until } from '../../kit/until.ts'

const test = suite('device update')
updateFixtureForEach(test)

test('each generation is updated with its own calls, and succeeds when the device reports the new version', async () => {
  for (const [model, version] of [
    ['encodeAio', '1.5.0'],
    ['hdmiToNdi', '1.4.1'],
    ['directorMini', '2.2.0']
  ] as const) {
    const [sn = ''] = await fleet.start(model, 1)
    const firmware = await uploadFile(admin, firmwareFile(model, version, { size: 1_000_000 }))
    const { result, details, id } = await admin.send(upgradeDevices, { sn: [sn], 'firmware-id': firmware })
    assert.deepEqual([result, details], [0, [{ sn, result: 0 }]])
    const seenStates = new Set<number>()
    await until(() => {
      seenStates.add(hub.parts.store.rollouts.device(id, sn)?.state ?? -9)
      return fleet.stateOf(id) === 'done'
    }, `the ${model} is updated`)
    assert.deepEqual(await fleet.deviceStates(id), [[DEVICE_UPDATE_STATE.idle, undefined]])
    assert.equal(fleet.versionOf(sn), version)
    for (const state of [DEVICE_UPDATE_STATE.updating, DEVICE_UPDATE_STATE.installing, DEVICE_UPDATE_STATE.restarting])
      assert.ok(seenStates.has(state), `${state}`)
  }
  const { list } = await admin.send(listLog, { type: 'device' })
  assert.equal(list.filter(({ event }) => event === 'firmware-updated').length, 3)
})

test('each kind of failure has its reason, and the rollout continues on other devices if it has no failure limit', async () => {
  const failures: [BehaviourCommand, number, string][] = [
    ['update-refused', 11, '1.4.225'],
    ['update-full', 29, '1.4.225'],
    ['update-failed', 6, '1.4.225'],
    ['update-old', 40, '1.4.225'],
    ['update-lost', 12, '1.4.225'],
    ['stall', 2, '1.4.225'],
    ['lie', 49, '1.4.225']
  ]
  const sn = await fleet.start('encodeAio', failures.length + 1)
  for (const [index, [command]] of failures.entries()) fleet.applyCommand(sn[index], command)
  const firmware = await uploadFile(admin, firmwareFile('encodeAio', '1.5.0', { size: 300_000 }))
  const { id } = await admin.send(startRollout, { sn, 'firmware-id': firmware, first: 0, wave: 20, 'stop-after': 0 })
  await fleet.waitForEnd(id)
  const { list } = await admin.send(listRolloutDevices, { id })
  assert.deepEqual(
    list.map(({ state, reason }, index) => [failures[index]?.[0], state, reason]),
    [
      ...failures.map(([command, reason]) => [command, DEVICE_UPDATE_STATE.failed, reason]),
      [undefined, DEVICE_UPDATE_STATE.idle, undefined]
    ]
  )
  for (const [index, [, , version]] of failures.entries()) assert.equal(fleet.versionOf(sn[index]), version)
})

test('a link cut during the upload fails the update, and the device keeps its version', async () => {
  const [sn = ''] = await fleet.start('encodeAio', 1)
  const firmware = await uploadFile(admin, firmwareFile('encodeAio', '1.5.0', { size: 30_000_000 }))
  const { id } = await admin.send(upgradeDevices, { sn: [sn], 'firmware-id': firmware })
  await until(() => hub.parts.firmware.rollouts.progressOf(id, sn) > 0, 'the upload makes progress')
  await hub.parts.links.disconnect(sn, 'cut by the test')
  await fleet.waitForEnd(id)
  assert.deepEqual(await fleet.deviceStates(id), [[DEVICE_UPDATE_STATE.failed, 45]])
  await until(() => hub.parts.registry.isOnline(sn), 'the device is online again')
  assert.equal(fleet.versionOf(sn), '1.4.225')
  await admin.send(retryRollout, { id })
  await fleet.waitForEnd(id)
  assert.equal(fleet.versionOf(sn), '1.5.0')
})

test('a link cut during the installation does not fail the update', async () => {
  const [sn = ''] = await fleet.start('encodeAio', 1, { reboot: 100, install: 1500 })
  const firmware = await uploadFile(admin, firmwareFile('encodeAio', '1.5.0'))
  const { id } = await admin.send(upgradeDevices, { sn: [sn], 'firmware-id': firmware })
  await until(
    () => hub.parts.store.rollouts.device(id, sn)?.state === DEVICE_UPDATE_STATE.installing,
    'the device installs the update'
  )
  await hub.parts.links.disconnect(sn, 'cut by the test')
  await fleet.waitForEnd(id)
  assert.deepEqual(await fleet.deviceStates(id), [[DEVICE_UPDATE_STATE.idle, undefined]])
})

test('the hub waits for a device that is offline when its update is due, and its update fails if it stays offline', async () => {
  const [first = '', reconnecting = '', stopped = ''] = await fleet.start('encodeAio', 3)
  const firmware = await uploadFile(admin, firmwareFile('encodeAio', '1.5.0'))
  const sn = [first, reconnecting, stopped]
  const { id } = await admin.send(startRollout, { sn, 'firmware-id': firmware })
  await until(
    () => hub.parts.store.rollouts.device(id, first)?.state === DEVICE_UPDATE_STATE.restarting,
    'the first one restarts'
  )
  await hub.parts.links.disconnect(reconnecting, 'cut by the test')
  fleet.stop(stopped)
  await fleet.waitForEnd(id)
  // The list begins with the failed devices.
  assert.deepEqual(await fleet.deviceStates(id), [
    [DEVICE_UPDATE_STATE.failed, 12],
    [DEVICE_UPDATE_STATE.idle, undefined],
    [DEVICE_UPDATE_STATE.idle, undefined]
  ])
})

test('a result that could not be stored is stored at the second attempt', async () => {
  const [sn = ''] = await fleet.start('encodeAio', 1)
  const firmware = await uploadFile(admin, firmwareFile('encodeAio', '1.5.0'))
  const { rollouts } = hub.parts.store
  const { setDevice } = rollouts
  let attempts = 0
  rollouts.setDevice = (id, serial, state, ...more) => {
    if (state === DEVICE_UPDATE_STATE.idle && attempts++ === 0) throw new Error('disk full')
    setDevice(id, serial, state, ...more)
  }
  await recordProcessLog(async () => {
    const { id } = await admin.send(upgradeDevices, { sn: [sn], 'firmware-id': firmware })
    await fleet.waitForEnd(id)
    assert.deepEqual(await fleet.deviceStates(id), [[DEVICE_UPDATE_STATE.idle, undefined]])
    assert.equal(attempts, 2)
  })
})

test('the current version of a device can be installed again', async () => {
  const [sn = ''] = await fleet.start('encodeAio', 1)
  const firmware = await uploadFile(admin, firmwareFile('encodeAio', '1.4.225'))
  const since = hub.parts.registry.liveState(sn)?.onlineSince
  const { id, details } = await admin.send(upgradeDevices, { sn: [sn], 'firmware-id': firmware })
  assert.equal(details[0]?.result, SUCCESS)
  await fleet.waitForEnd(id)
  assert.deepEqual(await fleet.deviceStates(id), [[DEVICE_UPDATE_STATE.idle, undefined]])
  assert.notEqual(hub.parts.registry.liveState(sn)?.onlineSince, since, 'the device restarted')
})

test.run()
