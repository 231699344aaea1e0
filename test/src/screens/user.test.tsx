import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_CONTROL, CHANNEL_VIEW, DEVICE_VIEW, INPUT_OUTPUT_VIEW } from '../../../contract/permissions.ts'
import { changePassword, login, whoAmI } from '../../../contract/session.ts'
import {
  addGroup,
  addUser,
  deleteGroup,
  deleteUsers,
  listSessions,
  listUsers,
  moveUsers,
  setGroup,
  setPasswordRules,
  setUser,
  type User,
  type UserGroup
} from '../../../contract/user.ts'
import { setDoor } from '../../../src/link/fetch-json.ts'
import { link, PLACES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import { openConsole } from '../../kit/console.ts'
import { md5 } from '../../kit/hub.ts'
import { hub, hubForEach, other } from '../../kit/hub-for-each.ts'
import { all, choose, click, fill, nameOf, none, one, says, saysOf, settled, words } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('user')

hubForEach(test)

const users = async (): Promise<User[]> => (await other.send(listUsers, {})).users ?? []
const groups = async (): Promise<UserGroup[]> => (await other.send(listUsers, {})).groups ?? []
const userCalled = async (name: string) => (await users()).find((user) => user.name === name)
const groupCalled = async (name: string) => (await groups()).find((group) => group.name === name)

/** A user of the Viewer group unless told otherwise, whose password is the name. @returns the id */
async function added(name: string, group = 4): Promise<number> {
  const { result, id } = await other.send(addUser, { name, passwd: md5(name), 'group-id': group })
  assert.equal(result, 0)
  return id
}
async function addedGroup(name: string, permissions = DEVICE_VIEW, members: string[] = []): Promise<number> {
  const { result, id } = await other.send(addGroup, { name, permissions, users: members })
  assert.equal(result, 0)
  return id
}

const open = (at: string = PLACES.users, user?: string) => openConsole(hub, { at, ...(user && { user }) })
const groupPage = (id: number | 'new') => link('userGroup', { groupId: String(id) })
const row = (name: string) => one('row', name)
const rows = () => all('row').map(nameOf)
const inRow = async (name: string, button: string | RegExp) => one('button', button, await row(name))
const isBarred = (button: HTMLElement) => button.getAttribute('aria-disabled') === 'true'
const box = (name: string) => one<HTMLInputElement>('checkbox', name)
/** The names of the rights that are ticked. */
const ticked = () =>
  all('checkbox')
    .filter((input) => (input as HTMLInputElement).checked)
    .map(nameOf)

test('the users are listed with their groups, and their last sign-in', async () => {
  await added('anna')
  await added('bert', 2)
  await hub.signIn('bert', 'bert')
  await open()
  await says('Never', await row('anna'))
  await says(/bert.*User.*ago/, await row('bert'))
  const group = await one('link', 'User', await row('bert'))
  assert.equal(group.getAttribute('href'), `#${groupPage(2)}`)
  assert.deepEqual(rows(), ['Admin', 'anna', 'bert'])
})

test('a search finds names and shown names, and is in the address', async () => {
  await other.send(addUser, { name: 'anna', nick: 'Anna Berg', passwd: md5('anna') })
  await added('bert')
  const console = await open()
  await row('bert')
  await fill(await one('textbox', 'Search'), 'berg')
  await until(() => rows().join() === 'anna', 'one user')
  assert.equal(console.place(), `${PLACES.users}?key=berg`)
  navigate(link('users', { key: 'zzz' }))
  await says('Nothing found')
})

test('a user is added, and can sign in with the password', async () => {
  await open()
  await click(await one('button', 'Add user'))
  const dialog = await one('dialog', 'Add user')
  await fill(await one('textbox', 'User name', dialog), 'an')
  await fill(await one('textbox', 'New password', dialog), 'secret')
  await fill(await one('textbox', 'Repeat new password', dialog), 'secrets')
  await click(await one('button', 'Add user', dialog))
  await saysOf(await one('textbox', 'User name', dialog), 'Must be 3 to 12 characters long')
  await saysOf(await one('textbox', 'Repeat new password', dialog), 'Two passwords are inconsistent')
  await fill(await one('textbox', 'User name', dialog), 'anna')
  await fill(await one('textbox', 'Shown name', dialog), 'Anna Berg')
  await choose(await one('combobox', 'User group', dialog), 'User')
  await fill(await one('textbox', 'Repeat new password', dialog), 'secret')
  await click(await one('button', 'Add user', dialog))
  await none('dialog')
  await says('Anna Berg', await row('anna'))
  const { nick, 'group-id': group } = (await userCalled('anna')) ?? {}
  assert.deepEqual([nick, group], ['Anna Berg', 2])
  assert.equal((await hub.client().send(login, { id: 'anna', pass: md5('secret') })).result, 0)
})

test('a name that exists is refused at its field', async () => {
  await added('anna')
  await open()
  await click(await one('button', 'Add user'))
  const dialog = await one('dialog', 'Add user')
  await fill(await one('textbox', 'User name', dialog), 'anna')
  await fill(await one('textbox', 'New password', dialog), 'secret')
  await fill(await one('textbox', 'Repeat new password', dialog), 'secret')
  await click(await one('button', 'Add user', dialog))
  await saysOf(await one('textbox', 'User name', dialog), 'User already exists')
  assert.equal(all('alert').filter((alert) => !dialog.contains(alert)).length, 0)
  assert.equal((await users()).length, 2)
})

test('a user gets other names', async () => {
  const id = await added('anna')
  await open()
  await click(await inRow('anna', 'Edit: anna'))
  const dialog = await one('dialog', 'Edit anna')
  await fill(await one('textbox', 'User name', dialog), 'annika')
  await fill(await one('textbox', 'Shown name', dialog), 'Annika Berg')
  await click(await one('button', 'Save', dialog))
  await says('Annika Berg', await row('annika'))
  assert.equal((await userCalled('annika'))?.id, id)
})

test('a name that a program gave may stay when the shown name is edited', async () => {
  await added('日本')
  await open()
  await click(await inRow('日本', 'Edit: 日本'))
  const dialog = await one('dialog', 'Edit 日本')
  await fill(await one('textbox', 'Shown name', dialog), 'Tokyo')
  await click(await one('button', 'Save', dialog))
  await says('Tokyo', await row('日本'))
  await click(await inRow('日本', 'Edit: 日本'))
  await fill(await one('textbox', 'User name'), '日本人')
  await click(await one('button', 'Save'))
  await says('Has characters that are not allowed')
})

test('another user gets a password without the old one, and has to sign in anew', async () => {
  await added('anna')
  const anna = hub.enter('anna')
  await open()
  await click(await inRow('anna', 'Change password: anna'))
  const dialog = await one('dialog', 'Password of anna')
  assert.equal(all('textbox', 'Current password').length, 0)
  await fill(await one('textbox', 'New password', dialog), 'better')
  await fill(await one('textbox', 'Repeat new password', dialog), 'better')
  await click(await one('button', 'Change password', dialog))
  await none('dialog')
  assert.equal((await anna.send(listSessions, {})).result, 37)
  assert.equal((await hub.client().send(login, { id: 'anna', pass: md5('better') })).result, 0)
})

test('one changes the own password with the old one', async () => {
  await open()
  await click(await inRow('Admin', 'Change password: Admin'))
  await one('textbox', 'Current password', await one('dialog', 'Change password'))
})

test('who typed a wrong current password too often is told to wait, be it right by then', async () => {
  await open()
  for (let attempt = 0; attempt < 5; attempt++)
    await other.send(changePassword, { 'old-passwd': md5(`${attempt}`), passwd: md5('x') })
  await click(await inRow('Admin', 'Change password: Admin'))
  const dialog = await one('dialog', 'Change password')
  await fill(await one('textbox', 'Current password', dialog), 'Admin')
  await fill(await one('textbox', 'New password', dialog), 'secret')
  await fill(await one('textbox', 'Repeat new password', dialog), 'secret')
  await click(await one('button', 'Change password', dialog))
  await says(/The current password is wrong\. Too many attempts: try again in \d+ s\./, dialog)
})

test('several users are moved to a group', async () => {
  for (const name of ['anna', 'bert', 'carl']) await added(name)
  await addedGroup('Operators')
  await open()
  for (const name of ['anna', 'carl']) await click(await one('checkbox', `Select ${name}`))
  await click(await one('button', 'Move to group', await one('toolbar', 'Actions')))
  const dialog = await one('dialog', 'Move to group')
  await choose(await one('combobox', 'User group', dialog), 'Operators')
  await click(await one('button', 'Move to group', dialog))
  await none('dialog')
  await says('Operators', await row('carl'))
  assert.deepEqual(
    (await users()).map((user) => `${user.name}: ${user['group-name']}`),
    ['Admin: Admin', 'anna: Operators', 'bert: Viewer', 'carl: Operators']
  )
})

test('a user is deleted after a question that says what is lost', async () => {
  await added('anna')
  await open()
  await click(await inRow('anna', 'Delete: anna'))
  const question = await one('dialog', 'Delete anna?')
  await says(/Sessions and access tokens end at once/, question)
  await click(await one('button', 'Cancel', question))
  assert.ok(await userCalled('anna'))
  await click(await inRow('anna', 'Delete: anna'))
  await click(await one('button', 'Delete anna', await one('dialog', 'Delete anna?')))
  await none('row', 'anna')
  assert.equal(await userCalled('anna'), undefined)
  assert.equal(document.activeElement?.getAttribute('aria-label'), 'Users', 'the focus stays in the list')
})

test('who was given the id of a deleted user, or group, is not deleted in the place of that one', async () => {
  const id = await added('anna')
  const group = await addedGroup('Crew')
  await open()
  await click(await inRow('anna', 'Delete: anna'))
  await other.send(deleteUsers, { id })
  assert.equal(await added('bert'), id)
  await click(await one('button', 'Delete anna', await one('dialog', 'Delete anna?')))
  await says('The status has been changed by another people')
  assert.ok(await userCalled('bert'))

  navigate(link('users', { tab: 'groups' }))
  await click(await inRow('Crew', 'Delete: Crew'))
  await other.send(deleteGroup, { id: group })
  assert.equal(await addedGroup('Staff'), group)
  await click(await one('button', 'Delete Crew', await one('dialog', 'Delete Crew?')))
  await one('row', 'Staff')
  await none('row', 'Crew')
  assert.ok(await groupCalled('Staff'))
})

test('the user Admin can be neither deleted, moved nor renamed, and it says why', async () => {
  await open()
  const reason = 'Admin cannot be moved, renamed or deleted'
  for (const name of ['Delete: Admin', 'Move to group: Admin']) {
    const button = await inRow('Admin', name)
    assert.ok(isBarred(button), name)
    assert.equal(button.dataset.tip, reason)
    await click(button)
    assert.equal(all('dialog').length, 0, name)
  }
  await click(await inRow('Admin', 'Edit: Admin'))
  await says(reason, await one('dialog', 'Edit Admin'))
  assert.equal(all('textbox', 'User name').length, 0)
})

test('with 32 users no more can be added, and it says so', async () => {
  const { store } = hub.hub
  store.database.transaction(() => {
    for (let bit = 1; bit < 32; bit++) store.users.add(2 ** bit, `user${bit}`, 4, '', false)
  })
  await open()
  await row('user31')
  const button = await one('button', 'Add user')
  assert.ok(isBarred(button))
  assert.equal(button.dataset.tip, 'max users 32')
})

test('the groups are listed with type, number of users and rights', async () => {
  await added('anna')
  await addedGroup('Operators', CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  await open(link('users', { tab: 'groups' }))
  await says(/Admin 1 All$/, await row('Admin'))
  await says(/Viewer 1 Device view, Device group view, Input\/output view, Channel view$/, await row('Viewer'))
  await says(/0 Input\/output view, Channel view$/, await row('Operators'))
  const button = await inRow('Viewer', 'Delete: Viewer')
  assert.ok(isBarred(button))
  assert.equal(button.dataset.tip, 'Only members of a default group can be changed')
})

test('a deleted group lets its members go to Viewer', async () => {
  for (const name of ['anna', 'bert']) await added(name)
  await addedGroup('Operators', DEVICE_VIEW, ['anna', 'bert'])
  await open(link('users', { tab: 'groups' }))
  await click(await inRow('Operators', 'Delete: Operators'))
  const question = await one('dialog', 'Delete Operators?')
  await says('Its members move to Viewer.', question)
  await click(await one('button', 'Delete Operators', question))
  await none('row', 'Operators')
  assert.equal((await userCalled('anna'))?.['group-name'], 'Viewer')
})

test('with 6 groups no more can be added', async () => {
  for (const name of ['one', 'two', 'three']) await addedGroup(name)
  await open(link('users', { tab: 'groups' }))
  await row('three')
  const button = await one('button', 'Add user group')
  assert.ok(isBarred(button))
  assert.equal(button.dataset.tip, 'max groups 6')
})

test('granting a right grants what it needs, clearing one clears what needs it, and both are said', async () => {
  await open(groupPage('new'))
  await click(await box('Channel control'))
  assert.deepEqual(ticked(), ['Input/output view', 'Channel view', 'Channel control'])
  const status = all('status').find((element) => element.closest('form')) as HTMLElement
  assert.equal(words(status), 'Also changed: Input/output view, Channel view')
  await click(await box('Input/output view'))
  assert.deepEqual(ticked(), [])
  assert.equal(words(status), 'Also changed: Channel view, Channel control')
  await click(await box('System view'))
  assert.equal(words(status), '')
})

test('rights of the Admin group alone cannot be granted, and it says why', async () => {
  await open(groupPage('new'))
  for (const name of ['Device security', 'Device group control', 'User control']) {
    const input = await box(name)
    assert.equal(input.disabled, true, name)
    const said = document.getElementById(input.getAttribute('aria-describedby') ?? '')
    assert.ok(words(said as HTMLElement).includes('Admin group only'), name)
  }
})

test('a group is made with its rights, and is then there to take members', async () => {
  await added('anna')
  const console = await open(groupPage('new'))
  await fill(await one('textbox', 'Name'), 'Operators')
  await click(await one('button', 'Save'))
  await says('Required')
  assert.equal((await groups()).length, 3)
  await click(await box('Channel control'))
  await click(await one('button', 'Save'))
  await one('heading', 'Operators')
  const group = await groupCalled('Operators')
  assert.equal(console.place(), groupPage(group?.id ?? 0))
  assert.equal(group?.permission, CHANNEL_CONTROL | CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  assert.equal(all('dialog').length, 0)
  await click(await one('button', 'Add member'))
  await click(await one('menuitem', 'anna (Viewer)'))
  await one('button', 'Move to Viewer: anna')
  assert.equal((await userCalled('anna'))?.['group-name'], 'Operators')
  await added('bert')
  await click(await one('button', 'Add member'))
  await one('menuitem', 'bert (Viewer)')
  await click(await one('button', 'Move to Viewer: anna'))
  await none('button', 'Move to Viewer: anna')
  assert.equal((await userCalled('anna'))?.['group-name'], 'Viewer')
})

test('a custom group is changed, and shows what the hub then says', async () => {
  const id = await addedGroup('Operators', CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  await open(groupPage(id))
  const name = await one<HTMLInputElement>('textbox', 'Name')
  assert.equal(name.value, 'Operators')
  await fill(name, 'Directors')
  await click(await box('Channel view'))
  await click(await one('button', 'Save'))
  await one('heading', 'Directors')
  const { permission } = (await groupCalled('Directors')) ?? {}
  assert.equal(permission, INPUT_OUTPUT_VIEW)
  await other.send(setGroup, { id, name: 'Stage hands', permissions: DEVICE_VIEW })
  await until(() => name.value === 'Stage hands', 'the name that somebody else gave')
  assert.deepEqual(ticked(), ['Device view'])
})

test('what somebody types is not lost when somebody else changes the group', async () => {
  const id = await addedGroup('Operators')
  await open(groupPage(id))
  const name = await one<HTMLInputElement>('textbox', 'Name')
  await fill(name, 'Directors')
  await other.send(setGroup, { id, name: 'Stage hands' })
  await one('heading', 'Stage hands')
  assert.equal(name.value, 'Directors')
})

test('two who change one group: of different things both are kept, of the same the later is told and shown the present', async () => {
  const id = await addedGroup('Operators')
  await open(groupPage(id))
  const name = await one<HTMLInputElement>('textbox', 'Name')
  await fill(name, 'Directors')
  await other.send(setGroup, { id, permissions: CHANNEL_VIEW })
  await click(await one('button', 'Save'))
  await one('heading', 'Directors')
  assert.equal((await groupCalled('Directors'))?.permission, CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  await until(() => ticked().includes('Channel view'), 'the rights that somebody else gave')

  await fill(name, 'Crew')
  await other.send(setGroup, { id, name: 'Stage hands' })
  await click(await one('button', 'Save'))
  await says('The status has been changed by another people')
  await says(/Edit user group: Admin/)
  await until(() => name.value === 'Stage hands', 'the present name')
  assert.equal(await groupCalled('Crew'), undefined)
  // It can be changed from there.
  await fill(name, 'Crew')
  await click(await one('button', 'Save'))
  await one('heading', 'Crew')
})

test('a shown name that is edited does not undo another name given meanwhile', async () => {
  const id = await added('anna')
  await open()
  await click(await inRow('anna', 'Edit: anna'))
  const dialog = await one('dialog', 'Edit anna')
  await other.send(setUser, { id, name: 'annika' })
  await fill(await one('textbox', 'Shown name', dialog), 'A. Berg')
  await click(await one('button', 'Save', dialog))
  await says('A. Berg', await row('annika'))
})

test('a built-in group shows its rights and lets only its members be changed', async () => {
  await added('anna', 2)
  await open(groupPage(2))
  await says('Only members of a default group can be changed')
  for (const input of all('checkbox') as HTMLInputElement[]) assert.equal(input.disabled, true, nameOf(input))
  assert.ok(ticked().includes('Channel edit'))
  assert.equal(all('button', 'Save').length, 0)
  await click(await one('button', 'Move to Viewer: anna'))
  await none('button', 'Move to Viewer: anna')
  navigate(groupPage(4))
  await says('anna')
  assert.equal(all('button', /^Move to Viewer/).length, 0)
  navigate(groupPage(1))
  assert.equal((await one('button', 'Move to Viewer: Admin')).dataset.tip, 'Admin cannot be moved, renamed or deleted')
})

test('a group that does not exist, or does no longer, is said to be gone', async () => {
  const id = await addedGroup('Operators')
  await open(groupPage(id))
  await one('heading', 'Operators')
  await other.send(deleteGroup, { id })
  await says('Nothing found')
  await one('link', 'User groups')
})

test('sessions are listed with what uses them, and end at once', async () => {
  await added('anna')
  const anna = hub.enter('anna', '192.0.2.9')
  await open(link('users', { tab: 'sessions' }))
  await says('192.0.2.9', await row('anna'))
  await click(await inRow('anna', /^End:/))
  await click(await one('button', /^End anna/, await one('dialog', /^End anna/)))
  await none('row', 'anna')
  assert.equal((await anna.send(listSessions, {})).result, 37)
})

test('several sessions end together', async () => {
  await added('anna')
  hub.enter('anna', '192.0.2.9')
  hub.enter('anna', '192.0.2.10')
  await open(link('users', { tab: 'sessions' }))
  await until(() => all('row', 'anna').length === 2, 'two sessions')
  for (const address of ['192.0.2.9', '192.0.2.10']) await click(await one('checkbox', `Select anna (${address})`))
  await click(await one('button', 'End 2 items', await one('toolbar', 'Actions')))
  await click(await one('button', 'End 2 items', await one('dialog')))
  await none('row', 'anna')
})

test('password rules are set, show what the hub then says, and count for the next password', async () => {
  await open(link('users', { tab: 'rules' }))
  const length = await one<HTMLInputElement>('textbox', 'Minimum length')
  await fill(length, '33')
  await click(await box('Needs a digit'))
  await click(await one('button', 'Save'))
  await saysOf(length, 'Must be between 1 and 32')
  await fill(length, '8')
  await click(await one('button', 'Save'))
  await says('Operation succeeded')
  const { 'password-rules': rules } = await other.send(whoAmI, {})
  assert.deepEqual([rules?.['min-length'], rules?.digit, rules?.upper], [8, true, false])
  navigate(PLACES.users)
  await click(await one('button', 'Add user'))
  const dialog = await one('dialog', 'Add user')
  await fill(await one('textbox', 'User name', dialog), 'anna')
  await fill(await one('textbox', 'New password', dialog), 'secret')
  await says(/Must be 8 to 32 characters long/, dialog)
  await says(/Needs a digit/, dialog)
  await fill(await one('textbox', 'New password', dialog), 'secret77')
  await fill(await one('textbox', 'Repeat new password', dialog), 'secret77')
  await click(await one('button', 'Add user', dialog))
  await row('anna')
})

test('rules that could not be asked for are not guessed', async () => {
  const console = await open()
  await row('Admin')
  console.cut()
  navigate(link('users', { tab: 'rules' }))
  await says('Could not be loaded')
  assert.equal(all('textbox', 'Minimum length').length, 0)
  console.mend()
  await click(await one('button', 'Retry'))
  await one('textbox', 'Minimum length')
})

test('rules that came meanwhile are told when the hub refuses a password', async () => {
  const console = await open()
  await click(await one('button', 'Add user'))
  const dialog = await one('dialog', 'Add user')
  await settled()
  console.hush()
  await other.send(setPasswordRules, {
    'min-length': 1,
    lower: false,
    upper: false,
    digit: true,
    special: false,
    'not-user-name': false
  })
  await fill(await one('textbox', 'User name', dialog), 'anna')
  await fill(await one('textbox', 'New password', dialog), 'secret')
  await fill(await one('textbox', 'Repeat new password', dialog), 'secret')
  await click(await one('button', 'Add user', dialog))
  await says(/Needs a digit/, dialog)
  assert.equal(await userCalled('anna'), undefined)
})

test('others neither see the menu entry nor come in', async () => {
  await added('anna', 2)
  await open(PLACES.users, 'anna')
  await says('You do not have access permission')
  await says('Admin account permission required')
  assert.equal(all('link', 'User Management').length, 0)
  navigate(groupPage(2))
  await says('Admin account permission required')
})

test('who is moved out of the Admin group meanwhile sees the users no more', async () => {
  const id = await added('anna', 1)
  await open(PLACES.users, 'anna')
  await row('anna')
  await other.send(moveUsers, { id, 'group-id': 4 })
  await says('You do not have access permission')
  assert.equal(all('row').length, 0)
})

test('firmware rights are not shown on the cloud variant', async () => {
  const console = await open()
  await row('Admin')
  // Behind the relay; its paths lead to the same hub.
  setDoor({ hub: 'B300230101001' })
  console.instead = (path) =>
    path.startsWith('/socket/') ? console.browser.raw('GET', path.replace('/socket', '')) : undefined
  navigate(groupPage('new'))
  await box('Device view')
  assert.equal(all('checkbox', /^Firmware/).length, 0)
  await click(await box('Device control'))
  assert.equal(words(all('status').find((element) => element.closest('form'))), 'Also changed: Device view')
})

test.run()
