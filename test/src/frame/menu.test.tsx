import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  ALL_PERMISSIONS,
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_VIEW,
  NDI_VIEW,
  SYSTEM_CONFIG_VIEW,
  VIEWER_PERMISSIONS
} from '../../../contract/permissions.ts'
import type { LoginUser } from '../../../contract/session.ts'
import { FEATURE, STATUS } from '../../../contract/system.ts'
import { MENU, type MenuEntry, visibleEntries } from '../../../src/frame/menu.ts'
import { routeTo } from '../../../src/frame/routes.tsx'
import { link, PLACES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import type { Pair } from '../../../src/text/language.ts'
import { closeConsole, openConsole } from '../../kit/console.ts'
import { helloOf, register } from '../../kit/device.ts'
import { addUser } from '../../kit/hub.ts'
import { hub, hubForEach } from '../../kit/hub-for-each.ts'
import { all, nameOf, one, words } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('menu')

hubForEach(test)

const user = (permission: number): LoginUser => ({ name: 'one', id: 16, type: 8, permission, 'group-name': '' })
const pair = (name: string): Pair => [name, name]

const SAMPLE: readonly MenuEntry[] = [
  { title: pair('everybody'), icon: 'dashboard', place: 'dashboard' },
  {
    title: pair('group'),
    icon: 'devices',
    entries: [
      { title: pair('one of two rights'), icon: 'grid', place: 'allDevices', scopes: DEVICE_VIEW | CHANNEL_VIEW },
      { title: pair('cloud only'), icon: 'grid', place: 'allDevices', cloud: true },
      { title: pair('never in the cloud'), icon: 'grid', place: 'allDevices', cloud: false, scopes: NDI_VIEW }
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
            place: 'channels',
            feature: FEATURE.ndiRouter,
            scopes: NDI_VIEW
          }
        ]
      }
    ]
  }
]

/** The titles of a menu, groups with what is in them. */
function titles(entries: readonly MenuEntry[]): unknown[] {
  return entries.map(({ title, entries: inner }) => (inner ? { [title[0]]: titles(inner) } : title[0]))
}
const seen = (permission: number, cloud = false, features = 0) =>
  titles(visibleEntries(SAMPLE, { user: user(permission), cloud, features }))

test('an entry without scopes is for everybody, and groups without entries vanish at every depth', () => {
  assert.deepEqual(seen(0), ['everybody'])
})

test('one of the scopes of an entry is enough, and others do not count', () => {
  for (const right of [DEVICE_VIEW, CHANNEL_VIEW])
    assert.deepEqual(seen(right), ['everybody', { group: ['one of two rights'] }])
  assert.deepEqual(seen(SYSTEM_CONFIG_VIEW), ['everybody'])
})

test('entries of the cloud are there only, and what it never has is not', () => {
  assert.deepEqual(seen(0, true), ['everybody', { group: ['cloud only'] }])
  assert.deepEqual(seen(NDI_VIEW, false), ['everybody', { group: ['never in the cloud'] }])
  assert.deepEqual(seen(NDI_VIEW, true), ['everybody', { group: ['cloud only'] }])
})

test('an entry that needs a feature is there when the hub has its bit', () => {
  const router = { outer: [{ inner: ['with a feature'] }] }
  assert.deepEqual(seen(NDI_VIEW, false, FEATURE.ndiRouter).at(-1), router)
  assert.deepEqual(seen(NDI_VIEW, false, ~FEATURE.ndiRouter).at(-1), { group: ['never in the cloud'] })
  assert.deepEqual(seen(0, false, FEATURE.ndiRouter), ['everybody'], 'the right is needed too')
})

test('all rights show every entry, the highest bit of the mask included', () => {
  const everything = visibleEntries(MENU, { user: user(ALL_PERMISSIONS), cloud: false, features: ALL_PERMISSIONS })
  assert.deepEqual(titles(everything), titles(MENU))
  const high: MenuEntry = { title: pair('x'), icon: 'grid', place: 'dashboard', scopes: 0x80000000 }
  assert.equal(visibleEntries([high], { user: user(0x80000000), cloud: false, features: 0 }).length, 1)
  assert.equal(visibleEntries([high], { user: user(0x7fffffff), cloud: false, features: 0 }).length, 0)
})

test('the menu is given, not changed', () => {
  const before = JSON.stringify(SAMPLE)
  seen(0)
  assert.equal(JSON.stringify(SAMPLE), before)
})

