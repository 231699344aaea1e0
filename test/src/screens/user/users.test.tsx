import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { changePassword, login } from '../../../../contract/access/session.ts'
import {
  addUser,
  deleteGroup,
  deleteUsers,
  listSessions,
  moveUsers,
  setUser
} from '../../../../contract/access/user.ts'
import { NOT_LOGGED_IN, SUCCESS } from '../../../../contract/codes.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { buttonInRow, findRow, rowNames } from '../../../kit/console/table-rows.ts'
import {
  addCustomGroup,
  addViewer,
  findGroup,
  findUser,
  groupLink,
  isDisabled,
  openUserScreen,
  storedUsers,
  VIEWER_PASSWORD
} from '../../../kit/console/user-screen.ts'
import { md5, newPassword } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('users')

hubForEach(test)

test('an account gets an end, and the list shows that it has expired', async () => {
  const id = await addViewer('anna')
  await openUserScreen()
  await click(await buttonInRow('anna', 'Edit: anna'))
  const dialog = await findByRole('dialog', 'Edit anna')
  const field = dialog.querySelector<HTMLInputElement>('input[type=date]') as HTMLInputElement
  await fill(field, '2020-01-01')
  await click(await findByRole('button', 'Save', dialog))
  await waitForFieldMessage(field, 'Invalid entry')
  await fill(field, '2099-12-31')
  await click(await findByRole('button', 'Save', dialog))
  await waitForText('2099', await findRow('anna'))
  assert.equal((await findUser('anna'))?.expires, new Date('2099-12-31T23:59:59.999').getTime())
  hub.parts.store.users.setExpires(id, 1)
  hub.parts.store.changes.markChanged('user')
  await waitForText('Expired', await findRow('anna'))
})

test('an expired user is told so at sign-in', async () => {
  const id = await addViewer('anna')
  hub.parts.store.users.setExpires(id, 1)
  await openConsole(hub, { user: null, at: ROUTES.login })
  await fill(await findByRole('textbox', 'User name'), 'anna')
  await fill(await findByRole('textbox', 'Password'), VIEWER_PASSWORD)
  await click(await findByRole('button', 'Sign in'))
  await waitForText('This account has expired')
})

test('users are listed with their groups and their last sign-in', async () => {
  await addViewer('anna')
  await addViewer('bert', 2)
  await hub.signIn('bert', VIEWER_PASSWORD)
  await openUserScreen()
  await waitForText('Never', await findRow('anna'))
  await waitForText(/bert.*User.*ago/, await findRow('bert'))
  const group = await findByRole('link', 'User', await findRow('bert'))
  assert.equal(group.getAttribute('href'), `#${groupLink(2)}`)
  assert.deepEqual(rowNames(), ['Admin', 'anna', 'bert'])
})

test('a search matches user names and shown names, and is kept in the URL', async () => {
  await other.send(addUser, { name: 'anna', nick: 'Anna Berg', ...newPassword('anna-password') })
  await addViewer('bert')
  const console = await openUserScreen()
  await findRow('bert')
  await fill(await findByRole('textbox', 'Search'), 'berg')
  await until(() => rowNames().join() === 'anna', 'one user')
  assert.equal(console.currentPath(), `${ROUTES.users}?key=berg`)
  navigate(linkTo('users', { key: 'zzz' }))
  await waitForText('Nothing found')
})

test('a user is added, and can sign in with the password', async () => {
  await openUserScreen()
  await click(await findByRole('button', 'Add user'))
  const dialog = await findByRole('dialog', 'Add user')
  await fill(await findByRole('textbox', 'User name', dialog), 'an')
  await fill(await findByRole('textbox', 'Password', dialog), 'secret-1')
  await fill(await findByRole('textbox', 'Repeat password', dialog), 'secret-2')
  await click(await findByRole('button', 'Add user', dialog))
  await waitForFieldMessage(await findByRole('textbox', 'User name', dialog), 'Must be 3 to 12 characters long')
  await waitForFieldMessage(await findByRole('textbox', 'Repeat password', dialog), 'Two passwords are inconsistent')
  await fill(await findByRole('textbox', 'User name', dialog), 'anna')
  await fill(await findByRole('textbox', 'Display name', dialog), 'Anna Berg')
  await selectOption(await findByRole('combobox', 'User group', dialog), 'User')
  await fill(await findByRole('textbox', 'Repeat password', dialog), 'secret-1')
  await click(await findByRole('button', 'Add user', dialog))
  await waitForNone('dialog')
  await waitForText('Anna Berg', await findRow('anna'))
  const { nick, 'group-id': group } = (await findUser('anna')) ?? {}
  assert.deepEqual([nick, group], ['Anna Berg', 2])
  assert.equal((await hub.client().send(login, { id: 'anna', pass: md5('secret-1') })).result, SUCCESS)
})

