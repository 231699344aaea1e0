// Section 2: routes, the sign-in guard, the menu, device groups, the other screens, and the frame around them.
import assert from 'node:assert/strict'
import * as permissions from '../../contract/access/permissions.ts'
import { BADGE_CAP_DEVICES, BADGE_CAP_FLAG, CATALOG_DEPTH_MAX, CATALOG_NAME_MAX } from '../../contract/limits.ts'
import { MENU, type MenuEntry, menuPath } from '../../src/frame/menu.ts'
import { SCREENS as SCREEN_CONFIGS } from '../../src/frame/routes.tsx'
import { TEXT } from '../../src/frame/text.ts'
import { matchRoute, type RouteName, type ScreenRoute } from '../../src/paths.ts'
import { SCREEN_SIZES } from '../../src/ui/screen-size.ts'
import { LOG_AND_PROFILE_ROWS } from './log-and-profile.ts'
import { HUB_UPGRADE } from './roadmap.ts'

const FIREWALL_AT = ['src/screens/firewall/firewall.test.tsx', 'the page highlights the menu entry Network'] as const

import { checked, part, planned, type Row, type Section, tested } from './rows.ts'

const CONSOLE_ROUTES: Readonly<Record<string, readonly [path: string, route: RouteName]>> = {
  'The sign-in page': ['/login', 'login'],
  'The dashboard': ['/dashboard', 'dashboard'],
  'The list of channels': ['/stream/channels', 'channels'],
  'The list of inputs': ['/stream/input', 'inputs'],
  'The list of outputs': ['/stream/output', 'outputs'],
  'The page of a channel': ['/stream/channel/detail/100006', 'channelDetail'],
  'The search for devices and presets': ['/search', 'search'],
  'The list of all devices': ['/devices/all', 'allDevices'],
  'The list of favorites': ['/devices/favorite', 'favoriteDevices'],
  'The list of devices with warnings': ['/devices/warning', 'warningDevices'],
  'The list of pending devices': ['/devices/pending', 'pendingDevices'],
  'The list of rejected devices': ['/devices/rejected', 'rejectedDevices'],
  'The list of devices of a group': ['/devices/group-30001', 'groupDevices'],
  'The page of a device': ['/device/detail/B313210000001/0', 'deviceDetail'],
  'Port forwarding': ['/portforward', 'portForward'],
  'General settings': ['/settings/general', 'general'],
  'The licence': ['/settings/authorized', 'license'],
  'Network settings': ['/settings/network', 'network'],
  'Device firmware': ['/settings/firmware', 'firmware'],
  'The system upgrade': ['/settings/upgrade', 'upgrade'],
  'User management': ['/settings/user', 'users'],
  'The page of a user group': ['/settings/user-group/8', 'userGroup'],
  'The logs': ['/settings/logs', 'logs'],
  'The access tokens': ['/settings/access-tokens', 'accessTokens']
}

const GENERAL_TEST = 'src/screens/general/general.test.tsx'
const BITS = { ...permissions }

const route = ([subject, [path, name]]: [string, readonly [string, RouteName]]): Row =>
  checked(`${subject} is at \`${path}\`.`, () => assert.equal(matchRoute(path).routeName, name))

const redirect = (from: string, to: string): Row =>
  checked(`\`${from}\` redirects to \`${to}\`.`, () => assert.equal(matchRoute(from).redirectTo, to))

/** Entries of the menu, by the English label, with the names of the permissions of which one is required. */
const ENTRIES: Readonly<Record<string, readonly [group: string, ...access: ('admin' | keyof typeof permissions)[]]>> = {
  Dashboard: [''],
  Channels: ['Streaming', 'CHANNEL_VIEW'],
  Inputs: ['Streaming', 'INPUT_OUTPUT_VIEW'],
  Outputs: ['Streaming', 'INPUT_OUTPUT_VIEW'],
  'Pending approval': ['Devices', 'DEVICE_ADV_CONTROL'],
  Rejected: ['Devices', 'DEVICE_ADV_CONTROL'],
  All: ['Devices', 'DEVICE_VIEW'],
  Warnings: ['Devices', 'DEVICE_VIEW'],
  Favorites: ['Devices', 'DEVICE_VIEW'],
  'Device groups': ['Devices', 'DEVICE_GROUP_VIEW'],
  General: ['Settings', 'SYSTEM_CONFIG_VIEW'],
  License: ['Settings', 'SYSTEM_CONFIG_VIEW'],
  Upgrade: ['Settings', 'SYSTEM_CONFIG_VIEW'],
  'User management': ['Settings', 'USER_CONTROL'],
  Certificate: ['Settings', 'SYSTEM_CONFIG_VIEW'],
  'Device firmware': ['Settings', 'FIRMWARE_VIEW'],
  Profile: ['Settings'],
  Logs: ['Settings', 'SYSTEM_CONFIG_VIEW'],
  'Access tokens': ['Settings', 'admin']
}

