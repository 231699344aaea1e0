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
import { homeOf, type MenuEntry, type Place, placeOf, visiblePlaces } from '../../../src/frame/menu.ts'
import { isScreenRoute, MENU, routeTo } from '../../../src/frame/routes.tsx'
import { linkTo, matchRoute, ROUTES, type ScreenRoute } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import type { Translation } from '../../../src/text/language.ts'
import { closeConsole, openConsole } from '../../kit/console/console.ts'
import { hub, hubForEach } from '../../kit/console/hub-for-each.ts'
import {
  findEntries,
  findEntry,
  findMenu,
  findPlace,
  findPlaces,
  openFromMenu,
  readMenu
} from '../../kit/console/menu.ts'
import { click, findByRole, nameOf, queryAllByRole, visibleText } from '../../kit/console/page.ts'
import { addUser } from '../../kit/hub/hub.ts'
import { helloOf, registerDevices } from '../../kit/hub/register-devices.ts'
import { until } from '../../kit/until.ts'

const test = suite('menu')

hubForEach(test)

const user = (permission: number): LoginUser => ({ name: 'one', id: 16, type: 8, permission, 'group-name': '' })
const pair = (name: string): Translation => [name, name]

const SAMPLE: readonly Place[] = [
  {
    title: pair('public'),
    icon: 'live',
    entries: [{ title: pair('everybody'), icon: 'dashboard', route: 'dashboard' }]
  },
  {
    title: pair('place'),
    icon: 'devices',
    home: 'pendingDevices',
    entries: [
      { title: pair('one of two rights'), icon: 'grid', route: 'allDevices', permissions: DEVICE_VIEW | CHANNEL_VIEW },
      { title: pair('home'), icon: 'grid', route: 'pendingDevices', permissions: DEVICE_VIEW },
      { title: pair('another right'), icon: 'grid', route: 'outputs', permissions: NDI_VIEW }
    ]
  },
  {
    title: pair('other'),
    icon: 'settings',
    entries: [
      {
        title: pair('with a feature'),
        icon: 'grid',
        route: 'channels',
        feature: FEATURE_BITS.ndiRouter,
        permissions: NDI_VIEW
      },
      { title: pair('elsewhere'), icon: 'grid', route: 'allDevices', permissions: NDI_VIEW, isElsewhere: true }
    ]
  }
]

/** The titles of the entries, by the title of their place. */
const titles = (places: readonly Place[]) =>
  Object.fromEntries(places.map(({ title, entries }) => [title[0], entries.map((entry) => entry.title[0])]))
const visibleTitles = (permission: number, features = 0) =>
  titles(visiblePlaces(SAMPLE, { user: user(permission), features }))

test('an entry without permissions is visible to every user, and empty places are hidden', () => {
  assert.deepEqual(visibleTitles(0), { public: ['everybody'] })
})

test('one of the permissions of an entry is enough, and other permissions do not count', () => {
  assert.deepEqual(visibleTitles(DEVICE_VIEW).place, ['one of two rights', 'home'])
  assert.deepEqual(visibleTitles(CHANNEL_VIEW).place, ['one of two rights'])
  assert.deepEqual(visibleTitles(SYSTEM_CONFIG_VIEW).place, undefined)
})

test('an entry that requires a feature is visible if the hub has its bit', () => {
  assert.deepEqual(visibleTitles(NDI_VIEW, FEATURE_BITS.ndiRouter).other, ['with a feature', 'elsewhere'])
  assert.deepEqual(visibleTitles(NDI_VIEW, ~FEATURE_BITS.ndiRouter).other, ['elsewhere'])
  assert.deepEqual(visibleTitles(0, FEATURE_BITS.ndiRouter).other, undefined, 'the right is needed too')
})

test('a route belongs to one place, although another lists it, and a place opens its home or first entry', () => {
  const [first, place] = SAMPLE as [Place, Place]
  assert.equal(placeOf('allDevices', SAMPLE), place)
  assert.equal(placeOf('search', SAMPLE), undefined)
  assert.equal(homeOf(first), 'dashboard')
  assert.equal(homeOf(place), 'pendingDevices')
  const [, seen] = visiblePlaces(SAMPLE, { user: user(CHANNEL_VIEW), features: 0 }) as [Place, Place]
  assert.equal(homeOf(seen), 'allDevices')
})