test('a duplicate name is refused at its field', async () => {
  await addViewer('anna')
  await openUserScreen()
  await click(await findByRole('button', 'Add user'))
  const dialog = await findByRole('dialog', 'Add user')
  await fill(await findByRole('textbox', 'User name', dialog), 'anna')
  await fill(await findByRole('textbox', 'Password', dialog), 'secret-1')
  await fill(await findByRole('textbox', 'Repeat password', dialog), 'secret-1')
  await click(await findByRole('button', 'Add user', dialog))
  await waitForFieldMessage(await findByRole('textbox', 'User name', dialog), 'User already exists')
  assert.equal(queryAllByRole('alert').filter((alert) => !dialog.contains(alert)).length, 0)
  assert.equal((await storedUsers()).length, 2)
})

test('the names of a user are changed', async () => {
  const id = await addViewer('anna')
  await openUserScreen()
  await click(await buttonInRow('anna', 'Edit: anna'))
  const dialog = await findByRole('dialog', 'Edit anna')
  await fill(await findByRole('textbox', 'User name', dialog), 'annika')
  await fill(await findByRole('textbox', 'Display name', dialog), 'Annika Berg')
  await click(await findByRole('button', 'Save', dialog))
  await waitForText('Annika Berg', await findRow('annika'))
  assert.equal((await findUser('annika'))?.id, id)
})

test('a name set through the API is accepted when only the shown name is edited', async () => {
  await addViewer('日本')
  await openUserScreen()
  await click(await buttonInRow('日本', 'Edit: 日本'))
  const dialog = await findByRole('dialog', 'Edit 日本')
  await fill(await findByRole('textbox', 'Display name', dialog), 'Tokyo')
  await click(await findByRole('button', 'Save', dialog))
  await waitForText('Tokyo', await findRow('日本'))
  await click(await buttonInRow('日本', 'Edit: 日本'))
  await fill(await findByRole('textbox', 'User name'), '日本人')
  await click(await findByRole('button', 'Save'))
  await waitForText('Contains characters that are not allowed')
})

test('the password of another user is changed without the old one, and the user has to sign in again', async () => {
  await addViewer('anna')
  const anna = hub.clientAs('anna')
  await openUserScreen()
  await click(await buttonInRow('anna', 'Change password: anna'))
  const dialog = await findByRole('dialog', 'Password of anna')
  assert.equal(queryAllByRole('textbox', 'Current password').length, 0)
  await fill(await findByRole('textbox', 'New password', dialog), 'better-1')
  await fill(await findByRole('textbox', 'Repeat new password', dialog), 'better-1')
  await click(await findByRole('button', 'Change password', dialog))
  await waitForNone('dialog')
  assert.equal((await anna.send(listSessions, {})).result, NOT_LOGGED_IN)
  assert.equal((await hub.client().send(login, { id: 'anna', pass: md5('better-1') })).result, SUCCESS)
})

test('a user changes the own password with the old one', async () => {
  await openUserScreen()
  await click(await buttonInRow('Admin', 'Change password: Admin'))
  await findByRole('textbox', 'Current password', await findByRole('dialog', 'Change password'))
})

test('after too many wrong current passwords the user has to wait, even with the right one', async () => {
  await openUserScreen()
  for (let attempt = 0; attempt < 5; attempt++)
    await other.send(changePassword, { 'old-passwd': md5(`${attempt}`), ...newPassword('new-password') })
  await click(await buttonInRow('Admin', 'Change password: Admin'))
  const dialog = await findByRole('dialog', 'Change password')
  await fill(await findByRole('textbox', 'Current password', dialog), 'Admin')
  await fill(await findByRole('textbox', 'New password', dialog), 'secret-1')
  await fill(await findByRole('textbox', 'Repeat new password', dialog), 'secret-1')
  await click(await findByRole('button', 'Change password', dialog))
  await waitForText(/The current password is wrong\. Too many attempts: try again in \d+ s\./, dialog)
})

test('several users are moved to a group', async () => {
  for (const name of ['anna', 'bert', 'carl']) await addViewer(name)
  await addCustomGroup('Operators')
  await openUserScreen()
  for (const name of ['anna', 'carl']) await click(await findByRole('checkbox', `Select ${name}`))
  await click(await findByRole('button', 'Move to group', await findByRole('toolbar', 'Actions')))
  const dialog = await findByRole('dialog', 'Move to group')
  await selectOption(await findByRole('combobox', 'User group', dialog), 'Operators')
  await click(await findByRole('button', 'Move to group', dialog))
  await waitForNone('dialog')
  await waitForText('Operators', await findRow('carl'))
  assert.deepEqual(
    (await storedUsers()).map((user) => `${user.name}: ${user['group-name']}`),
    ['Admin: Admin', 'anna: Operators', 'bert: Viewer', 'carl: Operators']
  )
})

