import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { USER_CONTROL } from '../../../../contract/access/permissions.ts'
import { getSession } from '../../../../contract/access/session.ts'
import { listSessions } from '../../../../contract/access/user.ts'
import { INVALID_ARG, NOT_LOGGED_IN } from '../../../../contract/codes.ts'
import { NO_PASSWORD_RULES } from '../../../../contract/rules/password.ts'
import { getSettings, setSettings } from '../../../../contract/settings.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { $settings } from '../../../../src/screens/user/store.ts'
import { navigate } from '../../../../src/state/location.ts'
import { closeConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  clickWhenFree,
  fill,
  findByRole,
  queryAllByRole,
  waitForEffects,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { buttonInRow, findRow } from '../../../kit/console/table-rows.ts'
import { addViewer, checkbox, findUser, openUserScreen } from '../../../kit/console/user-screen.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('sessions and password rules')

hubForEach(test)

test('sessions are listed with their browsers, and end immediately', async () => {
  await addViewer('anna')
  const anna = hub.clientAs('anna', '192.0.2.9')
  await openUserScreen(linkTo('users', { tab: 'sessions' }))
  await waitForText('192.0.2.9', await findRow('anna'))
  await click(await buttonInRow('anna', /^End:/))
  await click(await findByRole('button', /^End anna/, await findByRole('dialog', /^End anna/)))
  await waitForNone('row', 'anna')
  assert.equal((await anna.send(listSessions, {})).result, NOT_LOGGED_IN)
})

test('the page of a user has the sessions of this user, which end there; a manager who may not end them is told so', async () => {
  const id = await addViewer('anna')
  const anna = hub.clientAs('anna', '192.0.2.9')
  await openUserScreen(linkTo('user', { userId: String(id) }))
  await findByRole('button', 'End: anna (192.0.2.9)')
  assert.equal(queryAllByRole('button', /^End: Admin/).length, 0)
  await click(await findByRole('button', 'End: anna (192.0.2.9)'))
  await click(await findByRole('button', /^End anna/, await findByRole('dialog', /^End anna/)))
  await waitForText('No active sessions')
  assert.equal((await anna.send(listSessions, {})).result, NOT_LOGGED_IN)
  await closeConsole()
  await addUser(hub, 'manager', USER_CONTROL)
  await openUserScreen(linkTo('user', { userId: '1' }), 'manager')
  await findByRole('heading', 'Sessions')
  await waitForText('Admin account permission required')
  await waitForNone('button', /^End: /)
})

test('several sessions are ended together', async () => {
  await addViewer('anna')
  hub.clientAs('anna', '192.0.2.9')
  hub.clientAs('anna', '192.0.2.10')
  await openUserScreen(linkTo('users', { tab: 'sessions' }))
  await until(() => queryAllByRole('row', 'anna').length === 2, 'two sessions')
  for (const address of ['192.0.2.9', '192.0.2.10'])
    await click(await findByRole('checkbox', `Select anna (${address})`))
  await click(await findByRole('button', 'End 2 items', await findByRole('toolbar', 'Actions')))
  await click(await findByRole('button', 'End 2 items', await findByRole('dialog')))
  await waitForNone('row', 'anna')
})

test('password rules are set, show the stored values, and apply to the next password', async () => {
  await openUserScreen(linkTo('users', { tab: 'rules' }))
  const length = await findByRole<HTMLInputElement>('textbox', 'Minimum length')
  await fill(length, '33')
  const save = () => findByRole('button', 'Save')
  await fill(await findByRole('textbox', 'Digits'), '2')
  await click(await save())
  await waitForFieldMessage(length, 'Must be between 0 and 32')
  await fill(length, '8')
  const lowercase = await findByRole<HTMLInputElement>('textbox', 'Lowercase letters')
  await fill(lowercase, '31')
  await click(await save())
  await waitForFieldMessage(lowercase, 'Must be between 0 and 30')
  await fill(lowercase, '3')
  await click(await checkbox('Cannot contain the user name'))
  await click(await save())
  await waitForText('Settings saved')
  const { 'pwd-rule': rules } = await other.send(getSession, {})
  assert.deepEqual(rules, { ...NO_PASSWORD_RULES, length: 8, lowercase: 3, number: 2, 'chk-name': 1 })
  await waitForNone('button', 'Save')
  navigate(ROUTES.users)
  await click(await findByRole('button', 'Add user'))
  const dialog = await findByRole('dialog', 'Add user')
  await fill(await findByRole('textbox', 'User name', dialog), 'anna')
  await fill(await findByRole('textbox', 'Password', dialog), 'secret')
  await waitForText(/Must be 8 to 32 characters long/, dialog)
  await waitForText(/Must contain 2 digits/, dialog)
  await fill(await findByRole('textbox', 'Password', dialog), 'secret77')
  await fill(await findByRole('textbox', 'Repeat password', dialog), 'secret77')
  await click(await findByRole('button', 'Add user', dialog))
  await findRow('anna')
})

test('password rules that could not be loaded show a notice instead of defaults', async () => {
  const console = await openUserScreen()
  await findRow('Admin')
  console.disconnect()
  navigate(linkTo('users', { tab: 'rules' }))
  await waitForText('Failed to load')
  assert.equal(queryAllByRole('textbox', 'Minimum length').length, 0)
  console.reconnect()
  await click(await findByRole('button', 'Retry'))
  await findByRole('textbox', 'Minimum length')
})

const expiryForm = async () =>
  (await findByRole('checkbox', 'End sessions that are not used')).closest('form') as HTMLElement
const storedExpiry = async () => (await other.send(getSettings, {})).settings['expired-time']

test('sessions end after some minutes without use, or never', async () => {
  await openUserScreen(linkTo('users', { tab: 'rules' }))
  const form = await expiryForm()
  const minutes = await findByRole<HTMLInputElement>('textbox', 'Minutes without use', form)
  assert.equal(minutes.value, '30')
  await waitForText(/Every session ends 30 days after the sign-in/, form)
  const save = () => clickWhenFree('Save')
  for (const [wrong, message] of [
    ['0', 'Must be between 1 and 1440'],
    ['1441', 'Must be between 1 and 1440'],
    ['1.5', 'Invalid number'],
    ['', 'Required']
  ] as const) {
    await fill(minutes, wrong)
    await save()
    await waitForFieldMessage(minutes, message)
  }
  assert.equal(await storedExpiry(), 30)
  for (const right of [1, 1440]) {
    await fill(minutes, String(right))
    await save()
    await until(() => hub.parts.store.settings.get('expired-time') === right, 'the setting')
    // The values that the hub then sends replace those of the form.
    await until(() => $settings.get().value?.settings['expired-time'] === right, 'the setting in the console')
  }
  await click(await findByRole('checkbox', 'End sessions that are not used'))
  await waitForText(/Sessions never end by themselves/, form)
  await save()
  await until(() => hub.parts.store.settings.get('expired-time') === -1, 'the setting')
})

test('sessions of administrators end after 1 to 12 hours', async () => {
  await openUserScreen(linkTo('users', { tab: 'rules' }))
  const hours = await findByRole<HTMLInputElement>('textbox', 'Hours after the sign-in')
  assert.equal(hours.value, '12', 'of a new hub')
  for (const [wrong, message] of [
    ['0', 'Must be between 1 and 12'],
    ['13', 'Must be between 1 and 12'],
    ['', 'Required']
  ] as const) {
    await fill(hours, wrong)
    await clickWhenFree('Save')
    await waitForFieldMessage(hours, message)
  }
  await fill(hours, '4')
  await clickWhenFree('Save')
  await until(() => hub.parts.store.settings.get('admin-session') === 4, 'the setting')
  const { result, field } = await other.send(setSettings, { 'admin-session': -1 })
  assert.deepEqual([result, field], [INVALID_ARG, 'admin-session'], 'a limit cannot be taken away')
})

test('a hub that an earlier version has set up asks for a limit of administrators', async () => {
  hub.parts.store.settings.set('admin-session', -1)
  await openUserScreen(linkTo('users', { tab: 'rules' }))
  await waitForText(/Sessions of administrators have no limit of their own/)
})

test('an expiry that another user sets is shown', async () => {
  await openUserScreen(linkTo('users', { tab: 'rules' }))
  const minutes = await findByRole<HTMLInputElement>('textbox', 'Minutes without use', await expiryForm())
  await other.send(setSettings, { 'expired-time': 77 })
  await until(() => minutes.value === '77', 'the new value')
})

test('new password rules are shown when the hub refuses a password', async () => {
  const console = await openUserScreen()
  await click(await findByRole('button', 'Add user'))
  const dialog = await findByRole('dialog', 'Add user')
  await waitForEffects()
  console.muteFeed()
  await other.send(setSettings, { 'pwd-rule': { number: 1 } })
  await fill(await findByRole('textbox', 'User name', dialog), 'anna')
  await fill(await findByRole('textbox', 'Password', dialog), 'secret-password')
  await fill(await findByRole('textbox', 'Repeat password', dialog), 'secret-password')
  await click(await findByRole('button', 'Add user', dialog))
  await waitForText(/Must contain a digit/, dialog)
  assert.equal(await findUser('anna'), undefined)
})

test.run()
