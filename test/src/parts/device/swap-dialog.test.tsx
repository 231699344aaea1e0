// A spare device gets the place of a broken one.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { swapDevices } from '../../../../contract/device/swap.ts'
import { linkTo } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { acceptDevicesUpTo, menuItemOf } from '../../../kit/console/device-list.ts'
import { hub, hubForEach } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { until } from '../../../kit/until.ts'

const test = suite('swap of devices')
hubForEach(test)

const idOf = (sn: string) => hub.parts.store.devices.bySerial(sn)?.id

test('a device is swapped after the hub has said what the other one lacks, and Undo swaps them back', async () => {
  const [broken = '', spare = ''] = await acceptDevicesUpTo(2)
  const [place, other] = [idOf(broken), idOf(spare)]
  const nameOf = (sn: string) => hub.parts.store.devices.bySerial(sn)?.name ?? ''
  const [brokenName, spareName] = [nameOf(broken), nameOf(spare)]
  await openConsole(hub, { at: linkTo('allDevices') })
  await click(await menuItemOf(brokenName, 'Swap'))
  const dialog = await findByRole('dialog', `Swap ${brokenName}`)
  await selectOption(await findByRole('combobox', 'Other device', dialog), `${spareName} (offline)`)
  await click(await findByRole('button', 'Swap', dialog))
  const question = await findByRole('dialog', 'The other device cannot take over everything')
  await waitForText('It is offline: it gets the name when it is back, and channels wait for it.', question)
  assert.equal(idOf(spare), other, `${swapDevices.path} waits for the answer`)
  await click(await findByRole('button', 'Proceed anyway', question))
  await waitForNone('dialog')
  assert.deepEqual([idOf(spare), idOf(broken)], [place, other])
  await click(await findByRole('button', 'Undo'))
  await click(await findByRole('button', 'Proceed anyway'))
  await until(() => idOf(broken) === place && idOf(spare) === other, 'they are swapped back')
})

test('a device beyond the first 50 is found by its name', async () => {
  const [broken = ''] = await acceptDevicesUpTo(60)
  const { store } = hub.parts
  await openConsole(hub, { at: linkTo('allDevices', { key: broken }) })
  await click(await menuItemOf(store.devices.bySerial(broken)?.name ?? '', 'Swap'))
  const dialog = await findByRole('dialog', /^Swap/)
  await waitForText('1-50 of 60', dialog)
  const options = () => queryAllByRole('option', undefined, dialog).map(visibleText)
  const isOffered = ({ name, sn }: { name: string; sn: string }) =>
    sn === broken || options().includes(`${name} (offline)`)
  const missing = store.devices.all().find((device) => !isOffered(device))
  await fill(await findByRole('textbox', 'Search', dialog), missing?.name ?? '')
  await until(() => options().filter(Boolean).join() === `${missing?.name} (offline)`, 'it is found')
})

test.run()
