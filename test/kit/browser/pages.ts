// Every page of the console, for tests and pictures that go through all of them.
import { linkTo, ROUTES, type RouteName } from '../../../src/paths.ts'

/** Pages of the routes that have parameters or several pages. Every other route is one page. */
const SEVERAL: Partial<Record<RouteName, readonly string[]>> = {
  // It needs a page without a session.
  login: [],
  problems: [ROUTES.problems, linkTo('problems', { show: 'open' }), linkTo('problems', { tab: 'all' })],
  ndiSources: [ROUTES.ndiSources, linkTo('ndiSources', { tab: 'presets' })],
  channelDetail: [linkTo('channelDetail', { channelId: '7' })],
  watch: [linkTo('watch', { channelId: '7' })],
  allDevices: [ROUTES.allDevices, linkTo('allDevices', { view: 'view' })],
  groupDevices: [linkTo('groupDevices', { catalog: '0' })],
  search: [linkTo('search', { for: 'Hall' })],
  deviceDetail: [linkTo('deviceDetail', { sn: 'none', catalog: '0' })],
  ndiMatrix: [linkTo('ndiMatrix', { matrixId: '7' })],
  ndiDestination: [linkTo('ndiDestination', { matrixId: '7', destination: '1' })],
  settings: [ROUTES.settings, linkTo('settings', { find: 'port' })],
  firmware: [ROUTES.firmware, linkTo('firmware', { tab: 'online' }), linkTo('firmware', { tab: 'rollouts' })],
  users: [
    ROUTES.users,
    linkTo('users', { tab: 'groups' }),
    linkTo('users', { tab: 'sessions' }),
    linkTo('users', { tab: 'rules' })
  ],
  user: [linkTo('user', { userId: '1' })],
  userGroup: [linkTo('userGroup', { groupId: '2' }), linkTo('userGroup', { groupId: 'new' })],
  logs: [ROUTES.logs, ...(['system', 'device', 'settings'] as const).map((tab) => linkTo('logs', { tab }))]
}

/**
 * The pages, as paths with queries. Those of single objects name some that no hub has; the pages of existing ones
 * depend on the hub.
 */
export const PAGES: readonly string[] = Object.entries(ROUTES).flatMap(
  ([routeName, pattern]) => SEVERAL[routeName as RouteName] ?? [pattern]
)