test('a user is deleted after a confirmation that names the consequences', async () => {
  await addViewer('anna')
  await openUserScreen()
  await click(await buttonInRow('anna', 'Delete: anna'))
  const question = await findByRole('dialog', 'Delete anna?')
  await waitForText(/Sessions and access tokens end immediately/, question)
  await click(await findByRole('button', 'Cancel', question))
  assert.ok(await findUser('anna'))
  await click(await buttonInRow('anna', 'Delete: anna'))
  await click(await findByRole('button', 'Delete anna', await findByRole('dialog', 'Delete anna?')))
  await waitForNone('row', 'anna')
  assert.equal(await findUser('anna'), undefined)
  assert.equal(document.activeElement?.getAttribute('aria-label'), 'Users', 'the focus stays in the list')
})

test('a user or group with the reused ID of a deleted one is not deleted', async () => {
  const id = await addViewer('anna')
  const group = await addCustomGroup('Crew')
  await openUserScreen()
  await click(await buttonInRow('anna', 'Delete: anna'))
  await other.send(deleteUsers, { id })
  assert.equal(await addViewer('bert'), id)
  await click(await findByRole('button', 'Delete anna', await findByRole('dialog', 'Delete anna?')))
  await waitForText('The status has been changed by another people')
  assert.ok(await findUser('bert'))

  navigate(linkTo('users', { tab: 'groups' }))
  await click(await buttonInRow('Crew', 'Delete: Crew'))
  await other.send(deleteGroup, { id: group })
  assert.equal(await addCustomGroup('Staff'), group)
  await click(await findByRole('button', 'Delete Crew', await findByRole('dialog', 'Delete Crew?')))
  await findByRole('row', 'Staff')
  await waitForNone('row', 'Crew')
  assert.ok(await findGroup('Staff'))
})

test('the user Admin cannot be deleted, moved or renamed, with the reason', async () => {
  await openUserScreen()
  const reason = 'Admin cannot be moved, renamed or deleted'
  for (const name of ['Delete: Admin', 'Move to group: Admin']) {
    const button = await buttonInRow('Admin', name)
    assert.ok(isDisabled(button), name)
    assert.equal(button.dataset.tip, reason)
    await click(button)
    assert.equal(queryAllByRole('dialog').length, 0, name)
  }
  await click(await buttonInRow('Admin', 'Edit: Admin'))
  await waitForText(reason, await findByRole('dialog', 'Edit Admin'))
  assert.equal(queryAllByRole('textbox', 'User name').length, 0)
})

test('with 32 users no more can be added, with the reason', async () => {
  const { store } = hub.parts
  store.database.transaction(() => {
    for (let bit = 1; bit < 32; bit++) store.users.add(2 ** bit, `user${bit}`, 4, '', false)
  })
  await openUserScreen()
  await findRow('user31')
  const button = await findByRole('button', 'Add user')
  assert.ok(isDisabled(button))
  assert.equal(button.dataset.tip, 'max users 32')
})

test('editing the shown name does not undo a concurrent change of the user name', async () => {
  const id = await addViewer('anna')
  await openUserScreen()
  await click(await buttonInRow('anna', 'Edit: anna'))
  const dialog = await findByRole('dialog', 'Edit anna')
  await other.send(setUser, { id, name: 'annika' })
  await fill(await findByRole('textbox', 'Display name', dialog), 'A. Berg')
  await click(await findByRole('button', 'Save', dialog))
  await waitForText('A. Berg', await findRow('annika'))
})

test('other users neither see the menu entry nor can open the screen', async () => {
  await addViewer('anna', 2)
  await openUserScreen(ROUTES.users, 'anna')
  await waitForText('You do not have access permission')
  await waitForText('Admin account permission required')
  assert.equal(queryAllByRole('link', 'User management').length, 0)
  navigate(groupLink(2))
  await waitForText('Admin account permission required')
})

test('a user who is moved out of the Admin group no longer sees the users', async () => {
  const id = await addViewer('anna', 1)
  await openUserScreen(ROUTES.users, 'anna')
  await findRow('anna')
  await other.send(moveUsers, { id, 'group-id': 4 })
  await waitForText('You do not have access permission')
  assert.equal(queryAllByRole('row').length, 0)
})

test.run()
