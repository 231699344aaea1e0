import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  ADMIN_GRANTED_PERMISSIONS,
  CHANNEL_CONTROL,
  CHANNEL_VIEW,
  DEVICE_VIEW,
  hasAnyBit,
  INPUT_OUTPUT_VIEW,
  SYSTEM_CONFIG_VIEW,
  USER_CONTROL,
  VIEWER_PERMISSIONS
} from '../../../../contract/access/permissions.ts'
import { deleteGroup, setGroup } from '../../../../contract/access/user.ts'
import { CLOUD_CALLS } from '../../../../contract/cloud/calls.ts'
import { setTransport } from '../../../../src/link/fetch-json.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { closeConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  nameOf,
  queryAllByRole,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { buttonInRow, findRow } from '../../../kit/console/table-rows.ts'
import {
  addCustomGroup,
  addViewer,
  checkbox,
  checkedNames,
  findGroup,
  findUser,
  groupLink,
  isDisabled,
  openUserScreen,
  storedGroups
} from '../../../kit/console/user-screen.ts'
import { until } from '../../../kit/until.ts'

const test = suite('user groups')

hubForEach(test)

const DEMAND = 'Require a second factor'

test('groups that manage users are listed to an administrator once, and again when another one gets the permission', async () => {
  localStorage.removeItem('headend-user-control')
  await openUserScreen(linkTo('users', { tab: 'groups' }))
  await findRow('Admin')
  assert.equal(queryAllByRole('button', 'OK').length, 0, 'no group has it by default')
  await addCustomGroup('Night shift', USER_CONTROL)
  await waitForText(/Groups with the permission User control: Night shift\./)
  await click(await findByRole('button', 'OK'))
  await waitForNone('button', 'OK')
  await closeConsole()
  await openUserScreen(linkTo('users', { tab: 'groups' }))
  await findRow('Night shift')
  assert.equal(queryAllByRole('button', 'OK').length, 0)
  await addCustomGroup('Day shift', USER_CONTROL)
  await waitForText(/User control: Night shift, Day shift\./)
})

test('what the permission to manage users opens is written where it is granted', async () => {
  await openUserScreen(linkTo('userGroup', { groupId: 'new' }))
  await waitForText(/set their passwords, end their sessions. Users and groups of administrators stay with the Admin/)
  assert.equal((await checkbox('User control')).checked, false)
})