function findEntry(label: string, entries: readonly MenuEntry[] = MENU, group = ''): [MenuEntry, string] | undefined {
  for (const entry of entries) {
    if (entry.title[0] === label && !entry.entries) return [entry, group]
    const found = entry.entries && findEntry(label, entry.entries, entry.title[0])
    if (found) return found
  }
  return undefined
}

const entryRows = Object.entries(ENTRIES).map(([label, [group, ...access]]) => {
  const place = group ? `in the group ${group}` : 'at the top'
  const condition = access.length > 0 ? ` for users with ${access.join(' or ')}` : ' for every user'
  return checked(`The menu has the entry ${label} ${place}${condition}.`, () => {
    const [entry, actualGroup] = findEntry(label) ?? []
    assert.equal(actualGroup, group)
    const mask = access.reduce((bits, name) => bits | (name === 'admin' ? 0 : Number(BITS[name])), 0)
    assert.equal(entry?.permissions ?? 0, access.includes('admin') ? 'admin' : mask)
  })
})

const badge = (label: string, name: string, cap: number, expected: number): Row =>
  checked(`The badge of ${label} is at most ${expected}.`, () => {
    assert.equal(findEntry(label)?.[0].badge, name)
    assert.equal(cap, expected)
  })

const highlights = (screen: ScreenRoute, entry: RouteName, statement: string): Row =>
  checked(statement, () => {
    const { parent } = SCREEN_CONFIGS[screen]
    assert.equal(parent, entry)
    assert.ok(menuPath(entry).length > 0)
  })

const MENU_TEST = 'src/frame/menu.test.tsx'
const SHELL_TEST = 'src/frame/shell.test.tsx'
const TREE_TEST = 'src/parts/catalog-tree.test.tsx'
const DASHBOARD_TEST = 'src/screens/dashboard/dashboard.test.tsx'

