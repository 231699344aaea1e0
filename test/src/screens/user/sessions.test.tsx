import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { getSession } from '../../../../contract/session.ts'
import { listSessions, setPasswordRules } from '../../../../contract/user.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { navigate } from '../../../../src/state/location.ts'
import { hub, hubForEach, other } from '../../../kit/hub-for-each.ts'
import { all, click, fill, none, one, says, saysOf, settled } from '../../../kit/page.ts'
import { buttonInRow, row } from '../../../kit/rows.ts'
import { until } from '../../../kit/until.ts'
import { addViewer, checkbox, findUser, openUserScreen } from '../../../kit/user-screen.ts'

const test = suite('sessions and password rules')

hubForEach(test)

test('sessions are listed with their browsers, and end at once', async () => {
  await addViewer('anna')
  const anna = hub.enter('anna', '192.0.2.9')
  await openUserScreen(linkTo('users', { tab: 'sessions' }))
  await says('192.0.2.9', await row('anna'))
  await click(await buttonInRow('anna', /^End:/))
  await click(await one('button', /^End anna/, await one('dialog', /^End anna/)))
  await none('row', 'anna')
  assert.equal((await anna.send(listSessions, {})).result, 37)
})

test('several sessions are ended together', async () => {
  await addViewer('anna')
  hub.enter('anna', '192.0.2.9')
  hub.enter('anna', '192.0.2.10')
  await openUserScreen(linkTo('users', { tab: 'sessions' }))
  await until(() => all('row', 'anna').length === 2, 'two sessions')
  for (const address of ['192.0.2.9', '192.0.2.10']) await click(await one('checkbox', `Select anna (${address})`))
  await click(await one('button', 'End 2 items', await one('toolbar', 'Actions')))
  await click(await one('button', 'End 2 items', await one('dialog')))
  await none('row', 'anna')
})

test('password rules are set, show the stored values, and apply to the next password', async () => {
  await openUserScreen(linkTo('users', { tab: 'rules' }))
  const length = await one<HTMLInputElement>('textbox', 'Minimum length')
  await fill(length, '33')
  await click(await checkbox('Needs a digit'))
  await click(await one('button', 'Save'))
  await saysOf(length, 'Must be between 1 and 32')
  await fill(length, '8')
  await click(await one('button', 'Save'))
  await says('Operation succeeded')
  const { 'password-rules': rules } = await other.send(getSession, {})
  assert.deepEqual([rules?.['min-length'], rules?.digit, rules?.upper], [8, true, false])
  navigate(ROUTES.users)
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

test('password rules that could not be loaded show a notice instead of defaults', async () => {
  const console = await openUserScreen()
  await row('Admin')
  console.cut()
  navigate(linkTo('users', { tab: 'rules' }))
  await says('Could not be loaded')
  assert.equal(all('textbox', 'Minimum length').length, 0)
  console.mend()
  await click(await one('button', 'Retry'))
  await one('textbox', 'Minimum length')
})

test('new password rules are shown when the hub refuses a password', async () => {
  const console = await openUserScreen()
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
  assert.equal(await findUser('anna'), undefined)
})

test.run()
