import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { FEATURE_BITS } from '../../../contract/access/features.ts'
import {
  ALL_PERMISSIONS,
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_VIEW,
  GROUP_ADMIN,
  GROUP_CUSTOM,
  hasAnyBit,
  NDI_VIEW,
  SYSTEM_CONFIG_VIEW,
  VIEWER_PERMISSIONS
} from '../../../contract/access/permissions.ts'
import type { LoginUser } from '../../../contract/access/session.ts'
import { SYSTEM_STATUS_BITS } from '../../../contract/system.ts'
import { type MenuEntry, visibleEntries } from '../../../src/frame/menu.ts'
import { isScreenRoute, MENU, routeTo } from '../../../src/frame/routes.tsx'
import { linkTo, ROUTES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import type { Translation } from '../../../src/text/language.ts'
import { closeConsole, openConsole } from '../../kit/console/console.ts'
import { hub, hubForEach } from '../../kit/console/hub-for-each.ts'
import { findByRole, nameOf, queryAllByRole, visibleText } from '../../kit/console/page.ts'
import { addUser } from '../../kit/hub/hub.ts'
import { helloOf, registerDevices } from '../../kit/hub/register-devices.ts'
import { until } from '../../kit/until.ts'

const test = suite('menu')

hubForEach(test)

const user = (permission: number): LoginUser => ({ name: 'one', id: 16, type: 8, permission, 'group-name': '' })
const pair = (name: string): Translation => [name, name]

const SAMPLE: readonly MenuEntry[] = [
  { title: pair('everybody'), icon: 'dashboard', route: 'dashboard' },
  {
    title: pair('group'),
    icon: 'devices',
    entries: [
      { title: pair('one of two rights'), icon: 'grid', route: 'allDevices', permissions: DEVICE_VIEW | CHANNEL_VIEW },
      { title: pair('cloud only'), icon: 'grid', route: 'allDevices', cloud: true },
      { title: pair('never in the cloud'), icon: 'grid', route: 'allDevices', cloud: false, permissions: NDI_VIEW }
    ]
  },
  {
    title: pair('outer'),
    icon: 'devices',
    entries: [
      {
        title: pair('inner'),
        icon: 'devices',
        entries: [
          {
            title: pair('with a feature'),
            icon: 'grid',
            route: 'channels',
            feature: FEATURE_BITS.ndiRouter,
            permissions: NDI_VIEW
          }
        ]
      }
    ]
  }
]

/** The titles of a menu; a group as an object with its entries. */
function titles(entries: readonly MenuEntry[]): unknown[] {
  return entries.map(({ title, entries: children }) => (children ? { [title[0]]: titles(children) } : title[0]))
}
const visibleTitles = (permission: number, cloud = false, features = 0) =>
  titles(visibleEntries(SAMPLE, { user: user(permission), cloud, features }))

test('an entry without permissions is visible to every user, and empty groups are hidden at every depth', () => {
  assert.deepEqual(visibleTitles(0), ['everybody'])
})

test('one of the permissions of an entry is enough, and other permissions do not count', () => {
  for (const right of [DEVICE_VIEW, CHANNEL_VIEW])
    assert.deepEqual(visibleTitles(right), ['everybody', { group: ['one of two rights'] }])
  assert.deepEqual(visibleTitles(SYSTEM_CONFIG_VIEW), ['everybody'])
})

test('cloud entries are visible only on the cloud variant, and excluded entries never', () => {
  assert.deepEqual(visibleTitles(0, true), ['everybody', { group: ['cloud only'] }])
  assert.deepEqual(visibleTitles(NDI_VIEW, false), ['everybody', { group: ['never in the cloud'] }])
  assert.deepEqual(visibleTitles(NDI_VIEW, true), ['everybody', { group: ['cloud only'] }])
})

test('an entry that requires a feature is visible if the hub has its bit', () => {
  const router = { outer: [{ inner: ['with a feature'] }] }
  assert.deepEqual(visibleTitles(NDI_VIEW, false, FEATURE_BITS.ndiRouter).at(-1), router)
  assert.deepEqual(visibleTitles(NDI_VIEW, false, ~FEATURE_BITS.ndiRouter).at(-1), { group: ['never in the cloud'] })
  assert.deepEqual(visibleTitles(0, false, FEATURE_BITS.ndiRouter), ['everybody'], 'the right is needed too')
})

test('all permissions show every entry, including the highest bit of the mask', () => {
  const seenBy = (type: number) =>
    titles(visibleEntries(MENU, { user: { ...user(ALL_PERMISSIONS), type }, cloud: false, features: ALL_PERMISSIONS }))
  assert.deepEqual(seenBy(GROUP_ADMIN), titles(MENU))
  assert.ok(!JSON.stringify(seenBy(GROUP_CUSTOM)).includes('Access tokens'), 'those are for the Admin group')
  const high: MenuEntry = { title: pair('x'), icon: 'grid', route: 'dashboard', permissions: 0x80000000 }
  assert.equal(visibleEntries([high], { user: user(0x80000000), cloud: false, features: 0 }).length, 1)
  assert.equal(visibleEntries([high], { user: user(0x7fffffff), cloud: false, features: 0 }).length, 0)
})

test('every entry has an icon of its own, because the collapsed menu shows nothing else', () => {
  const icons = (entries: readonly MenuEntry[]): unknown[] =>
    entries.flatMap(({ icon, route, entries: children = [] }) => [...(route ? [icon] : []), ...icons(children)])
  const all = icons(MENU)
  assert.ok(all.every(Boolean))
  assert.equal(new Set(all).size, all.length, all.join())
})

test('filtering does not change the menu data', () => {
  const before = JSON.stringify(SAMPLE)
  visibleTitles(0)
  assert.equal(JSON.stringify(SAMPLE), before)
})

test('an entry requires the same permissions as its screen', () => {
  const places = MENU.flatMap((entry) => entry.entries ?? [entry])
  assert.ok(places.length >= 6)
  for (const { route, permissions } of places) {
    assert.ok(route && isScreenRoute(route))
    assert.equal(permissions, routeTo(route).permissions, route)
  }
})

const menu = () => findByRole('navigation', 'Main menu')
const entry = async (name: string | RegExp) => findByRole('link', name, await menu())
const entries = async () => queryAllByRole('link', undefined, await menu()).map(nameOf)

/** The links in the menu of a user, from the permissions of its entries. */
function linksFor(permission: number): string[] {
  // The tree of device groups replaces its entry. This hub has no NDI runtime that can route.
  const isLink = ({ route, feature }: MenuEntry) => route !== 'groupDevices' && feature === undefined
  const isOpen = ({ permissions: needed = permission }: MenuEntry) =>
    permission === ALL_PERMISSIONS ||
    (needed !== 'admin' && needed !== 'public' && hasAnyBit(Number(needed), permission))
  const links = MENU.flatMap((entry) => entry.entries ?? [entry]).filter((entry) => isLink(entry) && isOpen(entry))
  return links.map(({ title }) => title[0])
}

test('an administrator sees the whole menu', async () => {
  await openConsole(hub)
  const links = linksFor(ALL_PERMISSIONS)
  assert.ok(links.length >= 24)
  assert.deepEqual(await entries(), links)
  assert.deepEqual(queryAllByRole('heading', undefined, await menu()).map(nameOf), [
    'Streaming',
    'Devices',
    'Device groups',
    'Settings'
  ])
})

test('a viewer sees the entries that the permissions allow, and no empty group', async () => {
  await addUser(hub, 'viewer', VIEWER_PERMISSIONS)
  await addUser(hub, 'nobody', NDI_VIEW)
  await addUser(hub, 'approver', DEVICE_ADV_CONTROL)
  await openConsole(hub, { user: 'viewer' })
  assert.deepEqual(await entries(), linksFor(VIEWER_PERMISSIONS))
  assert.ok(!linksFor(VIEWER_PERMISSIONS).includes('Pending approval'))
  await closeConsole()
  await openConsole(hub, { user: 'nobody' })
  assert.deepEqual(await entries(), linksFor(NDI_VIEW))
  assert.deepEqual(queryAllByRole('heading', undefined, await menu()).map(nameOf), ['Streaming', 'Settings'])
  await closeConsole()
  await openConsole(hub, { user: 'approver' })
  assert.deepEqual(await entries(), linksFor(DEVICE_ADV_CONTROL))
})

test('each entry links to its page, where only that entry is highlighted', async () => {
  const console = await openConsole(hub)
  const count = (await entries()).length
  for (let index = 0; index < count; index++) {
    const entry = queryAllByRole('link', undefined, await menu())[index] as HTMLAnchorElement
    navigate(entry.hash.slice(1))
    await until(() => entry.getAttribute('aria-current') === 'page', `${nameOf(entry)} is highlighted`)
    const current = queryAllByRole('link', undefined, await menu()).filter((link) => link.hasAttribute('aria-current'))
    assert.equal(current.length, 1)
    assert.ok(Object.values(ROUTES).includes(console.currentPath() as never))
  }
})

test('a link can highlight another entry', async () => {
  await openConsole(hub, { at: linkTo('allDevices', { 'search-navigation': 'dashboard' }) })
  await findByRole('heading', 'All')
  assert.equal((await findByRole('link', 'Dashboard', await menu())).getAttribute('aria-current'), 'page')
  assert.equal((await findByRole('link', 'All', await menu())).getAttribute('aria-current'), null)
})

test('badges count pending devices and warnings at the hub, and follow them', async () => {
  const [first = '', second = ''] = registerDevices(hub, 3)
  const { registry, store } = hub.parts
  await openConsole(hub)
  await entry(/^Pending approval ?3/)
  store.devices.setRegistrationState(first, 101)
  store.devices.setRegistrationState(second, 101)
  registry.setOnline(first)
  registry.setObservation(first, { status: {}, warns: 1 })
  await entry(/^Pending approval ?1/)
  await entry(/^Warnings ?1/)
  registry.setObservation(first, { status: {}, warns: 0 })
  await entry('Warnings')
  registry.register(helloOf(9), '192.0.2.9')
  await entry(/^Pending approval ?2/)
})

test('badges are capped, and a flag counts as one', async () => {
  const { registry, monitor } = hub.parts
  const counts = registry.countDevices()
  registry.countDevices = () => ({ ...counts, 'num-pending': 12_345, 'num-warn': 9999 })
  const reading = monitor.reading()
  monitor.reading = () => ({ ...reading, 'status-code': SYSTEM_STATUS_BITS.srtFailed }) as typeof reading
  await openConsole(hub)
  await entry(/^Pending approval ?9999(?!\d)/)
  await entry(/^Warnings ?9999(?!\d)/)
  await entry(/^Channels ?1(?!\d)/)
  assert.ok(!visibleText(await menu()).includes('12345'))
})

test.run()
