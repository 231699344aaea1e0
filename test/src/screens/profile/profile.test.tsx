import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { GROUP_VIEWER } from '../../../../contract/access/permissions.ts'
import { enableSecondFactor, startSecondFactor } from '../../../../contract/access/second-factor.ts'
import { getSession } from '../../../../contract/access/session.ts'
import { setGroup } from '../../../../contract/access/user.ts'
import { NOT_LOGGED_IN, SUCCESS } from '../../../../contract/codes.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { setTheme } from '../../../../src/state/theme.ts'
import { languageName, setLanguage } from '../../../../src/text/language.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  clickWhenFree,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addViewer, openUserScreen, VIEWER_PASSWORD } from '../../../kit/console/user-screen.ts'
import { appCode } from '../../../kit/hub/app-code.ts'
import { until } from '../../../kit/until.ts'

const test = suite('profile')

/** The start of a time step. Tests move it on, because each code is accepted once. */
let now = 0
test.before.each(() => {
  now = Math.floor(Date.now() / 30_000) * 30_000
})
hubForEach(test, { sessionClock: () => now })

const nextStep = () => {
  now += 30_000
}
/** The key that is shown below the QR code. */
const shownSecret = async () => {
  const shown = () => /([A-Z2-7]{4} ?){8}/.exec(document.body.textContent ?? '')?.[0]
  await until(() => shown() !== undefined, 'the key')
  return shown()?.replaceAll(' ', '') ?? ''
}
const shownCodes = async () =>
  (await findByRole('dialog', 'Recovery codes')).querySelector('pre')?.textContent?.split('\n')

/** Sets up a second factor of Admin without the console. */
async function enroll(): Promise<string> {
  const { secret } = await other.send(startSecondFactor, {})
  assert.equal((await other.send(enableSecondFactor, { secret, code: appCode(secret, now) })).result, SUCCESS)
  nextStep()
  return secret
}

test('the profile is in the user menu, and lists one’s own sessions', async () => {
  await addViewer('anna')
  hub.clientAs('anna', '10.0.0.9')
  await openConsole(hub)
  await click(await findByRole('button', 'Admin'))
  await click(await findByRole('menuitem', 'Profile'))
  await findByRole('heading', 'Second factor')
  assert.equal(queryAllByRole('button', 'Change password').length, 2, 'one is in the banner')
  await until(() => queryAllByRole('button', /^End: Admin/).length === 2, 'both sessions')
  assert.equal(queryAllByRole('button', /^End: anna/).length, 0)
})

test('a user changes the own display name, which the top bar then shows', async () => {
  await openConsole(hub, { at: ROUTES.profile })
  const field = await findByRole<HTMLInputElement>('textbox', 'Display name')
  await fill(field, 'x'.repeat(33))
  await click(await findByRole('button', 'Save'))
  await until(() => field.getAttribute('aria-invalid') === 'true', 'the error')
  await fill(field, 'Control room')
  await click(await findByRole('button', 'Save'))
  await findByRole('button', 'Control room')
  assert.equal((await other.send(getSession, {})).user.nick, 'Control room')
  await fill(field, '')
  await clickWhenFree('Save')
  await findByRole('button', 'Admin')
})

test('language and theme are chosen for this browser', async () => {
  await openConsole(hub, { at: ROUTES.profile })
  try {
    await waitForText('Applies to everyone who signs in with this browser')
    await selectOption(await findByRole('combobox', 'Theme'), 'Dark')
    assert.equal(document.documentElement.style.colorScheme, 'dark')
    await selectOption(await findByRole('combobox', 'Language'), languageName('zh'))
    await waitForText('语言与主题')
    assert.match(document.cookie, /lang=zh/)
  } finally {
    setTheme('system')
    await setLanguage('en')
  }
})

test('all other sessions of the user are ended at once', async () => {
  await openConsole(hub, { at: ROUTES.profile })
  await click(await findByRole('button', 'End all other sessions'))
  await click(await findByRole('button', 'End all other sessions', await findByRole('dialog')))
  await until(() => queryAllByRole('button', /^End: Admin/).length === 1, 'one session')
  await waitForNone('button', 'End all other sessions')
  assert.equal((await other.send(getSession, {})).result, NOT_LOGGED_IN)
})

