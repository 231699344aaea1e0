// Update of a device at an address, which the hub finds again after its restart.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SUCCESS } from '../../../contract/codes.ts'
import { addDevice } from '../../../contract/device/address.ts'
import { DEVICE_UPDATE_STATE, listRolloutDevices, upgradeDevices } from '../../../contract/rollout.ts'
import { startHttpDevice } from '../../kit/fleet/http-device.ts'
import { firmwareFile, uploadFile } from '../../kit/hub/firmware-upload.ts'
import { startHub } from '../../kit/hub/hub.ts'
import { until } from '../../kit/until.ts'

const test = suite('update of a device at an address')

test('a device at an address is updated once the hub finds it again with the new version', async () => {
  const hub = await startHub({
    addressed: { retry: [40, 80], find: 4000, verify: 2500 },
    firmware: {
      timing: {
        pollInterval: 20,
        restartDelay: 50,
        stallTimeout: 5000,
        responseTimeout: 5000,
        reconnectTimeout: 20_000,
        installTimeout: 20_000
      }
    }
  })
  const admin = hub.clientAs()
  let device = await startHttpDevice('encodeAio')
  try {
    const { port, user, password, appliance } = device
    const { sn } = appliance.entry
    assert.equal((await admin.send(addDevice, { address: '127.0.0.1', port, user, password })).result, SUCCESS)
    await until(() => hub.parts.registry.isOnline(sn), 'it is online')
    const firmware = await uploadFile(admin, firmwareFile('encodeAio', '1.5.0', { size: 400_000 }))
    const { details, id } = await admin.send(upgradeDevices, { sn: [sn], 'firmware-id': firmware })
    assert.deepEqual(details, [{ sn, result: SUCCESS }])
    await until(() => appliance.restarting, 'the device restarts')
    await device.close()
    await until(() => !hub.parts.registry.isOnline(sn), 'it is offline')
    device = await startHttpDevice('encodeAio', { port, sn })
    device.appliance.firmware = () => '1.5.0'
    await until(() => hub.parts.store.rollouts.byId(id)?.state === 'done', 'the rollout is done')
    const { list } = await admin.send(listRolloutDevices, { id })
    assert.deepEqual(
      list.map((update) => [update.state, update.reason, update['firmware-ver']]),
      [[DEVICE_UPDATE_STATE.idle, undefined, '1.5.0']]
    )
  } finally {
    await hub.close()
    await device.close()
  }
})

test.run()