test('all permissions show every entry, including the highest bit of the mask', () => {
  const seenBy = (type: number) =>
    titles(visiblePlaces(MENU, { user: { ...user(ALL_PERMISSIONS), type }, features: ALL_PERMISSIONS }))
  assert.deepEqual(seenBy(GROUP_ADMIN), titles(MENU))
  assert.ok(!JSON.stringify(seenBy(GROUP_CUSTOM)).includes('Access tokens'), 'those are for the Admin group')
  const high: Place = {
    title: pair('x'),
    icon: 'grid',
    entries: [{ title: pair('x'), icon: 'grid', route: 'dashboard', permissions: 0x80000000 }]
  }
  assert.equal(visiblePlaces([high], { user: user(0x80000000), features: 0 }).length, 1)
  assert.equal(visiblePlaces([high], { user: user(0x7fffffff), features: 0 }).length, 0)
})

/** All entries in the places that they belong to. */
const OWN_ENTRIES = MENU.flatMap(({ entries }) => entries).filter(({ isElsewhere }) => !isElsewhere)

test('every place and entry has an icon of its own, because the collapsed menu shows nothing else', () => {
  const icons = [...MENU, ...OWN_ENTRIES].map(({ icon }) => icon)
  assert.equal(new Set(icons).size, icons.length, icons.join())
})

test('filtering does not change the menu data', () => {
  const before = JSON.stringify(SAMPLE)
  visibleTitles(0)
  assert.equal(JSON.stringify(SAMPLE), before)
})

test('an entry requires the same permissions as its screen', () => {
  const inFrame = OWN_ENTRIES.filter(({ route }) => isScreenRoute(route))
  assert.equal(inFrame.length, OWN_ENTRIES.length - 1, 'all but the wall display')
  for (const { route, permissions } of inFrame)
    assert.equal(permissions, routeTo(route as ScreenRoute).permissions, route)
})

/** What the menu has for a user, from the permissions of its entries. */
function menuFor(permission: number): Record<string, string[]> {
  // The tree of device groups replaces its entry. This hub has no NDI runtime that can route.
  const isLink = ({ route, feature }: MenuEntry) => route !== 'groupDevices' && feature === undefined
  const isOpen = ({ permissions: needed = permission }: MenuEntry) =>
    permission === ALL_PERMISSIONS ||
    (needed !== 'admin' && needed !== 'public' && hasAnyBit(Number(needed), permission))
  const places = MENU.map((place) => ({
    ...place,
    entries: place.entries.filter((entry) => isLink(entry) && isOpen(entry))
  }))
  return titles(places.filter(({ entries }) => entries.length > 0))
}

test('an administrator sees five places, and in the open one all its entries', async () => {
  await openConsole(hub)
  const expected = menuFor(ALL_PERMISSIONS)
  assert.deepEqual(Object.keys(expected), ['Live', 'Channels', 'Devices', 'Events', 'Settings'])
  assert.ok(Object.values(expected).flat().length >= 24)
  assert.deepEqual(await readMenu(), expected)
  await click(await findPlace('Devices'))
  assert.deepEqual(queryAllByRole('heading', undefined, await findMenu()).map(nameOf), ['Device groups'])
})

test('a viewer sees the entries that the permissions allow, and no empty place', async () => {
  await addUser(hub, 'viewer', VIEWER_PERMISSIONS)
  await addUser(hub, 'nobody', NDI_VIEW)
  await addUser(hub, 'approver', DEVICE_ADV_CONTROL)
  for (const [name, permissions] of [
    ['viewer', VIEWER_PERMISSIONS],
    ['nobody', NDI_VIEW],
    ['approver', DEVICE_ADV_CONTROL]
  ] as const) {
    await openConsole(hub, { user: name })
    assert.deepEqual(await readMenu(), menuFor(permissions))
    await closeConsole()
  }
  assert.ok(!menuFor(VIEWER_PERMISSIONS).Devices?.includes('Pending approval'))
  assert.deepEqual(Object.keys(menuFor(NDI_VIEW)), ['Live', 'Channels', 'Events', 'Settings'])
})

