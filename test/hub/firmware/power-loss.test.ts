// Kills the hub during a rollout, at each step of a device update. The rollout continues after the next start.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { SUCCESS } from '../../../contract/codes.ts'
import { acceptDevices, listDevices } from '../../../contract/device/device.ts'
import { finishUpload, startUpload } from '../../../contract/firmware.ts'
import { DEVICE_UPDATE_STATE, listRolloutDevices, queryRollout, startRollout } from '../../../contract/rollout.ts'
import { startDevices } from '../../kit/fleet/demo-device.ts'
import { firmwareFile } from '../../kit/hub/firmware-upload.ts'
import { type HubProcess, startHubProcess } from '../../kit/hub/hub-process.ts'
import { until } from '../../kit/until.ts'

const test = suite('power loss during a rollout')

test('a hub killed while a device receives, installs or restarts continues the rollout, and each device has the new version at the end', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-rollout-'))
  const file = firmwareFile('encodeAio', '1.5.0', { size: 20_000_000 })
  let hub: HubProcess = await startHubProcess(data)
  const ports = { web: Number(new URL(hub.url).port), link: hub.linkPort }
  const devices = startDevices(
    { folder: join(data, 'fleet'), linkPort: hub.linkPort, timing: { reboot: 700, install: 900 } },
    'encodeAio',
    4
  )
  const sn = devices.map((device) => device.sn)
  try {
    await until(
      async () => (await hub.send(listDevices, { 'reg-state': 'waiting' })).total === 4,
      'all devices wait for acceptance'
    )
    assert.equal((await hub.send(acceptDevices, { sn })).result, SUCCESS)
    const { upload } = await hub.send(startUpload, { name: file.name, size: file.bytes.length })
    const half = file.bytes.length / 2
    assert.equal(await hub.sendChunk(upload, 0, file.bytes.subarray(0, half)), half)
    await hub.kill()
    hub = await startHubProcess(data, ports)
    assert.equal(await hub.sendChunk(upload, half, file.bytes.subarray(half)), file.bytes.length)
    const { id: firmware = 0, result } = await hub.send(finishUpload, { upload, add: true })
    assert.equal(result, SUCCESS)
    await until(async () => (await hub.send(listDevices, { status: 'online' })).total === 4, 'all devices are online')
    const { id } = await hub.send(startRollout, { sn, 'firmware-id': firmware, wave: 3 })
    for (const step of [DEVICE_UPDATE_STATE.updating, DEVICE_UPDATE_STATE.installing, DEVICE_UPDATE_STATE.restarting]) {
      await until(async () => {
        const { list } = await hub.send(listRolloutDevices, { id })
        return list.some(({ state }) => state === step) || list.every(({ state }) => state <= 0)
      }, `a device is at step ${step}`)
      await hub.kill()
      hub = await startHubProcess(data, ports)
    }
    await until(async () => (await hub.send(queryRollout, { id })).rollout.state === 'done', 'the rollout is done')
    const { list } = await hub.send(listRolloutDevices, { id })
    assert.deepEqual(
      list.map((update) => [update.state, update.reason, update['firmware-ver']]),
      sn.map(() => [DEVICE_UPDATE_STATE.idle, undefined, '1.5.0'])
    )
  } finally {
    for (const device of devices) device.stop()
    await hub.kill()
    rmSync(data, { recursive: true })
  }
})

test.run()