test('groups are listed with type, number of users and permissions', async () => {
  await addViewer('anna')
  await addCustomGroup('Operators', CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  await openUserScreen(linkTo('users', { tab: 'groups' }))
  await waitForText(/Admin 1 All$/, await findRow('Admin'))
  await waitForText(
    /Viewer 1 Device view, Device group view, Input\/output view, Channel view$/,
    await findRow('Viewer')
  )
  await waitForText(/0 Input\/output view, Channel view$/, await findRow('Operators'))
  const button = await buttonInRow('Viewer', 'Delete: Viewer')
  assert.ok(isDisabled(button))
  assert.equal(button.dataset.tip, 'A default group cannot be renamed, deleted or given other permissions')
})

test('members of a deleted group move to Viewer', async () => {
  for (const name of ['anna', 'bert']) await addViewer(name)
  await addCustomGroup('Operators', DEVICE_VIEW, ['anna', 'bert'])
  await openUserScreen(linkTo('users', { tab: 'groups' }))
  await click(await buttonInRow('Operators', 'Delete: Operators'))
  const question = await findByRole('dialog', 'Delete Operators?')
  await waitForText('Its members move to Viewer.', question)
  await click(await findByRole('button', 'Delete Operators', question))
  await waitForNone('row', 'Operators')
  assert.equal((await findUser('anna'))?.['group-name'], 'Viewer')
})

test('with 6 groups no more can be added', async () => {
  for (const name of ['one', 'two', 'three']) await addCustomGroup(name)
  await openUserScreen(linkTo('users', { tab: 'groups' }))
  await findRow('three')
  const button = await findByRole('button', 'Add user group')
  assert.ok(isDisabled(button))
  assert.equal(button.dataset.tip, 'max groups 6')
})

test('granting a permission grants those that it needs, clearing one clears those that need it, and both are announced', async () => {
  await openUserScreen(groupLink('new'))
  await click(await checkbox('Channel control'))
  assert.deepEqual(checkedNames(), ['Input/output view', 'Channel view', 'Channel control'])
  const status = queryAllByRole('status').find((element) => element.closest('form')) as HTMLElement
  assert.equal(visibleText(status), 'Also changed: Input/output view, Channel view')
  await click(await checkbox('Input/output view'))
  assert.deepEqual(checkedNames(), [])
  assert.equal(visibleText(status), 'Also changed: Channel view, Channel control')
  await click(await checkbox('System view'))
  assert.equal(visibleText(status), '')
})

const ADMIN_GRANTED = ['Device security', 'Device group control', 'User control']
const hintOf = (input: HTMLElement) =>
  visibleText(document.getElementById(input.getAttribute('aria-describedby') ?? '') as HTMLElement)

test('an administrator grants device security, device group control and user control', async () => {
  const id = await addCustomGroup('Leads')
  await openUserScreen(groupLink(id))
  for (const name of ADMIN_GRANTED) await click(await checkbox(name))
  await click(await findByRole('button', 'Save'))
  const stored = () => hub.parts.store.users.group(id)?.permission ?? 0
  await until(() => hasAnyBit(stored(), USER_CONTROL), 'the stored permissions')
  assert.equal(stored() & ADMIN_GRANTED_PERMISSIONS, ADMIN_GRANTED_PERMISSIONS)
})

/** Opens the screen as a user who manages users, in the group Leads. */
async function openAsManager(path: string): Promise<void> {
  const leads = await addCustomGroup('Leads', VIEWER_PERMISSIONS | USER_CONTROL)
  await addViewer('mona', leads)
  await openUserScreen(path, 'mona')
}

test('a manager outside of the Admin group can only grant permissions that the manager has, and sees the reason', async () => {
  await openAsManager(groupLink('new'))
  for (const name of ADMIN_GRANTED) {
    const input = await checkbox(name)
    assert.equal(input.disabled, true, name)
    assert.ok(hintOf(input).includes(`Only admin users can grant ${name.toLowerCase()}`), name)
  }
  assert.ok(hintOf(await checkbox('System edit')).includes('You do not have this permission'))
  await fill(await findByRole('textbox', 'Name'), 'Crew')
  await click(await checkbox('Channel view'))
  await click(await findByRole('button', 'Save'))
  await findByRole('heading', 'Crew')
  assert.equal((await findGroup('Crew'))?.permission, CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
})

test('a manager sees why users and groups are out of reach', async () => {
  const strong = await addCustomGroup('Strong', SYSTEM_CONFIG_VIEW)
  await addViewer('sven', strong)
  await addViewer('vera')
  await openAsManager(ROUTES.users)
  const tipOf = async (row: string, name: string) => (await buttonInRow(row, name)).dataset.tip
  assert.equal(await tipOf('Admin', 'Edit: Admin'), 'Admin account permission required')
  assert.equal(await tipOf('sven', 'Edit: sven'), 'The user has permissions that you do not have')
  assert.ok(!isDisabled(await buttonInRow('vera', 'Edit: vera')))
  assert.equal(queryAllByRole('link', 'Default access').length, 0)
  assert.equal(queryAllByRole('link', 'Access Tokens').length, 0)
  await click(await findByRole('button', 'Add user'))
  const group = await findByRole<HTMLSelectElement>('combobox', 'User group')
  assert.deepEqual(
    [...group.options].map(({ textContent }) => textContent),
    ['Viewer'],
    'neither Admin and User, nor a group that gives more'
  )
  await click(await findByRole('button', 'Close'))
  navigate(groupLink(strong))
  await waitForText('The group has permissions that you do not have')
  assert.equal(queryAllByRole('button', 'Save').length, 0)
  navigate(groupLink((await findGroup('Leads'))?.id ?? 0))
  await waitForText('You cannot change the group that you are in')
  navigate(groupLink(1))
  await waitForText('Admin account permission required')
})

test('a manager who lacks a permission of each group sees why the button for a new user is disabled', async () => {
  await addViewer('mona', await addCustomGroup('Leads', USER_CONTROL))
  await openUserScreen(ROUTES.users, 'mona')
  const add = await findByRole('button', 'Add user')
  await until(() => add.dataset.tip === 'Every user group has permissions that you do not have', 'the reason')
})

test('a group is added with its permissions, and can then have members', async () => {
  await addViewer('anna')
  const console = await openUserScreen(groupLink('new'))
  await fill(await findByRole('textbox', 'Name'), 'Operators')
  await click(await findByRole('button', 'Save'))
  await waitForText('Required')
  assert.equal((await storedGroups()).length, 3)
  await click(await checkbox('Channel control'))
  await click(await findByRole('button', 'Save'))
  await findByRole('heading', 'Operators')
  const group = await findGroup('Operators')
  assert.equal(console.currentPath(), groupLink(group?.id ?? 0))
  assert.equal(group?.permission, CHANNEL_CONTROL | CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  assert.equal(queryAllByRole('dialog').length, 0)
  await click(await findByRole('button', 'Add member'))
  await click(await findByRole('menuitem', 'anna (Viewer)'))
  await findByRole('button', 'Move to Viewer: anna')
  assert.equal((await findUser('anna'))?.['group-name'], 'Operators')
  await addViewer('bert')
  await click(await findByRole('button', 'Add member'))
  await findByRole('menuitem', 'bert (Viewer)')
  await click(await findByRole('button', 'Move to Viewer: anna'))
  await waitForNone('button', 'Move to Viewer: anna')
  assert.equal((await findUser('anna'))?.['group-name'], 'Viewer')
})

test('a custom group is changed, and shows the stored values', async () => {
  const id = await addCustomGroup('Operators', CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  await openUserScreen(groupLink(id))
  const name = await findByRole<HTMLInputElement>('textbox', 'Name')
  assert.equal(name.value, 'Operators')
  await fill(name, 'Directors')
  await click(await checkbox('Channel view'))
  await click(await findByRole('button', 'Save'))
  await findByRole('heading', 'Directors')
  const { permission } = (await findGroup('Directors')) ?? {}
  assert.equal(permission, INPUT_OUTPUT_VIEW)
  await other.send(setGroup, { id, name: 'Stage hands', permissions: DEVICE_VIEW })
  await until(() => name.value === 'Stage hands', 'the changed name')
  assert.deepEqual(checkedNames(), ['Device view'])
})

test('input is kept while another user changes the group', async () => {
  const id = await addCustomGroup('Operators')
  await openUserScreen(groupLink(id))
  const name = await findByRole<HTMLInputElement>('textbox', 'Name')
  await fill(name, 'Directors')
  await other.send(setGroup, { id, name: 'Stage hands' })
  await findByRole('heading', 'Stage hands')
  assert.equal(name.value, 'Directors')
})

test('concurrent changes of a group: different fields are both kept, for the same field the later user is shown the current value', async () => {
  const id = await addCustomGroup('Operators')
  await openUserScreen(groupLink(id))
  const name = await findByRole<HTMLInputElement>('textbox', 'Name')
  await fill(name, 'Directors')
  await other.send(setGroup, { id, permissions: CHANNEL_VIEW })
  await click(await findByRole('button', 'Save'))
  await findByRole('heading', 'Directors')
  assert.equal((await findGroup('Directors'))?.permission, CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  await until(() => checkedNames().includes('Channel view'), 'the changed permissions')

  await fill(name, 'Crew')
  await other.send(setGroup, { id, name: 'Stage hands' })
  await click(await findByRole('button', 'Save'))
  await waitForText('The status has been changed by another people')
  await waitForText(/Edit user group: Admin/)
  await until(() => name.value === 'Stage hands', 'the present name')
  assert.equal(await findGroup('Crew'), undefined)
  // The group can be saved again from this state.
  await fill(name, 'Crew')
  await click(await findByRole('button', 'Save'))
  await findByRole('heading', 'Crew')
})

test('a built-in group shows its permissions; its members and the demand of a second factor can be changed', async () => {
  await addViewer('anna', 2)
  await openUserScreen(groupLink(2))
  await waitForText('A default group cannot be renamed, deleted or given other permissions')
  for (const input of queryAllByRole('checkbox') as HTMLInputElement[])
    assert.equal(input.disabled, nameOf(input) !== DEMAND, nameOf(input))
  await click(await findByRole('checkbox', DEMAND))
  await click(await findByRole('button', 'Save'))
  await waitForText('User saved Open')
  assert.equal((await findGroup('User'))?.['require-second-factor'], true)
  assert.ok(checkedNames().includes('Channel edit'))
  assert.equal(queryAllByRole('textbox', 'Name').length, 0)
  await click(await findByRole('button', 'Move to Viewer: anna'))
  await waitForNone('button', 'Move to Viewer: anna')
  navigate(groupLink(4))
  await waitForText('anna')
  assert.equal(queryAllByRole('button', /^Move to Viewer/).length, 0)
  navigate(groupLink(1))
  assert.equal(
    (await findByRole('button', 'Move to Viewer: Admin')).dataset.tip,
    'Admin cannot be moved, renamed or deleted'
  )
})

test('an unknown or deleted group shows a notice', async () => {
  const id = await addCustomGroup('Operators')
  await openUserScreen(groupLink(id))
  await findByRole('heading', 'Operators')
  await other.send(deleteGroup, { id })
  await waitForText('This configuration has been deleted by another user.')
  await closeConsole()
  await openUserScreen(groupLink(id))
  await waitForText('Nothing found')
  await findByRole('link', 'User groups')
})

test('the cloud shows no permissions about firmware', async () => {
  await openUserScreen()
  await findRow('Admin')
  setTransport({ cloudCalls: new Set(CLOUD_CALLS.map(({ path }) => path)) })
  navigate(groupLink('new'))
  await checkbox('Device view')
  assert.equal(queryAllByRole('checkbox', /^Firmware/).length, 0)
  await click(await checkbox('Device control'))
  assert.equal(
    visibleText(queryAllByRole('status').find((element) => element.closest('form'))),
    'Also changed: Device view'
  )
})

test.run()
