import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { NO_PASSWORD_RULES, type PasswordRules } from '../../../../contract/rules/password.ts'
import { setSettings } from '../../../../contract/settings.ts'
import { $system } from '../../../../src/state/system.ts'
import { openConsole, type TestConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  visibleText,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { md5 } from '../../../kit/hub/hub.ts'

const test = suite('new password')

hubForEach(test)

let console: TestConsole
/** Body of the request that changes the password. */
let requestBody: Record<string, string> | undefined

test.before.each(async () => {
  // The rules of this hub are set by each test.
  await other.send(setSettings, { 'pwd-rule': NO_PASSWORD_RULES })
  console = await openConsole(hub)
  requestBody = undefined
  const { raw } = console.browser
  console.browser.raw = (method, path, init) => {
    if (path === '/api/usr/update') requestBody = JSON.parse(init?.body ?? '{}')
    return raw(method, path, init)
  }
})

/** Sets the password rules that the hub returns with the session. */
function setPasswordRules(rules: Partial<PasswordRules>): void {
  console.intercept = async (path) => {
    if (path !== '/api/session') return undefined
    const answer = await console.browser.raw('GET', path)
    return Response.json({ ...(await answer.json()), 'pwd-rule': { ...NO_PASSWORD_RULES, ...rules } })
  }
}

async function openDialog(): Promise<HTMLElement> {
  await click(await findByRole('button', 'Admin'))
  await click(await findByRole('menuitem', 'Change password'))
  return findByRole('dialog', 'Change password')
}

test('without password rules no requirements are listed, and the password is not sent in clear', async () => {
  const dialog = await openDialog()
  await fill(await findByRole('textbox', 'Current password', dialog), 'Admin')
  await fill(await findByRole('textbox', 'New password', dialog), 'other')
  await fill(await findByRole('textbox', 'Repeat new password', dialog), 'other')
  assert.ok(!visibleText(dialog).includes('Needs'))
  await click(await findByRole('button', 'Change password', dialog))
  await waitForNone('dialog')
  assert.deepEqual(requestBody, { passwd: md5('other'), 'old-passwd': md5('Admin') })
})

test('a common password is a warning, and can be saved', async () => {
  const dialog = await openDialog()
  await fill(await findByRole('textbox', 'Current password', dialog), 'Admin')
  const next = await findByRole('textbox', 'New password', dialog)
  await fill(next, 'mz4_kq9+tw')
  assert.ok(!visibleText(dialog).includes('common password'))
  await fill(next, 'password1')
  await waitForText(/This is a common password, which attackers try first/, dialog)
  await fill(await findByRole('textbox', 'Repeat new password', dialog), 'password1')
  await click(await findByRole('button', 'Change password', dialog))
  await waitForNone('dialog')
  assert.equal(requestBody?.passwd, md5('password1'))
})

test('each requirement is shown before typing', async () => {
  setPasswordRules({ length: 6, lowercase: 2, uppercase: 1, number: 1, special: 1, 'chk-name': 1 })
  const dialog = await openDialog()
  for (const message of [
    'Must be 6 to 32 characters long',
    'Must contain 2 lowercase letters',
    'Must contain an uppercase letter',
    'Must contain a digit',
    'Must contain one of ~!@#$%^&*_-+=',
    'Cannot contain the user name'
  ])
    await waitForText(new RegExp(message.replace(/[$^*+]/g, '\\$&')), dialog)
})

test('an unmet requirement is an error, and nothing is sent', async () => {
  setPasswordRules({ number: 1 })
  const dialog = await openDialog()
  await waitForText(/Must contain a digit/, dialog)
  await fill(await findByRole('textbox', 'Current password', dialog), 'Admin')
  const next = await findByRole('textbox', 'New password', dialog)
  await fill(next, 'secret')
  await fill(await findByRole('textbox', 'Repeat new password', dialog), 'secret')
  await click(await findByRole('button', 'Change password', dialog))
  await waitForFieldMessage(next, 'Must contain a digit')
  // It stands at the field, and not a second time among the requirements.
  assert.equal(visibleText(dialog).split('Must contain a digit').length, 2)
  assert.equal(requestBody, undefined)
  await fill(next, 'secret1')
  await fill(await findByRole('textbox', 'Repeat new password', dialog), 'secret1')
  await click(await findByRole('button', 'Change password', dialog))
  await waitForNone('dialog')
  assert.deepEqual(requestBody, { passwd: md5('secret1'), password: 'secret1', 'old-passwd': md5('Admin') })
})

test('rules that a hub sends with its status alone are checked here, and no password is sent in clear', async () => {
  const rules = { length: 6, number: 2 }
  console.intercept = async (path) => {
    if (!path.startsWith('/api/system/status')) return undefined
    const answer = (await (await console.browser.raw('GET', path)).json()) as { status: object }
    return Response.json({ ...answer, status: { ...answer.status, 'pwd-rule': rules } })
  }
  await $system.refresh()
  const dialog = await openDialog()
  await waitForText(/Must contain 2 digits/, dialog)
  await fill(await findByRole('textbox', 'Current password', dialog), 'Admin')
  const next = await findByRole('textbox', 'New password', dialog)
  await fill(next, 'secret1')
  await fill(await findByRole('textbox', 'Repeat new password', dialog), 'secret1')
  await click(await findByRole('button', 'Change password', dialog))
  await waitForFieldMessage(next, 'Must contain 2 digits')
  assert.equal(requestBody, undefined)
  await fill(next, 'secret12')
  await fill(await findByRole('textbox', 'Repeat new password', dialog), 'secret12')
  await click(await findByRole('button', 'Change password', dialog))
  await waitForNone('dialog')
  assert.deepEqual(requestBody, { passwd: md5('secret12'), 'old-passwd': md5('Admin') })
})

test('the new password must differ from the current one; a wrong current password is reported', async () => {
  const dialog = await openDialog()
  const old = await findByRole('textbox', 'Current password', dialog)
  for (const name of ['Current password', 'New password', 'Repeat new password'])
    await fill(await findByRole('textbox', name, dialog), 'Admin')
  await click(await findByRole('button', 'Change password', dialog))
  await waitForText('Choose a password other than the current one', dialog)
  await fill(old, 'wrong')
  await click(await findByRole('button', 'Change password', dialog))
  await waitForText('The current password is wrong', dialog)
})

test.run()