test('an entry asks for the same rights as the room it leads to', () => {
  const places = MENU.flatMap((entry) => entry.entries ?? [entry])
  assert.ok(places.length >= 6)
  for (const { place, scopes } of places) {
    assert.ok(place && place !== 'login')
    assert.equal(scopes, routeTo(place).scopes, place)
  }
})

const menu = () => one('navigation', 'Main menu')
const entry = async (name: string | RegExp) => one('link', name, await menu())
const entries = async () => all('link', undefined, await menu()).map(nameOf)

test('an administrator sees all of it', async () => {
  await openConsole(hub)
  assert.deepEqual(await entries(), [
    'Dashboard',
    'Channels',
    'Inputs',
    'Outputs',
    'Pending Approval',
    'Rejected',
    'All',
    'Warnings',
    'Favorites',
    'Port Forwarding',
    'Upgrade',
    'User Management',
    'Device Firmware',
    'Logs',
    'Access Tokens'
  ])
  assert.deepEqual(all('heading', undefined, await menu()).map(nameOf), [
    'Streaming',
    'Devices',
    'Device Groups',
    'Settings'
  ])
})

test('a viewer sees what the rights allow, and no group without entries', async () => {
  await addUser(hub, 'viewer', VIEWER_PERMISSIONS)
  await addUser(hub, 'nobody', NDI_VIEW)
  await addUser(hub, 'approver', DEVICE_ADV_CONTROL)
  await openConsole(hub, { user: 'viewer' })
  assert.deepEqual(await entries(), ['Dashboard', 'Channels', 'Inputs', 'Outputs', 'All', 'Warnings', 'Favorites'])
  await closeConsole()
  await openConsole(hub, { user: 'nobody' })
  assert.deepEqual(await entries(), ['Dashboard'])
  assert.deepEqual(all('heading', undefined, await menu()).map(nameOf), [])
  await closeConsole()
  await openConsole(hub, { user: 'approver' })
  assert.deepEqual(await entries(), ['Dashboard', 'Pending Approval', 'Rejected', 'Port Forwarding'])
})

test('each entry leads to its page, where it is highlighted alone', async () => {
  const console = await openConsole(hub)
  const count = (await entries()).length
  for (let index = 0; index < count; index++) {
    const entry = all('link', undefined, await menu())[index] as HTMLAnchorElement
    navigate(entry.hash.slice(1))
    await until(() => entry.getAttribute('aria-current') === 'page', `${nameOf(entry)} is highlighted`)
    const current = all('link', undefined, await menu()).filter((one) => one.hasAttribute('aria-current'))
    assert.equal(current.length, 1)
    assert.ok(Object.values(PLACES).includes(console.place() as never))
  }
})

test('a link may have another entry highlighted', async () => {
  await openConsole(hub, { at: link('allDevices', { 'search-navigation': 'dashboard' }) })
  await one('heading', 'All')
  assert.equal((await one('link', 'Dashboard', await menu())).getAttribute('aria-current'), 'page')
  assert.equal((await one('link', 'All', await menu())).getAttribute('aria-current'), null)
})

test('badges count what waits and what warns at the hub, and go with it', async () => {
  const [first = '', second = ''] = register(hub, 3)
  const { registry, store } = hub.hub
  await openConsole(hub)
  await entry(/^Pending Approval ?3/)
  store.devices.setState(first, 101)
  store.devices.setState(second, 101)
  registry.up(first)
  registry.observed(first, { status: {}, warns: 1 })
  await entry(/^Pending Approval ?1/)
  await entry(/^Warnings ?1/)
  registry.observed(first, { status: {}, warns: 0 })
  await entry('Warnings')
  registry.hello(helloOf(9), '192.0.2.9')
  await entry(/^Pending Approval ?2/)
})

test('badges are capped, and a flag counts one', async () => {
  const { registry, monitor } = hub.hub
  const counts = registry.counts()
  registry.counts = () => ({ ...counts, 'num-pending': 12_345, 'num-warn': 9999 })
  const reading = monitor.reading()
  monitor.reading = () => ({ ...reading, 'status-code': STATUS.srtFailed }) as typeof reading
  await openConsole(hub)
  await entry(/^Pending Approval ?9999(?!\d)/)
  await entry(/^Warnings ?9999(?!\d)/)
  await entry(/^Channels ?1(?!\d)/)
  assert.ok(!words(await menu()).includes('12345'))
})

test.run()
