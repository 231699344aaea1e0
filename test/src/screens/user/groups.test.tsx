import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_CONTROL, CHANNEL_VIEW, DEVICE_VIEW, INPUT_OUTPUT_VIEW } from '../../../../contract/permissions.ts'
import { deleteGroup, setGroup } from '../../../../contract/user.ts'
import { setTransport } from '../../../../src/link/fetch-json.ts'
import { linkTo } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { hubForEach, other } from '../../../kit/hub-for-each.ts'
import { all, click, fill, nameOf, none, one, says, words } from '../../../kit/page.ts'
import { buttonInRow, row } from '../../../kit/rows.ts'
import { until } from '../../../kit/until.ts'
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
} from '../../../kit/user-screen.ts'

const test = suite('user groups')

hubForEach(test)

test('groups are listed with type, number of users and permissions', async () => {
  await addViewer('anna')
  await addCustomGroup('Operators', CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  await openUserScreen(linkTo('users', { tab: 'groups' }))
  await says(/Admin 1 All$/, await row('Admin'))
  await says(/Viewer 1 Device view, Device group view, Input\/output view, Channel view$/, await row('Viewer'))
  await says(/0 Input\/output view, Channel view$/, await row('Operators'))
  const button = await buttonInRow('Viewer', 'Delete: Viewer')
  assert.ok(isDisabled(button))
  assert.equal(button.dataset.tip, 'Only members of a default group can be changed')
})

test('members of a deleted group move to Viewer', async () => {
  for (const name of ['anna', 'bert']) await addViewer(name)
  await addCustomGroup('Operators', DEVICE_VIEW, ['anna', 'bert'])
  await openUserScreen(linkTo('users', { tab: 'groups' }))
  await click(await buttonInRow('Operators', 'Delete: Operators'))
  const question = await one('dialog', 'Delete Operators?')
  await says('Its members move to Viewer.', question)
  await click(await one('button', 'Delete Operators', question))
  await none('row', 'Operators')
  assert.equal((await findUser('anna'))?.['group-name'], 'Viewer')
})

test('with 6 groups no more can be added', async () => {
  for (const name of ['one', 'two', 'three']) await addCustomGroup(name)
  await openUserScreen(linkTo('users', { tab: 'groups' }))
  await row('three')
  const button = await one('button', 'Add user group')
  assert.ok(isDisabled(button))
  assert.equal(button.dataset.tip, 'max groups 6')
})

test('granting a permission grants those that it needs, clearing one clears those that need it, and both are announced', async () => {
  await openUserScreen(groupLink('new'))
  await click(await checkbox('Channel control'))
  assert.deepEqual(checkedNames(), ['Input/output view', 'Channel view', 'Channel control'])
  const status = all('status').find((element) => element.closest('form')) as HTMLElement
  assert.equal(words(status), 'Also changed: Input/output view, Channel view')
  await click(await checkbox('Input/output view'))
  assert.deepEqual(checkedNames(), [])
  assert.equal(words(status), 'Also changed: Channel view, Channel control')
  await click(await checkbox('System view'))
  assert.equal(words(status), '')
})

test('permissions reserved for the Admin group cannot be granted, with the reason', async () => {
  await openUserScreen(groupLink('new'))
  for (const name of ['Device security', 'Device group control', 'User control']) {
    const input = await checkbox(name)
    assert.equal(input.disabled, true, name)
    const message = document.getElementById(input.getAttribute('aria-describedby') ?? '')
    assert.ok(words(message as HTMLElement).includes('Admin group only'), name)
  }
})

test('a group is added with its permissions, and can then have members', async () => {
  await addViewer('anna')
  const console = await openUserScreen(groupLink('new'))
  await fill(await one('textbox', 'Name'), 'Operators')
  await click(await one('button', 'Save'))
  await says('Required')
  assert.equal((await storedGroups()).length, 3)
  await click(await checkbox('Channel control'))
  await click(await one('button', 'Save'))
  await one('heading', 'Operators')
  const group = await findGroup('Operators')
  assert.equal(console.place(), groupLink(group?.id ?? 0))
  assert.equal(group?.permission, CHANNEL_CONTROL | CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  assert.equal(all('dialog').length, 0)
  await click(await one('button', 'Add member'))
  await click(await one('menuitem', 'anna (Viewer)'))
  await one('button', 'Move to Viewer: anna')
  assert.equal((await findUser('anna'))?.['group-name'], 'Operators')
  await addViewer('bert')
  await click(await one('button', 'Add member'))
  await one('menuitem', 'bert (Viewer)')
  await click(await one('button', 'Move to Viewer: anna'))
  await none('button', 'Move to Viewer: anna')
  assert.equal((await findUser('anna'))?.['group-name'], 'Viewer')
})

test('a custom group is changed, and shows the stored values', async () => {
  const id = await addCustomGroup('Operators', CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  await openUserScreen(groupLink(id))
  const name = await one<HTMLInputElement>('textbox', 'Name')
  assert.equal(name.value, 'Operators')
  await fill(name, 'Directors')
  await click(await checkbox('Channel view'))
  await click(await one('button', 'Save'))
  await one('heading', 'Directors')
  const { permission } = (await findGroup('Directors')) ?? {}
  assert.equal(permission, INPUT_OUTPUT_VIEW)
  await other.send(setGroup, { id, name: 'Stage hands', permissions: DEVICE_VIEW })
  await until(() => name.value === 'Stage hands', 'the changed name')
  assert.deepEqual(checkedNames(), ['Device view'])
})

test('input is kept while another user changes the group', async () => {
  const id = await addCustomGroup('Operators')
  await openUserScreen(groupLink(id))
  const name = await one<HTMLInputElement>('textbox', 'Name')
  await fill(name, 'Directors')
  await other.send(setGroup, { id, name: 'Stage hands' })
  await one('heading', 'Stage hands')
  assert.equal(name.value, 'Directors')
})

test('concurrent changes of a group: different fields are both kept, for the same field the later user is shown the current value', async () => {
  const id = await addCustomGroup('Operators')
  await openUserScreen(groupLink(id))
  const name = await one<HTMLInputElement>('textbox', 'Name')
  await fill(name, 'Directors')
  await other.send(setGroup, { id, permissions: CHANNEL_VIEW })
  await click(await one('button', 'Save'))
  await one('heading', 'Directors')
  assert.equal((await findGroup('Directors'))?.permission, CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  await until(() => checkedNames().includes('Channel view'), 'the changed permissions')

  await fill(name, 'Crew')
  await other.send(setGroup, { id, name: 'Stage hands' })
  await click(await one('button', 'Save'))
  await says('The status has been changed by another people')
  await says(/Edit user group: Admin/)
  await until(() => name.value === 'Stage hands', 'the present name')
  assert.equal(await findGroup('Crew'), undefined)
  // The group can be saved again from this state.
  await fill(name, 'Crew')
  await click(await one('button', 'Save'))
  await one('heading', 'Crew')
})

test('a built-in group shows its permissions, and only its members can be changed', async () => {
  await addViewer('anna', 2)
  await openUserScreen(groupLink(2))
  await says('Only members of a default group can be changed')
  for (const input of all('checkbox') as HTMLInputElement[]) assert.equal(input.disabled, true, nameOf(input))
  assert.ok(checkedNames().includes('Channel edit'))
  assert.equal(all('button', 'Save').length, 0)
  await click(await one('button', 'Move to Viewer: anna'))
  await none('button', 'Move to Viewer: anna')
  navigate(groupLink(4))
  await says('anna')
  assert.equal(all('button', /^Move to Viewer/).length, 0)
  navigate(groupLink(1))
  assert.equal((await one('button', 'Move to Viewer: Admin')).dataset.tip, 'Admin cannot be moved, renamed or deleted')
})

test('an unknown or deleted group shows a notice', async () => {
  const id = await addCustomGroup('Operators')
  await openUserScreen(groupLink(id))
  await one('heading', 'Operators')
  await other.send(deleteGroup, { id })
  await says('Nothing found')
  await one('link', 'User groups')
})

test('firmware permissions are not shown on the cloud variant', async () => {
  const console = await openUserScreen()
  await row('Admin')
  // The console runs behind the relay; the relay's paths lead to the same hub.
  setTransport({ relayedHub: 'B300230101001' })
  console.instead = (path) =>
    path.startsWith('/socket/') ? console.browser.raw('GET', path.replace('/socket', '')) : undefined
  navigate(groupLink('new'))
  await checkbox('Device view')
  assert.equal(all('checkbox', /^Firmware/).length, 0)
  await click(await checkbox('Device control'))
  assert.equal(words(all('status').find((element) => element.closest('form'))), 'Also changed: Device view')
})

test.run()
