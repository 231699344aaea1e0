// The routes of the console: their patterns, links to them, and the link that the login page returns to. A link is a
// path with a query; `state/location.ts` keeps both inside the hash of the URL.

/** Path patterns by route name. `:name` is a parameter. Any other path shows the 404 page. */
export const ROUTES = {
  login: '/login',
  wall: '/wall',
  follow: '/follow',
  dashboard: '/dashboard',
  problems: '/problems',
  channels: '/stream/channels',
  inputs: '/stream/input',
  outputs: '/stream/output',
  destinations: '/stream/destination',
  ndiSources: '/stream/ndi',
  channelDetail: '/stream/channel/detail/:channelId',
  channelCalendar: '/stream/calendar',
  watch: '/watch/:channelId',
  allDevices: '/devices/all',
  pendingDevices: '/devices/pending',
  rejectedDevices: '/devices/rejected',
  warningDevices: '/devices/warning',
  favoriteDevices: '/devices/favorite',
  groupDevices: '/devices/group-:catalog',
  search: '/search',
  deviceDetail: '/device/detail/:sn/:catalog',
  ndiRouter: '/ndi-router',
  ndiMatrix: '/ndi-router/:matrixId',
  ndiDestination: '/ndi-router/panel/:matrixId/:destination',
  portForward: '/portforward',
  settings: '/settings/all',
  general: '/settings/general',
  license: '/settings/authorized',
  backup: '/settings/backup',
  importSettings: '/import-settings',
  certificate: '/settings/certificate',
  ndiSettings: '/settings/ndi',
  network: '/settings/network',
  firewall: '/settings/firewall',
  firmware: '/settings/firmware',
  upgrade: '/settings/upgrade',
  users: '/settings/user',
  user: '/settings/user/:userId',
  userGroup: '/settings/user-group/:groupId',
  notifications: '/settings/notifications',
  logs: '/settings/logs',
  accessTokens: '/settings/access-tokens',
  trash: '/settings/trash',
  profile: '/profile',
  reboot: '/reboot',
  reset: '/reset-all-settings'
} as const

export type RouteName = keyof typeof ROUTES

/** The routes of screens in the frame, with menu and top bar. */
export type ScreenRoute = Exclude<RouteName, 'login' | 'wall' | 'follow' | 'ndiDestination' | 'reboot' | 'reset'>

/** Paths that redirect to a route. */
export const REDIRECTS = { '/': 'dashboard', '/devices': 'allDevices' } as const satisfies Record<string, RouteName>

/** Values of a route's parameters, by their names in the pattern. */
export type RouteParams = Readonly<Record<string, string>>

/** The parameters of a path; undefined if it does not match the pattern. */
export function matchPattern(pattern: string, path: string): RouteParams | undefined {
  const match = new RegExp(`^${pattern.replace(/:(\w+)/g, '(?<$1>[\\w-]+)')}$`).exec(path)
  return match ? { ...match.groups } : undefined
}

/**
 * Finds the route of a path with its parameters, or the path that it redirects to. Neither is set for an unknown path.
 */
export function matchRoute(path: string): { routeName?: RouteName; params?: RouteParams; redirectTo?: string } {
  for (const [routeName, pattern] of Object.entries(ROUTES)) {
    const params = matchPattern(pattern, path)
    if (params) return { routeName: routeName as RouteName, params }
  }
  return path in REDIRECTS ? { redirectTo: ROUTES[REDIRECTS[path as keyof typeof REDIRECTS]] } : {}
}

/** Query values of all routes. */
interface CommonQuery {
  /** The route whose menu entry is highlighted instead of the current one. */
  'search-navigation'?: RouteName
}

/** Query values of the pages of the settings. */
interface SettingsQuery {
  /** Searches all settings. */
  find?: string
  /** Name of the setting that gets the focus (frame/settings-index.ts). */
  setting?: string
}

interface DeviceListQuery {
  view?: 'list' | 'compact' | 'view'
  /** Part of a name or serial number. */
  key?: string
  /** Id of a device family. */
  family?: string
  state?: 'online' | 'offline' | 'warning'
  /** Id of a group; 0 = devices without a group. */
  group?: string
  dir?: 'input' | 'output' | 'none'
  /** Id of a tag. */
  tag?: string
  /** Id of a firmware file: devices that it fits. */
  firmware?: string
  /** Devices with a firmware update. */
  update?: '1'
  /** Key of a column, and the direction. */
  sort?: string
  order?: 'ascending' | 'descending'
}

/** Tabs of the page of a channel, after the first one, which shows its signal path. */
export type ChannelTab = 'schedule' | 'history' | 'access' | 'settings'

