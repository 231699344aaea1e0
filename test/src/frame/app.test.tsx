// The session guard of all pages, and the change of language.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { listDevices } from '../../../contract/device/device.ts'
import { login } from '../../../contract/session.ts'
import { linkTo, ROUTES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { closeConsole, openConsole, signInAs } from '../../kit/console.ts'
import { register } from '../../kit/device.ts'
import { md5 } from '../../kit/hub.ts'
import { hub, hubForEach } from '../../kit/hub-for-each.ts'
import { all, click, fill, nameOf, none, one, says, words } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('app')

hubForEach(test)

for (const at of [
  linkTo('allDevices', { key: 'Hall', view: 'view' }),
  ROUTES.channels,
  `${ROUTES.channels}?key=${encodeURIComponent('a&b=c? d')}`
])
  test(`without a login ${at} leads to the login page, and the login back to just there`, async () => {
    const console = await openConsole(hub, { user: null, at })
    await one('heading', 'Sign in')
    assert.equal(console.place(), `/login?return_url=${encodeURIComponent(at)}`.replaceAll('%20', '+'))
    await signInAs('Admin')
    await one('navigation', 'Main menu')
    await until(() => console.place() === at, `it is at ${at}`)
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
    await one('heading', 'Dashboard')
    await until(() => console.place() === '/dashboard', `${returnUrl} leads to ${console.place()}`)
    assert.equal(location.host, 'hub.test')
    await closeConsole()
  }
})

test('a signed-in user is redirected from the login page', async () => {
  const console = await openConsole(hub)
  await one('heading', 'Dashboard')
  navigate(linkTo('login', { return_url: ROUTES.allDevices }))
  await one('heading', 'All')
  assert.equal(console.place(), ROUTES.allDevices)
})

test('the root path and the path of the devices redirect to a page', async () => {
  const console = await openConsole(hub)
  await until(() => console.place() === ROUTES.dashboard, 'the dashboard')
  navigate('/devices')
  await one('heading', 'All')
  assert.equal(console.place(), ROUTES.allDevices)
})

test('with the default password, a session from another machine sees only the password page', async () => {
  register(hub, 1)
  const console = await openConsole(hub, { user: null, address: '192.0.2.7', at: ROUTES.pendingDevices })
  await signInAs('Admin')
  await one('heading', 'Change password')
  for (const place of Object.values(ROUTES)) {
    navigate(place)
    await one('heading', 'Change password')
    assert.equal(all('navigation').length, 0, place)
    assert.ok(!words().includes('Hall 1'), place)
  }
  assert.equal((await console.browser.send(listDevices, {})).result, 31)
  navigate(ROUTES.pendingDevices)
  await fill(await one('textbox', 'Current password'), 'wrong')
  await fill(await one('textbox', 'New password'), 'better-1')
  await fill(await one('textbox', 'Repeat new password'), 'better-1')
  await click(await one('button', 'Change password'))
  await says('The current password is wrong')
  await fill(await one('textbox', 'Current password'), 'Admin')
  await click(await one('button', 'Change password'))
  await one('row', 'Hall 1')
  assert.equal(console.place(), ROUTES.pendingDevices)
  const reopened = hub.client('192.0.2.8')
  assert.equal((await reopened.send(login, { id: 'Admin', pass: md5('Admin') })).result, 39)
  assert.equal((await reopened.send(login, { id: 'Admin', pass: md5('better-1') })).result, 0)
})

test('the password page has a sign-out button', async () => {
  await openConsole(hub, { address: '192.0.2.7' })
  await one('heading', 'Change password')
  await click(await one('button', 'Sign out'))
  await one('heading', 'Sign in')
  await none('heading', 'Change password')
})

test('a request that fails after the sign-out is not shown to the next user', async () => {
  const console = await openConsole(hub)
  await says('Up time')
  await click(await one('button', 'Admin'))
  await click(await one('menuitem', 'Sign out'))
  await one('heading', 'Sign in')
  let refused = 0
  console.instead = (path) => void (path.includes('/system/status') && refused++)
  hub.context.store.changes.markChanged('status')
  await until(() => refused > 0, 'a request after the sign-out')
  const answer = Promise.withResolvers<void>()
  console.instead = (path) =>
    path.includes('/system/status') ? answer.promise.then(() => console.browser.raw('GET', path)) : undefined
  await signInAs('Admin')
  await one('heading', 'Dashboard')
  await until(() => all('status', 'Loading').length > 0 || all('alert').length > 0, 'the request')
  assert.deepEqual(all('alert').map(nameOf), [])
  answer.resolve()
  await says('Up time')
})

test('a change of language translates the open page', async () => {
  register(hub, 1)
  const console = await openConsole(hub, { at: linkTo('allDevices', { key: 'zzz' }) })
  await says('Nothing found')
  await click(await one('button', 'English'))
  await click(await one('menuitem', '中文'))
  await one('heading', '全部')
  await says('未找到')
  await one('link', /^待审批/)
  await one('textbox', '搜索名称或序列号')
  await until(() => document.title === '全部 · Headend', 'the title of the window')
  assert.equal(document.documentElement.lang, 'zh-CN')
  assert.match(words(), /实时/)
  for (const word of ['Devices', 'Channels', 'Pending', 'Search', 'Support', 'Nothing found'])
    assert.ok(!words().includes(word), word)
  assert.equal(console.place(), '/devices/all?key=zzz')
  setLanguage('en')
  await one('heading', 'All')
  assert.equal(document.documentElement.lang, 'en')
  await until(() => document.title === 'All · Headend', 'the title of the window')
  assert.ok(!/\p{Script=Han}/u.test(words().replace('中文', '')), words())
})

test('a change of language keeps input, checkboxes, errors and focus', async () => {
  await openConsole(hub, { at: linkTo('userGroup', { groupId: 'new' }) })
  const name = await one<HTMLInputElement>('textbox', 'Name')
  await fill(name, 'Crew ')
  await click(await one('checkbox', 'Device view'))
  await click(await one('button', 'Save'))
  await says('Cannot begin or end with a space')
  await click(await one('button', 'English'))
  await click(await one('menuitem', '中文'))
  await says('不能以空格开头或结尾')
  assert.equal((await one<HTMLInputElement>('textbox', '名称')).value, 'Crew ')
  assert.ok((await one<HTMLInputElement>('checkbox', '查看设备')).checked)
  assert.equal(document.activeElement, await one('button', '中文'))
})

test.run()
