// The page of the notifications: its lists, and the dialogs that the hub describes.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addDestination, listDestinations } from '../../../../contract/alert/destination.ts'
import { listMaintenance } from '../../../../contract/alert/maintenance.ts'
import { listRules } from '../../../../contract/alert/rule.ts'
import { addChannel } from '../../../../contract/stream/channel.ts'
import { addTag } from '../../../../contract/tag.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  clickWhenFree,
  fill,
  findByRole,
  findFormDialog,
  queryAllByRole,
  selectOption,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { startWebhookReceiver } from '../../../kit/hub/alerts/webhook-receiver.ts'
import { until } from '../../../kit/until.ts'

const test = suite('notifications page')
hubForEach(test)

test('a destination is added, tested, edited without its secrets, and deleted', async () => {
  const receiver = await startWebhookReceiver({ secret: 'signs' })
  await openConsole(hub, { at: ROUTES.notifications })
  await waitForText('No destination yet: nobody is notified.')
  await click(await findByRole('button', 'Add destination'))
  const dialog = await findFormDialog('Add destination')
  await fill(await findByRole('textbox', 'Name', dialog), 'Desk')
  const address = await findByRole('textbox', 'Address', dialog)
  await fill(address, 'ftp://example.com')
  await clickWhenFree('Save', dialog)
  await waitForFieldMessage(address, 'Invalid entry')
  await fill(address, receiver.url)
  await fill(await findByRole('textbox', 'Signing key', dialog), 'signs')
  await clickWhenFree('Save', dialog)
  await waitForText('Destination added')
  await waitForText(receiver.url)
  const [sendTest, openEdit] = ['Send test message', 'Edit'].map((name) => queryAllByRole('button', name)[0])
  await click(sendTest as HTMLElement)
  await waitForText('Test message delivered')
  assert.equal(receiver.received[0]?.isSigned, true)
  await waitForText('200 OK ok')
  await click(openEdit as HTMLElement)
  const edit = await findFormDialog('Edit')
  await waitForText('Stored. Leave empty to keep it.', edit)
  await fill(await findByRole('textbox', 'Name', edit), 'Night')
  await clickWhenFree('Save', edit)
  await waitForText('Night')
  const [stored] = (await other.send(listDestinations, {})).list
  assert.deepEqual([stored?.name, stored?.secrets], ['Night', { url: true, secret: true }])
  await click(await findByRole('button', 'Delete'))
  await waitForText('It is removed from all rules. Waiting messages are given up.')
  await click(queryAllByRole('button', 'Delete').at(-1) as HTMLElement)
  await waitForText('No destination yet: nobody is notified.')
  await receiver.close()
})

test('the fields of a destination follow its kind', async () => {
  await openConsole(hub, { at: ROUTES.notifications })
  await click(await findByRole('button', 'Add destination'))
  const dialog = await findFormDialog('Add destination')
  await selectOption(await findByRole('combobox', 'Kind', dialog), 'Syslog')
  await waitForNone('textbox', 'Address', dialog)
  await fill(await findByRole('textbox', 'Name', dialog), 'Collector')
  await fill(await findByRole('textbox', 'Server', dialog), 'log.example.com')
  await clickWhenFree('Save', dialog)
  await waitForText('Destination added')
  const [stored] = (await other.send(listDestinations, {})).list
  assert.deepEqual([stored?.type, stored?.config], ['syslog', { host: 'log.example.com', protocol: 'tcp' }])
})

test('a rule names destinations, tags and channels that exist, and times of the week', async () => {
  const config = { url: 'http://127.0.0.1:9/' }
  const { id: destination } = await other.send(addDestination, { name: 'Desk', type: 'webhook', config })
  const { id: tag } = await other.send(addTag, { name: 'Client A', color: 'teal' })
  const { id: channel } = await other.send(addChannel, { name: 'Hall' })
  await openConsole(hub, { at: ROUTES.notifications })
  await click(await findByRole('button', 'Add rule'))
  const dialog = await findFormDialog('Add rule')
  await fill(await findByRole('textbox', 'Name', dialog), 'Night')
  for (const name of ['Desk', 'Client A', 'Hall', 'Monday', 'Friday'])
    await click(await findByRole('checkbox', name, dialog))
  const from = await findByRole('textbox', 'Send from', dialog)
  await fill(from, '25:00')
  await clickWhenFree('Save', dialog)
  await waitForFieldMessage(from, 'Invalid entry')
  await fill(from, '18:00')
  await clickWhenFree('Save', dialog)
  await waitForText('Rule added')
  const [rule] = (await other.send(listRules, {})).list
  assert.deepEqual(
    [rule?.destinations, rule?.tags, rule?.channels, rule?.when, rule?.['after-s']],
    [[destination], [tag], [channel], { days: ['mon', 'fri'], from: '18:00', to: '' }, 10]
  )
  await click(queryAllByRole('button', 'Edit').at(-1) as HTMLElement)
  const edit = await findFormDialog('Edit')
  await click(await findByRole('checkbox', 'Client A', edit))
  await fill(await findByRole('textbox', 'Send from', edit), '')
  await clickWhenFree('Save', edit)
  await waitForText('Rule saved')
  const [changed] = (await other.send(listRules, {})).list
  assert.deepEqual([changed?.tags, changed?.when.from, changed?.channels], [[], '', [channel]])
})

test('maintenance is started and ended', async () => {
  const { id: channel } = await other.send(addChannel, { name: 'Hall' })
  await openConsole(hub, { at: ROUTES.notifications })
  await click(await findByRole('button', 'Start maintenance'))
  const dialog = await findFormDialog('Start maintenance')
  await selectOption(await findByRole('combobox', 'Channel', dialog), 'Hall')
  await fill(await findByRole('textbox', /Hours/, dialog), '2')
  await clickWhenFree('Save', dialog)
  await waitForText('Maintenance started')
  assert.equal((await other.send(listMaintenance, {})).list[0]?.channel, channel)
  await click(await findByRole('button', 'End maintenance'))
  await until(async () => (await other.send(listMaintenance, {})).total === 0, 'it has ended')
  await waitForText('Nothing is in maintenance.')
})

test.run()