export const SCREENS: Section = {
  number: 2,
  title: 'Screens and routes',
  file: 'screens.ts',
  parts: [
    part(
      'Routes',
      Object.entries(CONSOLE_ROUTES).map(route),
      redirect('/', '/dashboard'),
      redirect('/devices', '/devices/all'),
      checked('An unlisted path matches no route.', () => {
        for (const path of ['/devices/other', '/settings', '/stream', '/x']) assert.deepEqual(matchRoute(path), {})
      }),
      tested(
        'An unlisted path shows the 404 page.',
        SHELL_TEST,
        'an unknown path shows the 404 page, and the menu stays'
      ),
      checked("The 404 page reads 'Sorry, the page doesn't exist.'", () =>
        assert.equal(TEXT.notFound[0], "Sorry, the page doesn't exist.")
      ),
      tested(
        'Routes are in the hash of the URL, with their query.',
        'src/state/location.test.tsx',
        'the query is inside the hash, and the path is matched without it'
      ),
      highlights('channelDetail', 'channels', 'The page of a channel highlights the entry Channels.'),
      highlights('userGroup', 'users', 'The page of a user group highlights the entry User management.'),
      tested(
        'The NDI router is at `/ndi-router`, if the hub supports it.',
        'src/screens/ndi-router/router.test.tsx',
        'without a runtime with routing, the page names the missing runtime and the next step'
      ),
      tested('The firewall is at `/settings/firewall`, and highlights the entry Network.', ...FIREWALL_AT),
      highlights('importSettings', 'backup', '`/import-settings` is a page below the entry of backups.')
    ),
    part(
      'Sign-in guard',
      tested(
        'Without a sign-in every route leads to the sign-in page, and from there back.',
        'src/frame/app.test.tsx',
        'without a login {} redirects to the login page, and the login back to {}'
      ),
      tested(
        'A return URL outside of the console opens the dashboard.',
        'src/paths.test.ts',
        'a return URL outside of the console opens the dashboard'
      )
    ),
    part(
      'Menu',
      entryRows,
      tested(
        'An entry needs one of its permissions.',
        MENU_TEST,
        'one of the permissions of an entry is enough, and other permissions do not count'
      ),
      tested(
        'An entry can be for the cloud variant only, or never on it.',
        MENU_TEST,
        'cloud entries are visible only on the cloud variant, and excluded entries never'
      ),
      tested(
        'An entry can need a feature of the hub.',
        MENU_TEST,
        'an entry that requires a feature is visible if the hub has its bit'
      ),
      checked('License and Device firmware are not on the cloud variant.', () => {
        assert.equal(findEntry('License')?.[0].cloud, false)
        assert.equal(findEntry('Device firmware')?.[0].cloud, false)
      }),
      tested('A link can force the highlighted entry.', MENU_TEST, 'a link can highlight another entry'),
      badge('Warnings', 'warnings', BADGE_CAP_DEVICES, 9999),
      badge('Pending approval', 'pending', BADGE_CAP_DEVICES, 9999),
      badge('Channels', 'channels', BADGE_CAP_FLAG, 1),
      badge('Upgrade', 'upgrade', BADGE_CAP_FLAG, 1),
      checked('The badges of Channels and Upgrade are red.', () => {
        assert.equal(findEntry('Channels')?.[0].alarm, true)
        assert.equal(findEntry('Upgrade')?.[0].alarm, true)
      }),
      tested(
        'The badge of Channels shows that the SRT server failed to start.',
        MENU_TEST,
        'badges are capped, and a flag counts as one'
      ),
      tested(
        'The menu names the end of maintenance support and exceeded limits.',
        'src/screens/license/license.test.tsx',
        'the menu says that maintenance support ends, and that a limit is exceeded'
      ),
      tested(
        'The menu has the entry NDI router, if the hub supports it.',
        'src/screens/ndi-router/router.test.tsx',
        'the menu leads to the router, for users who may view NDI'
      ),
      checked('The menu has the entry Network.', () => assert.ok(findEntry('Network')))
    ),
    part(
      'Device groups',
      tested('Groups are a tree in the menu.', TREE_TEST, 'a group links to its devices, and the page has its name'),
      tested(
        'Groups are added and renamed.',
        TREE_TEST,
        'groups are added at the top and below others; a duplicate name is refused at the field'
      ),
      tested(
        'Groups are deleted.',
        TREE_TEST,
        'the contents of a deleted group move up, as announced; the open page moves to the parent group'
      ),
      tested(
        'No group is added at depth 5.',
        TREE_TEST,
        'below level 5 no group can be added, and the tooltip shows the reason'
      ),
      checked('The tree has five levels.', () => assert.equal(CATALOG_DEPTH_MAX, 5)),
      checked('A group name has at most 32 units.', () => assert.equal(CATALOG_NAME_MAX, 32)),
      tested(
        'A group is open to selected users and user groups, or inherits from its parent.',
        TREE_TEST,
        'the visibility of a group is granted to user groups and users, or inherited'
      ),
      tested('The global default does not inherit.', TREE_TEST, 'the global default cannot inherit')
    ),
    part(
      'Other screens',
      tested(
        'The web page of a device opens through the hub.',
        'hub/handlers/device-page.test.ts',
        'the page has an origin of its own, and is served at its root as the device made it'
      ),
      tested(
        'Port forwarding has a device, two ports, start and stop.',
        'src/screens/port-forward/list.test.tsx',
        'a port forward is stopped; with open connections after a confirmation'
      ),
      tested(
        'A token has an owner and an end, or none.',
        'src/screens/token/list.test.tsx',
        'a token can have a last day, which must not be in the past'
      ),
      tested(
        'Firmware files are uploaded with progress.',
        'src/screens/firmware/files.test.tsx',
        'a file is uploaded with its progress, and is then in the list'
      ),
      tested(
        'Firmware files are listed by product with their versions.',
        'src/screens/firmware/files.test.tsx',
        'files are listed by product with version, hardware, time, size and name; test builds are marked'
      ),
      tested(
        'A pre-release needs consent to its disclaimer.',
        'src/screens/firmware/rollouts.test.tsx',
        'a test build requires consent to its disclaimer'
      ),
      tested(
        'A device is updated by hand with a stored file.',
        'src/screens/device-detail/detail.test.tsx',
        'firmware is updated from the page, which shows the progress'
      ),
      planned('Versions are found and downloaded online.', HUB_UPGRADE),
      tested('The invitation code is set on a screen.', GENERAL_TEST, 'an invitation code has four digits'),
      tested(
        'The licence page shows title, serial number, end, limits and their use.',
        'src/screens/license/license.test.tsx',
        'a licence in force is shown whole'
      ),
      tested(
        'Users are listed with their groups.',
        'src/screens/user/users.test.tsx',
        'users are listed with their groups and their last sign-in'
      ),
      tested(
        'User groups are listed.',
        'src/screens/user/groups.test.tsx',
        'groups are listed with type, number of users and permissions'
      ),
      ...LOG_AND_PROFILE_ROWS,
      tested(
        'Network settings: Ethernet.',
        'browser/machine/network.test.ts',
        'a new address is kept when a client confirms it there, signed in by the ticket'
      ),
      tested(
        'Network settings: Wi-Fi and USB network.',
        'browser/machine/wifi.test.ts',
        'Wi-Fi and USB interfaces are listed'
      ),
      tested(
        'NDI settings: discovery server, NDI output.',
        'src/screens/ndi-settings/settings.test.tsx',
        'new channels get an NDI output, and the state of the discovery server follows'
      ),
      tested('Firewall: rules by port, each on or off.', FIREWALL_AT[0], 'rules name the ports that they open'),
      checked('Devices can be required to register with an invitation code.', async () => {
        const { setSettings } = await import('../../contract/settings.ts')
        const { tableHub } = await import('./objects.ts')
        const { admin } = tableHub()
        const { result } = await admin.send(setSettings, { security: { 'enable-code': true, 'code-value': '1234' } })
        assert.equal(result, 0)
      })
    ),
    part(
      'Frame',
      tested('Each page has a breadcrumb.', SHELL_TEST, 'every page has a breadcrumb, a heading and a window title'),
      tested(
        'A page can have a back button.',
        SHELL_TEST,
        'the lists of selected devices have a back link to all devices'
      ),
      tested('Messages appear as pop-ups.', 'src/frame/toast-host.test.tsx', 'a success is a polite message'),
      tested(
        'Elements have tooltips.',
        'src/ui/tooltip.test.tsx',
        'keyboard focus shows the tooltip, also that of a cut-off element inside'
      ),
      tested(
        'The footer has support, legal and help links and a copyright line.',
        SHELL_TEST,
        'the footer links to pages that the hub itself serves'
      ),
      checked('The classes of screen size are lg, md, sm, xs and xxs.', () =>
        assert.deepEqual([...SCREEN_SIZES], ['xxs', 'xs', 'sm', 'md', 'lg'])
      ),
      tested(
        'The size class comes from the style sheet.',
        'src/ui/screen-size.test.tsx',
        'the size class comes from the style sheet, also after the window was resized'
      )
    ),
    part(
      'Dashboard and lists',
      tested(
        'CPU, memory, fan, temperature and up time are shown.',
        DASHBOARD_TEST,
        'a missing sensor is shown as None'
      ),
      tested(
        'The state of the cloud is shown.',
        DASHBOARD_TEST,
        'a hub that is connected to a cloud shows the state of the connection'
      ),
      tested(
        'Devices online, with warnings, pending and in all are counted.',
        DASHBOARD_TEST,
        'every number is the one that the hub returns'
      ),
      tested(
        'Warnings of devices are listed.',
        'src/screens/dashboard/problems-card.test.tsx',
        'problems stand above everything else, counted, with a link to all'
      ),
      tested(
        'System log and device log are shown.',
        DASHBOARD_TEST,
        'the system log and the device log are shown, newest first, and updated'
      ),
      tested(
        'Active channels are shown.',
        DASHBOARD_TEST,
        'started channels are tiles with verdict, cause and traffic, the worst first, and link to themselves'
      ),
      tested(
        'The bandwidth is shown for the last minute and the last hour.',
        DASHBOARD_TEST,
        'the traffic of the last minute and of the last hour are two views of a chart'
      ),
      tested(
        'The choice of columns is kept for each list.',
        'src/ui/table/table.test.tsx',
        'columns are chosen in a menu that stays open, and the choice is stored per list'
      ),
      tested(
        'A list is a table or tiles, kept for each list.',
        'src/screens/device/tiles.test.tsx',
        'the selected view is kept for each list'
      ),
      tested(
        'Every user sees that the licence ends.',
        'src/screens/license/license.test.tsx',
        'the end of a licence is announced to every user, and as a warning from 15 days on'
      )
    )
  ]
}
