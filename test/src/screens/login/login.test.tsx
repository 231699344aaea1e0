import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { VIEWER_PERMISSIONS } from '../../../../contract/access/permissions.ts'
import { login } from '../../../../contract/access/session.ts'
import { closeConsole, openConsole, signInAs } from '../../../kit/console/console.ts'
import { hub, hubForEach } from '../../../kit/console/hub-for-each.ts'
import {
  blur,
  click,
  fieldMessage,
  fill,
  findByRole,
  queryAllByRole,
  waitForFieldMessage,
  waitForFocus,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addUser, startHub } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('login')

hubForEach(test)

const nameField = () => findByRole<HTMLInputElement>('textbox', 'User name')
const passwordField = () => findByRole<HTMLInputElement>('textbox', 'Password')
const signIn = async () => click(await findByRole('button', 'Sign in'))
/** The error message of the form. */
const formError = () => queryAllByRole('alert').at(-1)?.textContent ?? ''

test('the form has a name and a password, and the name has the focus', async () => {
  await openConsole(hub, { user: null })
  await findByRole('heading', 'Sign in')
  await waitForFocus('User name')
  assert.equal((await nameField()).autocomplete, 'username')
  assert.equal((await passwordField()).autocomplete, 'current-password')
  assert.equal((await passwordField()).type, 'password')
  assert.equal(document.title, 'Sign in · Headend')
  await waitForNone('navigation')
})

test('a hub that asks for its setup code says where it is, and takes it', async () => {
  const codes: (string | undefined)[] = []
  const managed = await startHub({ announceSetupCode: (code) => codes.push(code) })
  try {
    await openConsole(managed, { user: null, address: '192.0.2.9' })
    await signInAs('Admin')
    const field = await findByRole<HTMLInputElement>('textbox', 'Setup code')
    await waitForText(/on the screen of the hub’s machine, and in its journal: journalctl -u headend/)
    await fill(field, 'guess')
    await signIn()
    await waitForText('The code is wrong or was used before')
    await fill(field, codes[0] ?? '')
    await signIn()
    await waitForText('The default password is still in use.')
  } finally {
    await closeConsole()
    await managed.close()
  }
})

test('both fields are required: no request is sent, and the first field with an error has the focus', async () => {
  const console = await openConsole(hub, { user: null })
  const requested: string[] = []
  console.intercept = (path) => void requested.push(path)
  await fill(await passwordField(), 'x')
  await signIn()
  await waitForFieldMessage(await nameField(), 'Required')
  assert.equal(fieldMessage(await passwordField()), '')
  await waitForFocus('User name')
  assert.deepEqual(
    requested.filter((path) => path.includes('login')),
    []
  )
})

test('an untouched empty field shows no error when it loses the focus', async () => {
  await openConsole(hub, { user: null })
  await waitForFocus('User name')
  await blur(await nameField())
  await fill(await passwordField(), '')
  await blur(await passwordField())
  await waitForFieldMessage(await passwordField(), 'Required')
  assert.equal(fieldMessage(await nameField()), '')
})

test('an error is shown when its field loses the focus, and disappears while typing', async () => {
  await openConsole(hub, { user: null })
  await fill(await nameField(), '')
  await blur(await nameField())
  await waitForFieldMessage(await nameField(), 'Required')
  assert.equal(fieldMessage(await passwordField()), '')
  await fill(await nameField(), 'x')
  await waitForFieldMessage(await nameField(), '')
})

test('a wrong name and a wrong password have the same error message', async () => {
  await openConsole(hub, { user: null })
  for (const [name, password] of [
    ['Admin', 'wrong'],
    ['Nobody', 'Admin']
  ] as const) {
    await signInAs(name, password)
    await until(() => formError() === 'Incorrect account or password', 'the error is shown')
    await fill(await passwordField(), 'x')
  }
  await findByRole('heading', 'Sign in')
})

test('many wrong passwords lock the account, with the remaining time', async () => {
  await openConsole(hub, { user: null })
  const browser = hub.client()
  for (let attempt = 0; attempt < 20; attempt++) {
    const { 'locked-s': locked } = await browser.send(login, { id: 'Admin', pass: `${attempt}`.padStart(32, '0') })
    if (locked) break
  }
  await signInAs('Admin')
  await waitForText(/Incorrect account or password\. Too many attempts: try again in \d+ s\./)
  assert.equal(queryAllByRole('navigation').length, 0)
})

test('an unreachable hub has its own error message', async () => {
  const console = await openConsole(hub, { user: null })
  console.disconnect()
  await signInAs('Admin')
  await until(() => formError() === 'Cannot connect to server', 'the error is shown')
  console.reconnect()
  await signIn()
  await findByRole('heading', 'Dashboard')
})

test('the password can be shown', async () => {
  await openConsole(hub, { user: null })
  await fill(await passwordField(), 'secret')
  await click(await findByRole('button', 'Show'))
  assert.equal((await passwordField()).type, 'text')
  assert.equal((await passwordField()).value, 'secret')
})

test('the language menu changes the language of the login page and of the console', async () => {
  await openConsole(hub, { user: null })
  await click(await findByRole('button', 'English'))
  await click(await findByRole('menuitem', '中文'))
  await findByRole('heading', '登录')
  await fill(await findByRole('textbox', '用户名'), 'Admin')
  await fill(await findByRole('textbox', '密码'), 'wrong')
  await click(await findByRole('button', '登录'))
  await until(() => formError() === '用户名或密码错误', 'the error is shown')
  await click(await findByRole('button', '中文'))
  await click(await findByRole('menuitem', 'English'))
  await until(() => formError() === 'Incorrect account or password', 'the error is shown in English')
  assert.equal((await findByRole<HTMLInputElement>('textbox', 'User name')).value, 'Admin')
  await click(await findByRole('button', 'English'))
  await click(await findByRole('menuitem', '中文'))
  await fill(await findByRole('textbox', '密码'), 'Admin')
  await click(await findByRole('button', '登录'))
  await findByRole('heading', '仪表盘')
})

test('after signing out the next user sees nothing of the previous one', async () => {
  await addUser(hub, 'viewer', VIEWER_PERMISSIONS)
  await openConsole(hub)
  await click(await findByRole('button', 'Admin'))
  await click(await findByRole('menuitem', 'Sign out'))
  await findByRole('heading', 'Sign in')
  assert.equal((await passwordField()).value, '')
  await signInAs('viewer')
  await findByRole('button', 'viewer')
  await waitForNone('button', 'Admin')
})

test('the end of the session opens the login page, which keeps the return URL', async () => {
  const console = await openConsole(hub, { at: '/devices/all' })
  await waitForText('No devices')
  console.browser.cookie = ''
  hub.parts.store.changes.markChanged('device')
  await findByRole('heading', 'Sign in')
  assert.equal(console.currentPath(), '/login?return_url=%2Fdevices%2Fall')
})

test.run()
