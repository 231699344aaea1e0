// Releases of firmware on a web server.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { FIRMWARE_VIEW } from '../../../../contract/access/permissions.ts'
import { SUCCESS } from '../../../../contract/codes.ts'
import { queryDevice } from '../../../../contract/device/device.ts'
import { DEVICE_WARNING_BITS } from '../../../../contract/device/status.ts'
import { listFirmware, listOnlineFirmware } from '../../../../contract/firmware.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { addOnlineDevices } from '../../../kit/console/firmware-screen.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  queryAllByRole,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { findRow } from '../../../kit/console/table-rows.ts'
import {
  type FirmwareServer,
  setFirmwareServer,
  startFirmwareServer,
  TRUSTING
} from '../../../kit/hub/firmware-server.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('online firmware screen')
hubForEach(test, TRUSTING)

let server: FirmwareServer
test.before.each(async () => {
  server = await startFirmwareServer()
})
test.after.each(async () => {
  await closeConsole()
  await server.close()
})

const PATH = `${ROUTES.firmware}?tab=online`

test('without a server the page says so; its address is entered there, and the server is asked at once', async () => {
  await addOnlineDevices(1)
  server.publish(['1.5.0'])
  await openConsole(hub, { at: PATH })
  await findByRole('heading', 'Not set up')
  await waitForText('No server with releases is set up')
  await fill(await findByRole('textbox', /^Address/), server.address)
  await click(await findByRole('button', 'Save'))
  await findRow('Ultra Encode AIO')
  await waitForNone('heading', 'Not set up')
})

test('an address that is not allowed is refused at its field', async () => {
  await openConsole(hub, { at: PATH })
  await fill(await findByRole('textbox', /^Address/), 'http://169.254.169.254/')
  await click(await findByRole('button', 'Save'))
  const field = await findByRole('textbox', /^Address/)
  await until(() => field.getAttribute('aria-invalid') === 'true', 'the field is marked')
  assert.deepEqual(server.requests, [])
})

test('a release is downloaded, and then devices are chosen for it', async () => {
  await addOnlineDevices(1)
  server.publish(['1.5.0'])
  await setFirmwareServer(other, server.address)
  await openConsole(hub, { at: PATH })
  await click(await findByRole('button', 'Check now'))
  const row = await findRow('Ultra Encode AIO')
  assert.match(visibleText(row), /^.*Ultra Encode AIO 1\.5\.0 A Not downloaded .* KB Download$/)
  await click(await findByRole('button', 'Download', row))
  await click(await findByRole('button', 'Choose devices'))
  const [file] = (await other.send(listFirmware, {})).list
  await until(() => location.hash.includes(`firmware=${file?.id}`), 'the list of devices')
})

test('notes are below a release, and a pre-release is marked', async () => {
  await addOnlineDevices(1)
  server.publish(['1.5.0'], { channel: 'pre-release', change: { 'pre-release': true } })
  await setFirmwareServer(other, server.address)
  await openConsole(hub, { at: PATH })
  await click(await findByRole('button', 'Check now'))
  const row = await findRow('Ultra Encode AIO')
  assert.match(visibleText(row), /1\.5\.0 Pre-release/)
  await click(await findByRole('button', /^Details/, row))
  await waitForText('Better.')
})

test('why a check or a download failed stands above the list', async () => {
  await addOnlineDevices(1)
  server.publish(['1.5.0'], { expires: Date.now() - 1 })
  await setFirmwareServer(other, server.address)
  await openConsole(hub, { at: PATH })
  await click(await findByRole('button', 'Check now'))
  await waitForText('The list of releases has expired')
})

test('a user without the permission sees releases, and neither downloads them nor sets the server', async () => {
  await addOnlineDevices(1)
  server.publish(['1.5.0'])
  await setFirmwareServer(other, server.address)
  await hub.parts.firmware.online.check()
  const viewer = addSignedInUser(hub, 'viewer', FIRMWARE_VIEW)
  assert.equal((await viewer.send(listOnlineFirmware, {})).list.length, 1)
  await openConsole(hub, { at: PATH, user: 'viewer' })
  await findRow('Ultra Encode AIO')
  for (const name of ['Download', 'Check now', 'Save']) assert.equal(queryAllByRole('button', name).length, 0)
  await waitForText('To change them, ask an administrator.')
})

test('a device whose firmware is too old leads to newer firmware', async () => {
  const [sn = ''] = await addOnlineDevices(1)
  const { dev } = await other.send(queryDevice, { sn })
  const console = await openConsole(hub)
  console.intercept = (path) =>
    path.includes(queryDevice.path)
      ? Response.json({ result: SUCCESS, dev: { ...dev, 'dev-warns': DEVICE_WARNING_BITS.firmwareOld } })
      : undefined
  location.hash = linkTo('deviceDetail', { sn, catalog: '0' })
  await click(await findByRole('link', 'Firmware online'))
  await findByRole('heading', 'Not set up')
})

test.run()
