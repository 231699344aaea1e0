// The warnings of devices, from demo devices that have them, to the device list and the page of the device.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_WARNING_BITS } from '../../../../contract/device/status.ts'
import type { Behaviour } from '../../../../fleet/behaviour.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { setLanguage } from '../../../../src/text/language.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { waitForRows } from '../../../kit/console/device-list.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { findByRole, visibleText, waitForNone, waitForText } from '../../../kit/console/page.ts'
import { type SimulatedFleet, startSimulatedFleet } from '../../../kit/fleet/simulated-fleet.ts'
import { until } from '../../../kit/until.ts'

const test = suite('device warnings')
let fleet: SimulatedFleet
test.after.each(async () => {
  await closeConsole()
  fleet.close()
})
hubForEach(test, { actions: { response: 3000, poll: 3000 } })
test.before.each(async () => {
  fleet = await startSimulatedFleet(hub, other)
})

interface Row {
  model: Parameters<SimulatedFleet['add']>[0]
  behaviour: Behaviour
  bit: number
  warning: string
  advice: string
}

const B = DEVICE_WARNING_BITS
const CHECK_SOURCE = 'Check the source and its cable.'
const DRIVE = 'Replace or format the USB drive.'
const RECORDINGS = 'Delete recordings that are no longer needed.'
const UPDATE = 'Update its firmware.'
const ROWS: readonly Row[] = [
  { model: 'encodeHdmi', behaviour: 'no-signal', bit: B.noSignal, warning: 'No signal', advice: CHECK_SOURCE },
  { model: 'hdmiToNdi', behaviour: 'no-signal', bit: B.noSignal, warning: 'No signal', advice: CHECK_SOURCE },
  { model: 'directorMini', behaviour: 'no-signal', bit: B.noSignal, warning: 'No signal', advice: CHECK_SOURCE },
  { model: 'encodeAio', behaviour: 'usb-invalid', bit: B.usbInvalid, warning: 'USB drive invalid', advice: DRIVE },
  { model: 'directorMini', behaviour: 'usb-invalid', bit: B.usbInvalid, warning: 'USB drive invalid', advice: DRIVE },
  { model: 'encodeAio', behaviour: 'usb-full', bit: B.usbFull, warning: 'USB drive full', advice: RECORDINGS },
  { model: 'directorMini', behaviour: 'usb-full', bit: B.usbFull, warning: 'USB drive full', advice: RECORDINGS },
  { model: 'streamSdi', behaviour: 'full', bit: B.storageFull, warning: 'Storage full', advice: RECORDINGS },
  { model: 'directorMini', behaviour: 'full', bit: B.storageFull, warning: 'Storage full', advice: RECORDINGS },
  { model: 'encodeHdmi', behaviour: 'old-firmware', bit: B.firmwareOld, warning: 'Firmware too old', advice: UPDATE },
  { model: 'hdmiToNdi', behaviour: 'old-firmware', bit: B.firmwareOld, warning: 'Firmware too old', advice: UPDATE },
  { model: 'xmit', behaviour: 'old-firmware', bit: B.firmwareOld, warning: 'Firmware too old', advice: UPDATE },
  ...(['encodeHdmi', 'ndiToHdmi', 'directorMini'] as const).map((model) => ({
    model,
    behaviour: 'unsupported-firmware' as const,
    bit: B.firmwareUnsupported,
    warning: 'Firmware not supported',
    advice: UPDATE
  }))
]

/** Puts a device into a fault and waits until the hub has its warning. */
async function warn(sn: string, behaviour: Behaviour, bit: number): Promise<void> {
  fleet.device(sn).applyCommand(behaviour)
  await hub.parts.actions.pollNow(sn)
  await until(() => hub.parts.registry.liveState(sn)?.observation?.warns === bit, `the warning ${behaviour}`)
}

test('each warning of each generation is in the list, and on the page with its duration and advice', async () => {
  for (const [index, { model, behaviour, bit, warning, advice }] of ROWS.entries()) {
    const sn = await fleet.add(model, `Hall ${index}`)
    await warn(sn, behaviour, bit)
    await openConsole(hub, { at: linkTo('allDevices', { key: sn }) })
    await waitForText(warning, await findByRole('row'))
    await closeConsole()
    await openConsole(hub, { at: linkTo('deviceDetail', { sn, catalog: '0' }) })
    await waitForText(/Warning for \d+ s/)
    await waitForText(`${warning}. ${advice}`)
    await closeConsole()
  }
})

test('a warning ends with its cause', async () => {
  const sn = await fleet.add('encodeAio')
  await warn(sn, 'usb-full', B.usbFull)
  await openConsole(hub, { at: ROUTES.warningDevices })
  await waitForRows(['Hall'])
  fleet.device(sn).applyCommand('normal')
  await waitForText('No devices')
})

test('a device with firmware that the hub does not support is not said to be silent', async () => {
  const sn = await fleet.add('encodeAio')
  await warn(sn, 'unsupported-firmware', B.firmwareUnsupported)
  await openConsole(hub, { at: linkTo('deviceDetail', { sn, catalog: '0' }) })
  await waitForText('Firmware not supported')
  await waitForNone('article', 'Load')
  assert.ok(!visibleText().includes('No response'))
  setLanguage('zh')
  await waitForText('固件不受支持')
  await waitForText('请更新设备固件。')
})

test.run()
