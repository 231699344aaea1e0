import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW } from '../../../../contract/access/permissions.ts'
import { addUser as addUserCall, listUsers } from '../../../../contract/access/user.ts'
import { ALL_GROUPS } from '../../../../contract/access/visibility.ts'
import { setDeviceSecurity } from '../../../../contract/device/device.ts'
import { channelDashboard, enableChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { setChannelSecurity, setGlobalChannel } from '../../../../contract/stream/channel-security.ts'
import { addTag, assignTags } from '../../../../contract/tag.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { addDevices, addNamedChannel, listedChannels, openChannelList } from '../../../kit/console/channel-list.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { menuItemOf } from '../../../kit/console/device-list.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  findFormDialog,
  nameOf,
  queryAllByRole,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { findRow } from '../../../kit/console/table-rows.ts'
import { addUser, type Client, newPassword } from '../../../kit/hub/hub.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('access to channels')
let viewer: Client
hubForEach(test)
test.before.each(async () => {
  viewer = await addUser(hub, 'viewer', CHANNEL_VIEW)
})

const ticked = (dialog: HTMLElement) =>
  (queryAllByRole('checkbox', undefined, dialog) as HTMLInputElement[])
    .filter(({ checked }) => checked)
    .map((box) => nameOf(box))

const securityOf = async () =>
  (await listedChannels()).map((channel) => [channel['is-inherit'], channel['group-mask'], channel['usr-mask']])

async function openAccess(name: string): Promise<HTMLElement> {
  await click(await menuItemOf(name, 'Access'))
  return findFormDialog(`Access to ${name}`)
}

async function save(dialog: HTMLElement): Promise<void> {
  await click(await findByRole('button', 'Save', dialog))
  await waitForNone('dialog')
}

test('without Inherit the selection begins with the users and groups that have access now', async () => {
  await addNamedChannel('News')
  await other.send(setGlobalChannel, { security: { 'group-mask': 4, 'usr-mask': 0 } })
  await openChannelList()
  const dialog = await openAccess('News')
  await waitForText('Inherited from the default: Viewer', dialog)
  await click(await findByRole('checkbox', 'Inherit', dialog))
  assert.ok(!visibleText(dialog).includes('Inherited'))
  assert.deepEqual(ticked(dialog), ['Viewer'])
  await click(await findByRole('checkbox', 'viewer', dialog))
  await save(dialog)
  assert.deepEqual(await securityOf(), [[0, 4, hub.parts.store.users.byName('viewer')?.id]])
  assert.equal((await viewer.send(channelDashboard, {})).total, 1)
})

test('unticking Everyone leaves nobody ticked, and says who still sees the channel', async () => {
  await addNamedChannel('News')
  await openChannelList()
  const dialog = await openAccess('News')
  await waitForText('Inherited from the default: Everyone', dialog)
  await click(await findByRole('checkbox', 'Inherit', dialog))
  assert.deepEqual(ticked(dialog), ['Everyone, including new groups'])
  await click(await findByRole('checkbox', 'Everyone, including new groups', dialog))
  await waitForText('only administrators will see it', dialog)
  assert.deepEqual(ticked(dialog), [])
  await save(dialog)
  assert.deepEqual(await securityOf(), [[0, 0, 0]])
  assert.equal((await viewer.send(channelDashboard, {})).total, 0)
})

test('access to several channels is set at once, and differing settings are pointed out', async () => {
  const ids = [await addNamedChannel('News'), await addNamedChannel('Sport')]
  const security = { 'is-inherit': 0, 'group-mask': 2, 'usr-mask': 0 }
  await other.send(setChannelSecurity, { id: ids[0] ?? 0, security })
  await openChannelList()
  for (const name of ['News', 'Sport']) await click(await findByRole('checkbox', `Select ${name}`))
  await click(await findByRole('button', 'Edit 2 items', await findByRole('toolbar', 'Actions')))
  const edit = await findByRole('dialog', 'Edit 2 items')
  await click(await findByRole('button', 'Access', edit))
  await findByRole('checkbox', 'Inherit')
  const dialog = await findByRole('dialog', 'Access to 2 channels')
  await waitForText('Their access differs.', dialog)
  assert.deepEqual(ticked(dialog), ['User'])
  await click(await findByRole('checkbox', 'Everyone, including new groups', dialog))
  await click(await findByRole('button', 'Preview changes', dialog))
  await waitForText(/News Access: User → Everyone Sport Access: Inherit → Everyone/, edit)
  assert.deepEqual((await securityOf())[0], [0, 2, 0], 'the preview writes nothing')
  await click(await findByRole('button', 'Apply changes', edit))
  await waitForNone('dialog')
  assert.deepEqual(await securityOf(), [
    [0, ALL_GROUPS, 0],
    [0, ALL_GROUPS, 0]
  ])
  await click(await findByRole('button', 'Undo'))
  await until(async () => (await securityOf())[1]?.[0] === 1, 'the access to be as before')
  assert.deepEqual((await securityOf())[0], [0, 2, 0])
})

test('a user sees only their channels, without the figures of all of them and without a selection', async () => {
  const hidden = await addNamedChannel('Board meeting')
  await addNamedChannel('News')
  await other.send(setChannelSecurity, { id: hidden, security: { 'is-inherit': 0, 'group-mask': 2, 'usr-mask': 0 } })
  await openConsole(hub, { user: 'viewer', at: ROUTES.channels })
  await findRow('News')
  assert.ok(!/Board meeting|SRT servers/.test(visibleText(document.body)))
  assert.deepEqual(queryAllByRole('checkbox'), [])
})

test('the picture of a channel with a device that the user has no access to is replaced by a text', async () => {
  const [device = 0] = await addDevices(1)
  const id = await addNamedChannel('News')
  await other.send(setChannelInput, { id, input: device })
  await other.send(enableChannel, { id, enable: true })
  const security = { 'is-inherit': 0, 'group-mask': 2, 'usr-mask': 0 }
  await other.send(setDeviceSecurity, { sn: helloOf(1).sn, security })
  await openConsole(hub, { user: 'viewer', at: linkTo('channelDetail', { channelId: String(id) }) })
  await waitForText('No access to a device of this channel')
})

test('a guest for a week is added from the tab Access, and sees two channels', async () => {
  const [first, second] = [await addNamedChannel('News'), await addNamedChannel('Sport')]
  await addNamedChannel('Other')
  await openConsole(hub, { at: linkTo('channelDetail', { channelId: String(first), tab: 'access' }) })
  await click(await findByRole('button', 'Add guest'))
  const dialog = await findByRole('dialog', 'Add user')
  assert.deepEqual(ticked(dialog), ['Guest', 'News'])
  await click(await findByRole('checkbox', 'Sport', dialog))
  await fill(await findByRole('textbox', 'User name', dialog), 'anna')
  await fill(await findByRole('textbox', 'Password', dialog), 'secret-1')
  await fill(await findByRole('textbox', 'Repeat password', dialog), 'secret-1')
  await click(await findByRole('button', 'Add user', dialog))
  await waitForNone('dialog')
  await waitForText(/anna.*Guest/, await findRow('anna'))
  const user = (await other.send(listUsers, {})).users?.find(({ name }) => name === 'anna')
  assert.equal(user?.guest, true)
  const days = ((user?.expires ?? 0) - Date.now()) / 86_400_000
  assert.ok(days > 6.9 && days < 8.1, `${days} days`)
  const guest = await hub.signIn('anna', 'secret-1')
  assert.deepEqual((await guest.send(channelDashboard, {})).list.map(({ id }) => id).sort(), [first, second])
})

test('a guest is taken off a channel that inherits, which goes on to inherit', async () => {
  const id = await addNamedChannel('News')
  const { id: bit } = await other.send(addUserCall, {
    name: 'anna',
    ...newPassword('anna-password'),
    guest: true,
    channels: [id]
  })
  assert.deepEqual(await securityOf(), [[1, ALL_GROUPS, bit]])
  await openChannelList()
  const dialog = await openAccess('News')
  assert.deepEqual(ticked(dialog), ['Inherit', 'anna'])
  await click(await findByRole('checkbox', 'anna', await findByRole('group', 'Guests', dialog)))
  await save(dialog)
  assert.deepEqual(await securityOf(), [[1, ALL_GROUPS, 0]])
})

test('access by tag is named with the tag, and set in the dialog of the tags', async () => {
  const id = await addNamedChannel('News')
  await other.send(setChannelSecurity, { id, security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 } })
  const { id: tag } = await other.send(addTag, { name: 'Client A', color: 'teal' })
  await other.send(assignTags, { channels: [id], add: [tag] })
  await openChannelList()
  await click(await menuItemOf('News', 'Edit tags'))
  await click(await findByRole('button', 'Access by tag Client A'))
  const dialog = await findFormDialog('Access by tag Client A')
  await waitForText('the tag gives no access', dialog)
  await click(await findByRole('checkbox', 'viewer', dialog))
  await click(await findByRole('button', 'Save', dialog))
  await waitForText('Gives access', await findByRole('dialog', 'Tags: News'))
  assert.equal((await viewer.send(channelDashboard, {})).total, 1)
  await click(await findByRole('button', 'Save', await findByRole('dialog', 'Tags: News')))
  await waitForNone('dialog')
  navigate(linkTo('channelDetail', { channelId: String(id), tab: 'access' }))
  await waitForText('By tag Client A: viewer')
})

test.run()
