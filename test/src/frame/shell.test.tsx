import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ALL_PERMISSIONS, CHANNEL_VIEW, DEVICE_ADV_CONTROL, DEVICE_VIEW } from '../../../contract/access/permissions.ts'
import { NOT_PERMITTED } from '../../../contract/codes.ts'
import { entryOf, placeOf } from '../../../src/frame/menu.ts'
import { MENU, SCREENS } from '../../../src/frame/routes.tsx'
import { linkTo, ROUTES, type ScreenRoute } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import { closeConsole, openConsole } from '../../kit/console/console.ts'
import { hub, hubForEach } from '../../kit/console/hub-for-each.ts'
import { findEntry, findPlace, findPlaces } from '../../kit/console/menu.ts'
import {
  click,
  fill,
  findByRole,
  nameOf,
  press,
  queryAllByRole,
  visibleText,
  waitForEffects,
  waitForFieldMessage,
  waitForFocus,
  waitForNone,
  waitForText
} from '../../kit/console/page.ts'
import { addUser } from '../../kit/hub/hub.ts'
import { registerDevices } from '../../kit/hub/register-devices.ts'
import { until } from '../../kit/until.ts'

const test = suite('shell')

hubForEach(test)

const crumbs = async () =>
  queryAllByRole('listitem', undefined, await findByRole('navigation', 'Breadcrumb')).map(nameOf)

test('an unknown path shows the 404 page, and the menu stays', async () => {
  const console = await openConsole(hub)
  for (const path of ['/nowhere', '/devices/all/more', '/toString', '/stream', '/%', '/Dashboard']) {
    navigate(path)
    await waitForText("Sorry, the page doesn't exist.")
    assert.equal((await findPlaces()).length, 5, path)
    await findByRole('heading', "Sorry, the page doesn't exist.")
    assert.equal(queryAllByRole('link').filter((entry) => entry.hasAttribute('aria-current')).length, 0, path)
  }
  const back = (await findByRole('link', 'Go to dashboard')) as HTMLAnchorElement
  navigate(back.hash.slice(1))
  await findByRole('heading', 'Dashboard')
  assert.equal(console.currentPath(), ROUTES.dashboard)
})

/** Parameters of the routes that need some. */
const PARAMS: Partial<Record<ScreenRoute, object>> = {
  user: { userId: '1' },
  userGroup: { groupId: '2' },
  groupDevices: { catalog: '0' },
  deviceDetail: { sn: 'B313', catalog: '0' },
  channelDetail: { channelId: '7' },
  watch: { channelId: '7' },
  ndiMatrix: { matrixId: '7' }
}

/** Breadcrumbs that are not those of the menu entry. */
const BREADCRUMBS: Partial<Record<ScreenRoute, readonly string[]>> = {
  channelDetail: ['Channels'],
  channelCalendar: ['Channels', 'Calendar'],
  watch: ['Channels'],
  groupDevices: ['Devices', 'Device groups', 'No group'],
  search: ['Search'],
  deviceDetail: ['Devices'],
  ndiMatrix: ['Channels', 'NDI router'],
  firewall: ['Settings', 'Network', 'Firewall'],
  importSettings: ['Settings', 'Import settings'],
  user: ['Settings', 'User management', 'Admin'],
  userGroup: ['Settings', 'User management', 'User group', 'User'],
  settings: ['Settings']
}

/** The place and the title of the menu entry; one word where both are the same. */
function crumbsOf(route: ScreenRoute): string[] {
  const place = placeOf(route, MENU)
  const titles = [place?.title, place && entryOf(place, route)?.title].map((title) => title?.[0] ?? '')
  return [...new Set(titles)]
}

test('every page has a breadcrumb, a heading and a window title', async () => {
  await openConsole(hub)
  const screens = Object.keys(SCREENS) as ScreenRoute[]
  assert.ok(screens.length >= 35)
  for (const route of screens) {
    assert.ok(!ROUTES[route].includes(':') || PARAMS[route], `${route} needs parameters`)
    const expected = BREADCRUMBS[route] ?? crumbsOf(route)
    navigate(linkTo(route, PARAMS[route] as never))
    const title = expected.at(-1) ?? ''
    await until(() => document.title === `${title} · Headend`, title)
    assert.deepEqual(await crumbs(), expected)
    assert.equal(document.querySelectorAll('h1').length, 1)
    assert.equal(document.querySelector('h1')?.textContent, title)
  }
})

test('the lists of selected devices have a back link to all devices', async () => {
  await openConsole(hub)
  for (const route of ['pendingDevices', 'rejectedDevices', 'warningDevices'] as const) {
    navigate(linkTo(route))
    const back = (await findByRole('link', 'Back')) as HTMLAnchorElement
    navigate(back.hash.slice(1))
    await findByRole('heading', 'All')
    await waitForNone('link', 'Back')
  }
})

test('a screen without permission shows a notice, and sends no requests', async () => {
  registerDevices(hub, 1)
  await addUser(hub, 'viewer', DEVICE_VIEW)
  const console = await openConsole(hub, { user: 'viewer', at: ROUTES.allDevices })
  await waitForText('No devices')
  const requests: string[] = []
  console.intercept = (path) => void requests.push(path)
  for (const route of ['channels', 'pendingDevices', 'rejectedDevices'] as const) {
    navigate(linkTo(route))
    await waitForText('You do not have access permission')
    assert.ok(!visibleText().includes('Hall 1'))
  }
  assert.deepEqual(
    requests.filter((path) => /list|dashboard/.test(path)),
    []
  )
})

