// A spare device gets the place of a broken one.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { swapDevices } from '../../../../contract/device/swap.ts'
import { linkTo } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { acceptDevicesUpTo, menuItemOf } from '../../../kit/console/device-list.ts'
import { hub, hubForEach } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, selectOption, waitForNone, waitForText } from '../../../kit/console/page.ts'
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
  await waitForText('It is offline: it keeps its own name, and channels wait for it.', question)
  assert.equal(idOf(spare), other, `${swapDevices.path} waits for the answer`)
  await click(await findByRole('button', 'Proceed anyway', question))
  await waitForNone('dialog')
  assert.deepEqual([idOf(spare), idOf(broken)], [place, other])
  await click(await findByRole('button', 'Undo'))
  await click(await findByRole('button', 'Proceed anyway'))
  await until(() => idOf(broken) === place && idOf(spare) === other, 'they are swapped back')
})

test.run()
