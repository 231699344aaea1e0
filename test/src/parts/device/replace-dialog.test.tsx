// A broken encoder is replaced in the channels that use it.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addChannel, queryChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { DIR_INPUT } from '../../../../contract/stream/protocols.ts'
import { linkTo } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { acceptDevicesUpTo, menuItemOf } from '../../../kit/console/device-list.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
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

const test = suite('replacement of a device')
hubForEach(test)

const deviceOf = (sn = '') => {
  const row = hub.parts.store.devices.bySerial(sn)
  assert.ok(row)
  return row
}

test('a device is replaced in all channels that use it, which the dialog names', async () => {
  const [broken, spare] = (await acceptDevicesUpTo(2)).map(deviceOf)
  assert.ok(broken && spare)
  const channels = []
  for (const name of ['Hall', 'Foyer']) {
    const { id } = await other.send(addChannel, { name })
    await other.send(setChannelInput, { id, input: broken.id })
    channels.push(id)
  }
  await openConsole(hub, { at: linkTo('allDevices') })
  await click(await menuItemOf(broken.name, 'Replace in channels'))
  const dialog = await findByRole('dialog', `Replace ${broken.name}`)
  await waitForText('In these channels: Foyer, Hall', dialog)
  await selectOption(await findByRole('combobox', 'Other device', dialog), `${spare.name} (offline)`)
  await click(await findByRole('button', 'Replace', dialog))
  await waitForNone('dialog')
  for (const id of channels) assert.equal((await other.send(queryChannel, { id })).channel.input?.id, spare.id)
})

test('a device beyond the first 50 is found by its name', async () => {
  const [broken, ...others] = (await acceptDevicesUpTo(60)).map(deviceOf)
  assert.ok(broken)
  const { id } = await other.send(addChannel, { name: 'Hall' })
  await other.send(setChannelInput, { id, input: broken.id })
  await openConsole(hub, { at: linkTo('allDevices', { key: broken.sn }) })
  await click(await menuItemOf(broken.name, 'Replace in channels'))
  const dialog = await findByRole('dialog', `Replace ${broken.name}`)
  const options = () => queryAllByRole('option', undefined, dialog).map(visibleText).filter(Boolean)
  await until(() => options().length > 0, 'devices are offered')
  const missing = others.find(({ name, dir }) => (dir & DIR_INPUT) !== 0 && !options().includes(`${name} (offline)`))
  await fill(await findByRole('textbox', 'Search', dialog), missing?.name ?? '')
  await until(() => options().join() === `${missing?.name} (offline)`, 'it is found')
})

test('a device that no channel uses says so', async () => {
  const [device] = (await acceptDevicesUpTo(1)).map(deviceOf)
  assert.ok(device)
  await openConsole(hub, { at: linkTo('allDevices') })
  await click(await menuItemOf(device.name, 'Replace in channels'))
  await waitForText('No channel that you see uses this device.')
})

test.run()
