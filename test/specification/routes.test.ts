// The paths of the screens (docs/specification.md, section 2).
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { matchRoute, type RouteName } from '../../src/paths.ts'

const test = suite('routes')

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

for (const [subject, [path, name]] of Object.entries(CONSOLE_ROUTES))
  test(`${subject} is at \`${path}\``, () => assert.equal(matchRoute(path).routeName, name))

test('the root leads to the dashboard, and `/devices` to all devices', () => {
  assert.equal(matchRoute('/').redirectTo, '/dashboard')
  assert.equal(matchRoute('/devices').redirectTo, '/devices/all')
})

test('an unlisted path matches no route', () => {
  for (const path of ['/devices/other', '/settings', '/stream', '/x']) assert.deepEqual(matchRoute(path), {})
})

test.run()
