// The states of a firmware update and its failures, from demo devices that go through them, to the page of the device.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { queryDevice } from '../../../../contract/device/device.ts'
import { DEVICE_UPDATE_STATE, upgradeDevices } from '../../../../contract/rollout.ts'
import type { Behaviour } from '../../../../fleet/behaviour.ts'
import { MODELS } from '../../../../fleet/models.ts'
import { linkTo } from '../../../../src/paths.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { findByRole, waitForText } from '../../../kit/console/page.ts'
import { type SimulatedFleet, startSimulatedFleet } from '../../../kit/fleet/simulated-fleet.ts'
import { TIMING } from '../../../kit/fleet/update-fixture.ts'
import { firmwareFile, uploadFile } from '../../../kit/hub/firmware-upload.ts'
import { until } from '../../../kit/until.ts'

const test = suite('device update on screen')
let fleet: SimulatedFleet
test.after.each(async () => {
  await closeConsole()
  fleet.close()
})
// No timeout of the hub ends a state before the test has seen it.
hubForEach(test, {
  firmware: {
    timing: {
      ...TIMING,
      stallTimeout: 60_000,
      responseTimeout: 60_000,
      reconnectTimeout: 60_000,
      installTimeout: 60_000
    }
  }
})

type ModelKey = Parameters<SimulatedFleet['add']>[0]

const uploadVersion = (model: ModelKey, version: string) => uploadFile(other, firmwareFile(model, version))
const startUpdate = async (firmware: number, ...sn: string[]) =>
  (await other.send(upgradeDevices, { sn, 'firmware-id': firmware })).result
const updateOf = async (sn: string) => (await other.send(queryDevice, { sn })).dev.update

async function openFacts(sn: string): Promise<HTMLElement> {
  await openConsole(hub, { at: linkTo('deviceDetail', { sn, catalog: '0' }) })
  return findByRole('article', 'Device')
}

test('an update goes through uploading, installing and restarting, and each is on the page of the device', async () => {
  fleet = await startSimulatedFleet(hub, other, { reboot: 1500, install: 4000 })
  const sn = await fleet.add('encodeAio')
  const firmware = await uploadVersion('encodeAio', '1.5.0')
  // It does not respond to the upload until its behaviour changes.
  fleet.device(sn).applyCommand('stall')
  assert.equal(await startUpdate(firmware, sn), 0)
  const facts = await openFacts(sn)
  await waitForText(/Firmware update Updating: \d+ %/, facts)
  fleet.device(sn).applyCommand('normal')
  // The stalled upload is lost with its link, and the update fails as a download. The next one is installed.
  await hub.parts.links.disconnect(sn, 'cut by the test')
  await waitForText('Failed: Firmware download failed. Check the network, then try again.', facts)
  await until(() => hub.parts.registry.isOnline(sn), 'the device connects again')
  assert.equal(await startUpdate(firmware, sn), 0)
  await waitForText(/Firmware update Installing: \d+ %/, facts)
  await waitForText('Firmware update Restarting', facts)
  // The end of the update is its new version here, and its own state in the list of rollouts.
  await waitForText('Firmware 1.5.0', facts)
  assert.equal(await updateOf(sn), undefined)
  await closeConsole()
  await openConsole(hub, { at: linkTo('firmware', { tab: 'rollouts' }) })
  await waitForText('1 of 1 done, 0 failed')
  await waitForText('Completed with failures')
})

test('devices wait for their turn', async () => {
  fleet = await startSimulatedFleet(hub, other)
  const serials: string[] = []
  // The hub sends files to eight devices at a time.
  for (let count = 0; count < 9; count++) serials.push(await fleet.add('encodeAio'))
  for (const sn of serials) fleet.device(sn).applyCommand('stall')
  assert.equal(await startUpdate(await uploadVersion('encodeAio', '1.5.0'), ...serials), 0)
  const last = serials.at(-1) ?? ''
  const { rollouts } = hub.parts.store
  const receiving = () => rollouts.currentUpdates().filter(({ state }) => state === DEVICE_UPDATE_STATE.updating)
  await until(() => receiving().length === 8, 'eight devices receive the file')
  assert.equal((await updateOf(last))?.state, DEVICE_UPDATE_STATE.waiting)
  await waitForText('Firmware update Queued', await openFacts(last))
})

test('each failure of an update is on the page of the device with what to do', async () => {
  fleet = await startSimulatedFleet(hub, other)
  const failures: readonly [Behaviour, string][] = [
    ['update-refused', 'Another update is in progress. Wait until it is finished.'],
    ['update-full', 'Not enough space. Free some space first.'],
    ['update-mismatch', 'The file does not match the model. Choose another one.'],
    ['update-missing', 'Firmware file not found. Upload it again.'],
    ['update-failed', 'Firmware installation failed. The device keeps its current firmware. Try again.']
  ]
  for (const model of ['encodeAio', 'hdmiToNdi', 'directorMini'] as const) {
    const sn = await fleet.add(model)
    const firmware = await uploadVersion(model, '9.0.0')
    const facts = await openFacts(sn)
    for (const [behaviour, reason] of failures) {
      fleet.device(sn).applyCommand(behaviour)
      assert.equal(await startUpdate(firmware, sn), 0, behaviour)
      await waitForText(`Failed: ${reason}`, facts)
    }
    // It kept its firmware, and can still be updated.
    await waitForText(`Firmware ${MODELS[model].firmware}`, facts)
    fleet.device(sn).applyCommand('normal')
    assert.equal(await startUpdate(firmware, sn), 0)
    await waitForText('Firmware 9.0.0', facts)
    assert.equal(await updateOf(sn), undefined)
    await closeConsole()
  }
})

test.run()
