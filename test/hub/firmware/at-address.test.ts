// An update of a device that is reached at an address: it restarts, and is found again with the new version.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addDevice } from '../../../contract/device/address.ts'
import { listRolloutDevices, UPDATE, upgradeDevices } from '../../../contract/firmware.ts'
import { addFile, firmwareFile } from '../../kit/firmware.ts'
import { startHttpDevice } from '../../kit/http-device.ts'
import { startHub } from '../../kit/hub.ts'
import { until } from '../../kit/until.ts'

const test = suite('update at an address')

test('a device at an address is updated when it is found again with the new version', async () => {
  const hub = await startHub({
    addressed: { retry: [40, 80], find: 800, verify: 300 },
    firmware: { timing: { look: 20, linger: 50, stall: 1000, answer: 500, back: 4000, install: 4000 } }
  })
  const admin = hub.enter()
  let box = await startHttpDevice('encodeAio')
  try {
    const { port, user, password, appliance } = box
    const { sn } = appliance.entry
    assert.equal((await admin.send(addDevice, { address: '127.0.0.1', port, user, password })).result, 0)
    await until(() => hub.hub.registry.online(sn), 'it is online')
    const firmware = await addFile(admin, firmwareFile('encodeAio', '1.5.0', { size: 400_000 }))
    const { details, id } = await admin.send(upgradeDevices, { sn: [sn], 'firmware-id': firmware })
    assert.deepEqual(details, [{ sn, result: 0 }])
    await until(() => appliance.restarting, 'it was told to restart')
    await box.close()
    await until(() => !hub.hub.registry.online(sn), 'it is gone')
    box = await startHttpDevice('encodeAio', { port, sn })
    box.appliance.firmware = () => '1.5.0'
    await until(() => hub.hub.store.rollouts.byId(id)?.state === 'done', 'the rollout is done', 8000)
    const { list } = await admin.send(listRolloutDevices, { id })
    assert.deepEqual(
      list.map((one) => [one.state, one.reason, one['firmware-ver']]),
      [[UPDATE.idle, undefined, '1.5.0']]
    )
  } finally {
    await hub.close()
    await box.close()
  }
})

test.run()
