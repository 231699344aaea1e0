// Firmware of devices at a hub that has only the documented call for it.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { upgradeDevices } from '../../../../contract/rollout.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { menuItemOf, selectionToolbar, selectRow } from '../../../kit/console/device-list.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { click, fill, findByRole, queryAllByRole, waitForNone, waitForText } from '../../../kit/console/page.ts'
import { type SimulatedFleet, startSimulatedFleet } from '../../../kit/fleet/simulated-fleet.ts'
import { TIMING } from '../../../kit/fleet/update-fixture.ts'
import { firmwareFile, uploadFile } from '../../../kit/hub/firmware-upload.ts'
import { until } from '../../../kit/until.ts'

const test = suite('firmware at another hub')
let fleet: SimulatedFleet
test.after.each(async () => {
  await closeConsole()
  fleet.close()
})
hubForEach(test, { firmware: { timing: TIMING } })

const openDialog = () => findByRole('dialog', 'Update firmware')

test('a device is updated with the id of a firmware file, which the hub does not list', async () => {
  fleet = await startSimulatedFleet(hub, other)
  const sn = await fleet.add('encodeAio', 'Encoder')
  const id = await uploadFile(other, firmwareFile('encodeAio', '1.5.0'))
  const console = await openConsole(hub, { at: ROUTES.allDevices, hasDocumentedCallsOnly: true })
  const bodies: string[] = []
  console.intercept = (path, body) => {
    if (path.includes(upgradeDevices.path)) bodies.push(body ?? '')
    return undefined
  }
  await click(await menuItemOf('Encoder', 'Update firmware'))
  await waitForText('This hub does not list its firmware files.', await openDialog())
  await fill(await findByRole('textbox', 'Firmware ID', await openDialog()), '0')
  await click(await findByRole('button', 'Update firmware', await openDialog()))
  assert.deepEqual(bodies, [])
  await fill(await findByRole('textbox', 'Firmware ID', await openDialog()), String(id))
  await click(await findByRole('button', 'Update firmware', await openDialog()))
  await waitForNone('dialog')
  assert.deepEqual(JSON.parse(bodies[0] ?? ''), { sn: [sn], 'firmware-id': id, 'dry-run': 'if-off-air' })
  await until(() => hub.parts.store.devices.bySerial(sn)?.firmware_ver === '1.5.0', 'the device has the version')
})

test('the result of each device is shown', async () => {
  fleet = await startSimulatedFleet(hub, other)
  await fleet.add('encodeAio', 'Encoder')
  await fleet.add('hdmiToNdi', 'Converter')
  const id = await uploadFile(other, firmwareFile('encodeAio', '1.5.0'))
  await openConsole(hub, { at: ROUTES.allDevices, hasDocumentedCallsOnly: true })
  await selectRow('Encoder')
  await selectRow('Converter')
  await click(await findByRole('button', 'Update firmware', await selectionToolbar()))
  await fill(await findByRole('textbox', 'Firmware ID', await openDialog()), String(id))
  assert.equal(queryAllByRole('textbox', /Batch size/).length, 0)
  await click(await findByRole('button', 'Update firmware', await openDialog()))
  await waitForText('1 of 2 done, 1 failed')
  await waitForText('Not compatible with this type of device')
})

test.run()