test('a newly granted permission opens the screen', async () => {
  await addUser(hub, 'viewer', DEVICE_VIEW)
  await openConsole(hub, { user: 'viewer', at: ROUTES.channels })
  await waitForText('You do not have access permission')
  const { database, changes } = hub.parts.store
  const grant = (mask: number) =>
    database.transaction(() =>
      database.run('UPDATE user_group SET permission = ? WHERE permission <> ?', mask, ALL_PERMISSIONS)
    )
  grant(CHANNEL_VIEW | DEVICE_ADV_CONTROL)
  changes.markChanged('session')
  await waitForText('No channels yet')
  grant(DEVICE_VIEW)
  changes.markChanged('session')
  await waitForText('You do not have access permission')
})

test('a list that the hub refuses shows a notice too', async () => {
  const console = await openConsole(hub, { at: ROUTES.allDevices })
  await waitForText('No devices')
  console.intercept = (path) => (path.includes('/device/list') ? Response.json({ result: NOT_PERMITTED }) : undefined)
  navigate(ROUTES.rejectedDevices)
  await waitForText('You do not have access permission')
})

test('the menu collapses to icons, and stays collapsed after a reload', async () => {
  await openConsole(hub)
  await click(await findByRole('button', 'Collapse menu'))
  await findByRole('button', 'Expand menu')
  await closeConsole()
  await openConsole(hub)
  await click(await findByRole('button', 'Expand menu'))
  await findByRole('button', 'Collapse menu')
})

test('the collapsed menu names the places of its icons, and leads to the device groups', async () => {
  await openConsole(hub)
  await click(await findByRole('button', 'Collapse menu'))
  assert.equal((await findPlace('Live')).dataset.tip, 'Live')
  assert.equal((await findEntry('Channels', 'Inputs')).dataset.tip, 'Channels: Inputs')
  await click(await findPlace('Devices'))
  await click(await findByRole('button', 'Device groups'))
  await findByRole('button', 'Collapse menu')
  await findByRole('button', 'Actions: Device groups')
})

test('on a small screen the menu is a drawer, unreachable while it is closed', async () => {
  document.documentElement.style.setProperty('--size', 'xs')
  try {
    await openConsole(hub)
    const menu = await findByRole('navigation', 'Main menu')
    assert.equal(menu.inert, true)
    await click(await findByRole('button', 'Expand menu'))
    await until(() => !menu.inert, 'the drawer is open')
    await waitForEffects()
    await press(document.body, 'Escape')
    await until(() => menu.inert, 'Escape closes the drawer')
    await click(await findByRole('button', 'Expand menu'))
    await until(() => !menu.inert, 'the drawer is open')
    navigate(ROUTES.allDevices)
    await until(() => menu.inert, 'navigation closes the drawer')
  } finally {
    document.documentElement.style.removeProperty('--size')
    dispatchEvent(new Event('resize'))
  }
})

test('on a small screen the places are a bar, and the entries of the open one a row', async () => {
  document.documentElement.style.setProperty('--size', 'xs')
  try {
    const console = await openConsole(hub)
    const bar = await findByRole('navigation', 'Places')
    assert.deepEqual(queryAllByRole('link', undefined, bar).map(nameOf), [
      'Live',
      'Channels',
      'Devices',
      'Events',
      'Settings'
    ])
    await click(await findByRole('link', 'Settings', bar))
    const row = await findByRole('navigation', 'Pages of Settings')
    assert.equal(console.currentPath(), ROUTES.settings)
    await click(await findByRole('link', 'Network', row))
    assert.equal(console.currentPath(), ROUTES.network)
    assert.equal((await findByRole('link', 'Network', row)).getAttribute('aria-current'), 'page')
  } finally {
    document.documentElement.style.removeProperty('--size')
    dispatchEvent(new Event('resize'))
  }
})

test('the first Tab stop skips the menu and focuses the content', async () => {
  await openConsole(hub)
  const [first] = document.querySelectorAll<HTMLElement>('button, a[href]')
  assert.equal(first?.textContent, 'Skip to content')
  await click(first as HTMLElement)
  await until(() => document.activeElement?.tagName === 'MAIN', 'the content has the focus')
})

test('the footer links to pages that the hub itself serves', async () => {
  await openConsole(hub)
  for (const name of ['Support', 'Legal', 'Online help']) {
    const target = (await findByRole('link', name)) as HTMLAnchorElement
    assert.doesNotMatch(target.getAttribute('href') ?? '', /^\w+:|^\/\//, name)
  }
  await waitForText('© 2026 Headend contributors')
})

test('the password is changed in a dialog of the user menu, and the banner of the default password disappears', async () => {
  await openConsole(hub)
  await waitForText('The default password is still in use.')
  await click(await findByRole('button', 'Admin'))
  await click(await findByRole('menuitem', 'Change password'))
  const dialog = await findByRole('dialog', 'Change password')
  await waitForFocus('Current password')
  const field = (name: string) => findByRole<HTMLInputElement>('textbox', name, dialog)
  await fill(await field('Current password'), 'Admin')
  await fill(await field('New password'), 'no spaces')
  await fill(await field('Repeat new password'), 'another')
  const send = async () => click(await findByRole('button', 'Change password', dialog))
  await send()
  await waitForFieldMessage(await field('New password'), 'Cannot contain any space')
  await waitForFieldMessage(await field('Repeat new password'), 'Two passwords are inconsistent')
  await waitForFocus('New password')
  for (const name of ['New password', 'Repeat new password']) await fill(await field(name), 'Admin')
  await send()
  await waitForFieldMessage(await field('New password'), 'Must be 8 to 32 characters long')
  for (const name of ['New password', 'Repeat new password']) await fill(await field(name), 'better-1')
  await send()
  await waitForNone('dialog')
  await waitForText('Password of Admin saved')
  await until(() => !visibleText().includes('The default password is still in use.'), 'the banner is removed')
  await hub.signIn('Admin', 'better-1')
})

test.run()