interface Queries {
  login: { return_url?: string }
  /**
   * `code`: of a display link. `channels`: IDs of the channels to show, separated by commas. `page`: from 1, does not
   * turn.
   */
  wall: { code?: string; channels?: string; page?: string }
  /** `ticket`: one-time, signs in. `to`: the link to open then. */
  follow: { ticket?: string; to?: string }
  /**
   * `state`: a verdict. `details`: whether the line about machine, network and devices is open. `tour`: the tour
   * begins.
   */
  dashboard: { density?: 'tiles' | 'small' | 'rows'; state?: string; details?: 'open' | 'closed'; tour?: '1' }
  /**
   * `channel`, `sn`, `level`, `user`, `key`, `kinds`, `from`, `to`: filters of events (parts/event/filter.ts): ids of a
   * channel and a device, name of a user or token, kinds separated by commas, times in ISO 8601 in UTC.
   */
  problems: {
    tab?: 'all' | 'timeline'
    key?: string
    sn?: string
    level?: '1' | '2' | '3'
    user?: string
    show?: 'open' | 'acknowledged'
    kind?: string
    channel?: string
    kinds?: string
    from?: string
    to?: string
  }
  allDevices: DeviceListQuery
  warningDevices: DeviceListQuery
  favoriteDevices: DeviceListQuery
  groupDevices: DeviceListQuery & { catalog: string }
  /** `state`: a verdict. `tag`: id of a tag. `add`: the dialog of a new channel opens. */
  channels: {
    view?: 'list' | 'compact' | 'view'
    key?: string
    state?: string
    tag?: string
    sort?: string
    order?: 'ascending' | 'descending'
    add?: 'channel'
  }
  inputs: { key?: string; tag?: string }
  /**
   * `edit`: id of the output whose dialog opens. `preset`: id of the preset with which the dialog of a new output
   * opens.
   */
  outputs: { key?: string; tag?: string; edit?: string; preset?: string }
  destinations: { key?: string }
  ndiSources: { tab?: 'presets'; key?: string }
  /**
   * `kinds`, `from`, `to`: filter of the timeline; kinds separated by commas, times in ISO 8601 in UTC. `leg`: the
   * input or output whose statistics are shown. `period`, `until`: length and end of the charts, the end in ISO 8601 in
   * UTC. Without `tab`, these open the history. `week`: a day of the week that the schedule shows.
   */
  channelDetail: {
    channelId: string
    tab?: ChannelTab
    output?: string
    leg?: string
    period?: 'hour' | 'day' | 'week' | 'month' | 'year'
    until?: string
    kinds?: string
    from?: string
    to?: string
    week?: string
  }
  /** `week`: a day of the week that is shown, such as 2026-11-23. `day`: a single day. */
  channelCalendar: { week?: string; day?: string }
  watch: { channelId: string }
  search: { for?: string }
  /** `catalog`: the group from which the page was opened; 0 = none. */
  deviceDetail: { sn: string; catalog: string }
  /** `destination`: number of the destination whose sources are shown on a small screen. */
  ndiMatrix: { matrixId: string; key?: string; destination?: string }
  /** Numbers. `confirm`: takes are confirmed. */
  ndiDestination: { matrixId: string; destination: string; confirm?: '1' }
  /** `sn`: the device to select in the form. */
  portForward: { sn?: string }
  firmware: { tab?: 'online' | 'rollouts' }
  users: { tab?: 'groups' | 'sessions' | 'rules' | 'access'; key?: string; guest?: string }
  user: { userId: string }
  /** The group's id, or `new`. Letters, digits, hyphens. */
  userGroup: { groupId: string }
  /** `kind`: of the deleted objects. */
  trash: { key?: string; kind?: string }
  /** `key`: search text. `channel`, `sn`: entries about this channel or device alone. */
  logs: { tab?: 'system' | 'device' | 'settings'; key?: string; channel?: string; sn?: string }
}

/** The parameters and query values of a route. */
type QueryOf<P extends RouteName> = CommonQuery & SettingsQuery & (P extends keyof Queries ? Queries[P] : unknown)

/** The path of a pattern with its parameters, and the other values as its query, without undefined and empty ones. */
export function fillPattern(pattern: string, query: object): string {
  const values = new URLSearchParams(Object.entries(query as RouteParams).filter(([, value]) => value))
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = values.get(name) ?? ''
    values.delete(name)
    return value
  })
  return path + (values.size ? `?${values}` : '')
}

/** The link to a route. Undefined and empty values are left out of the query. */
export const linkTo = <P extends RouteName>(routeName: P, query: QueryOf<P> = {} as QueryOf<P>): string =>
  fillPattern(ROUTES[routeName], query)

/** The link to the page of a channel. */
export const channelLink = (id: number | undefined, query: Omit<Queries['channelDetail'], 'channelId'> = {}): string =>
  linkTo('channelDetail', { channelId: String(id), ...query })

/** The link to the login page that returns to `from`, a path with its query. */
export function loginLink(from: string): string {
  return linkTo('login', { return_url: from })
}

/**
 * The link to open after signing in.
 * @param returnUrl from the address bar, and so not trusted: anything but a route of the console other than the login
 * page is replaced by the dashboard, to prevent open redirects
 */
export function returnPath(returnUrl: string | null | undefined): string {
  const [, path = '', query = ''] = /^([^?#]*)(\?[^#\s\\]*)?$/.exec(returnUrl ?? '') ?? []
  const { routeName = 'login' } = matchRoute(path)
  return routeName === 'login' || routeName === 'follow' ? ROUTES.dashboard : path + query
}