test('a second factor is switched on with a code of the app, and the recovery codes are shown once', async () => {
  await openConsole(hub, { at: ROUTES.profile })
  await click(await findByRole('button', 'Enable'))
  const dialog = await findByRole('dialog', 'Second factor')
  const secret = await shownSecret()
  await findByRole('img', 'QR code', dialog)
  await fill(await findByRole('textbox', 'Code', dialog), appCode(secret, now + 3_600_000))
  await click(await findByRole('button', 'Enable', dialog))
  await waitForText('The code is wrong or was used before', dialog)
  await fill(await findByRole('textbox', 'Code', dialog), appCode(secret, now))
  await click(await findByRole('button', 'Enable', dialog))
  assert.equal((await shownCodes())?.length, 10)
  await click(queryAllByRole('button', 'Close').at(-1) as HTMLElement)
  await waitForText('Recovery codes left: 10')
  await click(await findByRole('button', 'New recovery codes'))
  assert.equal((await shownCodes())?.length, 10)
})

test('it is switched off with password and code', async () => {
  const secret = await enroll()
  await openConsole(hub, { at: ROUTES.profile })
  await click(await findByRole('button', 'Disable'))
  const dialog = await findByRole('dialog', 'Disable')
  await fill(await findByRole('textbox', 'Password', dialog), 'Admin')
  await fill(await findByRole('textbox', 'Code', dialog), '000000')
  await click(await findByRole('button', 'Disable', dialog))
  await waitForText('The code is wrong or was used before', dialog)
  await fill(await findByRole('textbox', 'Code', dialog), appCode(secret, now))
  await click(await findByRole('button', 'Disable', dialog))
  await waitForNone('dialog')
  await findByRole('button', 'Enable')
})

test('signing in asks for the code in a second step, which can be left', async () => {
  const secret = await enroll()
  await openConsole(hub, { user: null })
  const signIn = async () => {
    await fill(await findByRole('textbox', 'User name'), 'Admin')
    await fill(await findByRole('textbox', 'Password'), 'Admin')
    await click(await findByRole('button', 'Sign in'))
  }
  await signIn()
  const code = await findByRole<HTMLInputElement>('textbox', 'Code')
  assert.equal(code.autocomplete, 'one-time-code')
  await until(() => document.activeElement === code, 'the code has the focus')
  assert.equal(queryAllByRole('textbox').length, 1)
  assert.ok(!document.body.textContent?.includes('Required'))
  await fill(code, '000000')
  await click(await findByRole('button', 'Sign in'))
  await waitForText('The code is wrong or was used before')
  await click(await findByRole('button', 'Cancel'))
  await signIn()
  await fill(await findByRole('textbox', 'Code'), appCode(secret, now))
  await click(await findByRole('button', 'Sign in'))
  await findByRole('heading', 'Dashboard')
})

test('a question for the password asks for the code, too', async () => {
  const secret = await enroll()
  await openConsole(hub, { at: ROUTES.profile })
  await findByRole('button', 'Disable')
  now += 660_000
  await click(await findByRole('button', 'New recovery codes'))
  const dialog = await findByRole('dialog', 'Confirm your password')
  await fill(await findByRole('textbox', 'Password', dialog), 'Admin')
  await fill(await findByRole('textbox', 'Code', dialog), appCode(secret, now))
  await click(await findByRole('button', 'Continue', dialog))
  assert.equal((await shownCodes())?.length, 10)
})

test('who must have a second factor sets it up before anything else, and sees the recovery codes', async () => {
  await addViewer('anna')
  await openConsole(hub, { user: 'anna' })
  await findByRole('heading', 'Dashboard')
  await other.send(setGroup, { id: GROUP_VIEWER, 'require-second-factor': true })
  await waitForText('Your user group requires a second factor.')
  await waitForNone('navigation')
  const secret = await shownSecret()
  await fill(await findByRole('textbox', 'Code'), appCode(secret, now))
  await click(await findByRole('button', 'Enable'))
  assert.equal((await shownCodes())?.length, 10)
  await findByRole('heading', 'Dashboard')
  await findByRole('dialog', 'Recovery codes')
})

test('an administrator sees who has a second factor, and resets it', async () => {
  await addViewer('anna')
  const anna = await hub.signIn('anna', VIEWER_PASSWORD)
  const { secret } = await anna.send(startSecondFactor, {})
  await anna.send(enableSecondFactor, { secret, code: appCode(secret, now) })
  await openUserScreen()
  await waitForText(/On/, await findByRole('row', /anna/))
  await click(await findByRole('button', 'Reset second factor: anna'))
  await click(await findByRole('button', /^Reset second factor/, await findByRole('dialog')))
  await waitForNone('button', 'Reset second factor: anna')
  assert.equal((await anna.send(getSession, {})).result, NOT_LOGGED_IN)
  assert.equal(hub.parts.store.users.byName('anna')?.second_factor_since, 0)
})

test.run()
