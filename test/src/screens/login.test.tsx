import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { VIEWER_PERMISSIONS } from '../../../contract/access/permissions.ts'
import { login } from '../../../contract/access/session.ts'
import { openConsole, signInAs } from '../../kit/console/console.ts'
import { hub, hubForEach } from '../../kit/console/hub-for-each.ts'
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
} from '../../kit/console/page.ts'
import { addUser } from '../../kit/hub/hub.ts'
import { until } from '../../kit/until.ts'

const test = suite('login')

hubForEach(test)

const nameField = () => findByRole<HTMLInputElement>('textbox', 'User name')
const passwordField = () => findByRole<HTMLInputElement>('textbox', 'Password')
const signIn = async () => click(await findByRole('button', 'Sign in'))
/** What is said once about the whole form. */
const fault = () => queryAllByRole('alert').at(-1)?.textContent ?? ''

test('it asks for name and password, and the name has the focus', async () => {
  await openConsole(hub, { user: null })
  await findByRole('heading', 'Sign in')
  await waitForFocus('User name')
  assert.equal((await nameField()).autocomplete, 'username')
  assert.equal((await passwordField()).autocomplete, 'current-password')
  assert.equal((await passwordField()).type, 'password')
  assert.equal(document.title, 'Sign in · Headend')
  await waitForNone('navigation')
})

test('both are needed: nothing is asked of the hub, and the first fault has the focus', async () => {
  const console = await openConsole(hub, { user: null })
  const asked: string[] = []
  console.intercept = (path) => void asked.push(path)
  await fill(await passwordField(), 'x')
  await signIn()
  await waitForFieldMessage(await nameField(), 'Required')
  assert.equal(fieldMessage(await passwordField()), '')
  await waitForFocus('User name')
  assert.deepEqual(
    asked.filter((path) => path.includes('login')),
    []
  )
})

test('a field that is left as it was, empty, says nothing yet', async () => {
  await openConsole(hub, { user: null })
  await waitForFocus('User name')
  await blur(await nameField())
  await fill(await passwordField(), '')
  await blur(await passwordField())
  await waitForFieldMessage(await passwordField(), 'Required')
  assert.equal(fieldMessage(await nameField()), '')
})

test('a fault is shown when its field was left, and goes while one types', async () => {
  await openConsole(hub, { user: null })
  await fill(await nameField(), '')
  await blur(await nameField())
  await waitForFieldMessage(await nameField(), 'Required')
  assert.equal(fieldMessage(await passwordField()), '')
  await fill(await nameField(), 'x')
  await waitForFieldMessage(await nameField(), '')
})

test('a wrong name and a wrong password are told alike', async () => {
  await openConsole(hub, { user: null })
  for (const [name, password] of [
    ['Admin', 'wrong'],
    ['Nobody', 'Admin']
  ] as const) {
    await signInAs(name, password)
    await until(() => fault() === 'Incorrect account or password', 'what is wrong')
    await fill(await passwordField(), 'x')
  }
  await findByRole('heading', 'Sign in')
})

test('many wrong passwords lock the door, and it says for how long', async () => {
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

test('a hub that cannot be reached is told as such', async () => {
  const console = await openConsole(hub, { user: null })
  console.disconnect()
  await signInAs('Admin')
  await until(() => fault() === 'Cannot connect to server', 'what is wrong')
  console.reconnect()
  await signIn()
  await findByRole('heading', 'Dashboard')
})

test('the password can be looked at', async () => {
  await openConsole(hub, { user: null })
  await fill(await passwordField(), 'secret')
  await click(await findByRole('button', 'Show'))
  assert.equal((await passwordField()).type, 'text')
  assert.equal((await passwordField()).value, 'secret')
})

test('the page speaks another language on request, and so does the console behind it', async () => {
  await openConsole(hub, { user: null })
  await click(await findByRole('button', 'English'))
  await click(await findByRole('menuitem', '中文'))
  await findByRole('heading', '登录')
  await fill(await findByRole('textbox', '用户名'), 'Admin')
  await fill(await findByRole('textbox', '密码'), 'wrong')
  await click(await findByRole('button', '登录'))
  await until(() => fault() === '账号或密码错误', 'what is wrong')
  await click(await findByRole('button', '中文'))
  await click(await findByRole('menuitem', 'English'))
  await until(() => fault() === 'Incorrect account or password', 'what is wrong, in the other language')
  assert.equal((await findByRole<HTMLInputElement>('textbox', 'User name')).value, 'Admin')
  await click(await findByRole('button', 'English'))
  await click(await findByRole('menuitem', '中文'))
  await fill(await findByRole('textbox', '密码'), 'Admin')
  await click(await findByRole('button', '登录'))
  await findByRole('heading', '仪表盘')
})

test('who is signed in sees who it is, signs out, and the next one sees nothing of the one before', async () => {
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

test('a session that ended meanwhile leads to the login page', async () => {
  const console = await openConsole(hub, { at: '/devices/all' })
  await waitForText('No devices')
  console.browser.cookie = ''
  hub.context.store.changes.markChanged('device')
  await findByRole('heading', 'Sign in')
  assert.equal(console.currentPath(), '/login?return_url=%2Fdevices%2Fall')
})

test.run()
