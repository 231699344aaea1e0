import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { getSession } from '../../../../contract/access/session.ts'
import { listSessions, setPasswordRules } from '../../../../contract/access/user.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
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
  assert.equal((await anna.send(listSessions, {})).result, 37)
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
  await click(await checkbox('Must contain a digit'))
  await click(await findByRole('button', 'Save'))
  await waitForFieldMessage(length, 'Must be between 0 and 32')
  await fill(length, '8')
  await click(await findByRole('button', 'Save'))
  await waitForText('Settings saved')
  const { 'password-rules': rules } = await other.send(getSession, {})
  assert.deepEqual([rules?.['min-length'], rules?.digit, rules?.upper], [8, true, false])
  navigate(ROUTES.users)
  await click(await findByRole('button', 'Add user'))
  const dialog = await findByRole('dialog', 'Add user')
  await fill(await findByRole('textbox', 'User name', dialog), 'anna')
  await fill(await findByRole('textbox', 'Password', dialog), 'secret')
  await waitForText(/Must be 8 to 32 characters long/, dialog)
  await waitForText(/Must contain a digit/, dialog)
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

test('new password rules are shown when the hub refuses a password', async () => {
  const console = await openUserScreen()
  await click(await findByRole('button', 'Add user'))
  const dialog = await findByRole('dialog', 'Add user')
  await waitForEffects()
  console.muteFeed()
  await other.send(setPasswordRules, {
    'min-length': 1,
    lower: false,
    upper: false,
    digit: true,
    special: false,
    'not-user-name': false
  })
  await fill(await findByRole('textbox', 'User name', dialog), 'anna')
  await fill(await findByRole('textbox', 'Password', dialog), 'secret-password')
  await fill(await findByRole('textbox', 'Repeat password', dialog), 'secret-password')
  await click(await findByRole('button', 'Add user', dialog))
  await waitForText(/Must contain a digit/, dialog)
  assert.equal(await findUser('anna'), undefined)
})

test.run()