test('each entry opens its page; then its place is open, and no other entry is highlighted', async () => {
  const console = await openConsole(hub)
  for (const place of MENU) {
    await click(await findPlace(place.title[0]))
    for (const { hash } of await findEntries()) {
      const path = hash.slice(1)
      if (path === ROUTES.wall) continue
      navigate(path)
      const current = async () =>
        queryAllByRole('link', undefined, await findMenu()).filter((link) => link.hasAttribute('aria-current'))
      const isHighlighted = async () =>
        (await current()).map((link) => (link as HTMLAnchorElement).hash).join() === hash
      await until(isHighlighted, `only ${path} is highlighted`)
      assert.ok(Object.values(ROUTES).includes(console.currentPath() as never))
      const own = placeOf(matchRoute(path).routeName, MENU)
      assert.ok((await findPlace(own?.title[0] ?? '')).hasAttribute('data-open'), path)
    }
  }
})

test('the entries Device firmware and Logs of the settings open the places of their pages', async () => {
  const console = await openConsole(hub)
  for (const [name, place] of [
    ['Device firmware', 'Devices'],
    ['Logs', 'Events']
  ] as const) {
    await openFromMenu('Settings', name)
    await findByRole('heading', name)
    assert.ok((await findPlace(place)).hasAttribute('data-open'))
    assert.ok(!(await findPlace('Settings')).hasAttribute('data-open'))
  }
  assert.equal(console.currentPath(), ROUTES.logs)
})

test('a link can highlight another entry', async () => {
  await openConsole(hub, { at: linkTo('allDevices', { 'search-navigation': 'dashboard' }) })
  await findByRole('heading', 'All')
  assert.equal((await findByRole('link', 'Dashboard', await findMenu())).getAttribute('aria-current'), 'page')
  assert.ok((await findPlace('Live')).hasAttribute('data-open'))
})

const placeNamed = (name: string | RegExp) =>
  until(async () => {
    const names = (await findPlaces()).map(nameOf)
    return names.some((each) => (typeof name === 'string' ? each === name : name.test(each)))
  }, String(name))

test('badges count pending devices and warnings at the hub, and follow them, also while the place is closed', async () => {
  const [first = '', second = ''] = registerDevices(hub, 3)
  const { registry, store } = hub.parts
  await openConsole(hub)
  await placeNamed(/^Devices ?3 Pending approval$/)
  await findEntry('Devices', /^Pending approval ?3/)
  await placeNamed('Devices')
  store.devices.setRegistrationState(first, 101)
  store.devices.setRegistrationState(second, 101)
  registry.setOnline(first)
  registry.setObservation(first, { status: {}, warns: 1 })
  await findEntry('Devices', /^Pending approval ?1/)
  await findEntry('Devices', /^Warnings ?1/)
  await openFromMenu('Live', 'Dashboard')
  await placeNamed(/^Devices ?1 Pending approval ?1 Warnings$/)
  registry.setObservation(first, { status: {}, warns: 0 })
  await placeNamed(/^Devices ?1 Pending approval$/)
  registry.register(helloOf(9), '192.0.2.9')
  await placeNamed(/^Devices ?2 Pending approval$/)
})

test('badges are capped, and a flag counts as one', async () => {
  const { registry, monitor } = hub.parts
  const counts = registry.countDevices()
  registry.countDevices = () => ({ ...counts, 'num-pending': 12_345, 'num-warn': 9999 })
  const reading = monitor.reading()
  monitor.reading = () => ({ ...reading, 'status-code': SYSTEM_STATUS_BITS.srtFailed }) as typeof reading
  await openConsole(hub)
  await findEntry('Devices', /^Pending approval ?9999(?!\d)/)
  await findEntry('Devices', /^Warnings ?9999(?!\d)/)
  assert.ok(!visibleText(await findMenu()).includes('12345'))
  await findEntry('Channels', /^Channels ?1(?!\d)/)
})

test.run()
