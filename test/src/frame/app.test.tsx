// The session guard of all pages, and the change of language.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { login } from '../../../contract/access/session.ts'
import { MISMATCH, NOT_PERMITTED, SUCCESS } from '../../../contract/codes.ts'
import { listDevices } from '../../../contract/device/device.ts'
import { linkTo, ROUTES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { closeConsole, openConsole, signInAs } from '../../kit/console/console.ts'
import { hub, hubForEach } from '../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  nameOf,
  queryAllByRole,
  visibleText,
  waitForNone,
  waitForText
} from '../../kit/console/page.ts'
import { md5 } from '../../kit/hub/hub.ts'
import { registerDevices } from '../../kit/hub/register-devices.ts'
import { until } from '../../kit/until.ts'

const test = suite('app')

hubForEach(test)

for (const route of [
  linkTo('allDevices', { key: 'Hall', view: 'view' }),
  ROUTES.channels,
  `${ROUTES.channels}?key=${encodeURIComponent('a&b=c? d')}`
])
  test(`without a login ${route} redirects to the login page, and the login back to ${route}`, async () => {
    const console = await openConsole(hub, { user: null, at: route })
    await findByRole('heading', 'Sign in')
    assert.equal(console.currentPath(), `/login?return_url=${encodeURIComponent(route)}`.replaceAll('%20', '+'))
    await signInAs('Admin')
    await findByRole('navigation', 'Main menu')
    await until(() => console.currentPath() === route, `it is at ${route}`)
  })

test('a return URL outside the console is ignored', async () => {
  for (const returnUrl of [
    '//evil.example',
    'https://evil.example/',
    '/login',
    '/nowhere',
    '/dashboard\\@evil.example'
  ]) {
    const console = await openConsole(hub, { user: null, at: `/login?return_url=${encodeURIComponent(returnUrl)}` })
    await signInAs('Admin')
    await findByRole('heading', 'Dashboard')
    await until(() => console.currentPath() === '/dashboard', `${returnUrl} opens ${console.currentPath()}`)
    assert.equal(location.host, 'hub.test')
    await closeConsole()
  }
})

test('a signed-in user is redirected from the login page', async () => {
  const console = await openConsole(hub)
  await findByRole('heading', 'Dashboard')
  navigate(linkTo('login', { return_url: ROUTES.allDevices }))
  await findByRole('heading', 'All')
  assert.equal(console.currentPath(), ROUTES.allDevices)
})

test('the root path and the path of the devices redirect to a page', async () => {
  const console = await openConsole(hub)
  await until(() => console.currentPath() === ROUTES.dashboard, 'the dashboard')
  navigate('/devices')
  await findByRole('heading', 'All')
  assert.equal(console.currentPath(), ROUTES.allDevices)
})

test('with the default password, a session from another machine sees only the password page', async () => {
  registerDevices(hub, 1)
  const console = await openConsole(hub, { user: null, address: '192.0.2.7', at: ROUTES.pendingDevices })
  await signInAs('Admin')
  await findByRole('heading', 'Change password')
  for (const place of Object.values(ROUTES)) {
    navigate(place)
    await findByRole('heading', 'Change password')
    assert.equal(queryAllByRole('navigation').length, 0, place)
    assert.ok(!visibleText().includes('Hall 1'), place)
  }
  assert.equal((await console.browser.send(listDevices, {})).result, NOT_PERMITTED)
  navigate(ROUTES.pendingDevices)
  await fill(await findByRole('textbox', 'Current password'), 'wrong')
  await fill(await findByRole('textbox', 'New password'), 'better-1')
  await fill(await findByRole('textbox', 'Repeat new password'), 'better-1')
  await click(await findByRole('button', 'Change password'))
  await waitForText('The current password is wrong')
  await fill(await findByRole('textbox', 'Current password'), 'Admin')
  await click(await findByRole('button', 'Change password'))
  await findByRole('row', 'Hall 1')
  assert.equal(console.currentPath(), ROUTES.pendingDevices)
  const reopened = hub.client('192.0.2.8')
  assert.equal((await reopened.send(login, { id: 'Admin', pass: md5('Admin') })).result, MISMATCH)
  assert.equal((await reopened.send(login, { id: 'Admin', pass: md5('better-1') })).result, SUCCESS)
})

test('the password page has a sign-out button', async () => {
  await openConsole(hub, { address: '192.0.2.7' })
  await findByRole('heading', 'Change password')
  await click(await findByRole('button', 'Sign out'))
  await findByRole('heading', 'Sign in')
  await waitForNone('heading', 'Change password')
})

test('a request that fails after the sign-out is not shown to the next user', async () => {
  const console = await openConsole(hub)
  await waitForText(/memory \d/)
  await click(await findByRole('button', 'Admin'))
  await click(await findByRole('menuitem', 'Sign out'))
  await findByRole('heading', 'Sign in')
  let requestCount = 0
  console.intercept = (path) => void (path.includes('/system/status') && requestCount++)
  hub.parts.store.changes.markChanged('status')
  await until(() => requestCount > 0, 'a request after the sign-out')
  const answer = Promise.withResolvers<void>()
  console.intercept = (path) =>
    path.includes('/system/status') ? answer.promise.then(() => console.browser.raw('GET', path)) : undefined
  await signInAs('Admin')
  await findByRole('heading', 'Dashboard')
  await until(() => queryAllByRole('status', 'Loading').length > 0 || queryAllByRole('alert').length > 0, 'the request')
  assert.deepEqual(queryAllByRole('alert').map(nameOf), [])
  answer.resolve()
  await waitForText(/memory \d/)
})

test('a change of language translates the open page', async () => {
  registerDevices(hub, 1)
  const console = await openConsole(hub, { at: linkTo('allDevices', { key: 'zzz' }) })
  await waitForText('Nothing found')
  await click(await findByRole('button', 'English'))
  await click(await findByRole('menuitem', '中文'))
  await findByRole('heading', '全部')
  await waitForText('未找到')
  await findByRole('link', /^待审批/)
  await findByRole('textbox', '搜索名称或序列号')
  await until(() => document.title === '全部 · Headend', 'the title of the window')
  assert.equal(document.documentElement.lang, 'zh-CN')
  assert.match(visibleText(), /已连接/)
  for (const word of ['Devices', 'Channels', 'Pending', 'Search', 'Support', 'Nothing found'])
    assert.ok(!visibleText().includes(word), word)
  assert.equal(console.currentPath(), '/devices/all?key=zzz')
  setLanguage('en')
  await findByRole('heading', 'All')
  assert.equal(document.documentElement.lang, 'en')
  await until(() => document.title === 'All · Headend', 'the title of the window')
  assert.ok(!/\p{Script=Han}/u.test(visibleText().replace('中文', '')), visibleText())
})

test('a change of language keeps input, checkboxes, errors and focus', async () => {
  await openConsole(hub, { at: linkTo('userGroup', { groupId: 'new' }) })
  const name = await findByRole<HTMLInputElement>('textbox', 'Name')
  await fill(name, 'Crew ')
  await click(await findByRole('checkbox', 'Device view'))
  await click(await findByRole('button', 'Save'))
  await waitForText('Cannot begin or end with a space')
  await click(await findByRole('button', 'English'))
  await click(await findByRole('menuitem', '中文'))
  await waitForText('不能以空格开头或结尾')
  assert.equal((await findByRole<HTMLInputElement>('textbox', '名称')).value, 'Crew ')
  assert.ok((await findByRole<HTMLInputElement>('checkbox', '查看设备')).checked)
  assert.equal(document.activeElement, await findByRole('button', '中文'))
})

test.run()
