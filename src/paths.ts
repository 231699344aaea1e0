// Every place in the console: its pattern, the link to it, and the way back to it after signing in. A link is a path with a query,
// both of which `state/location.ts` keeps inside the hash.

/** Patterns of the places; what follows a colon in a segment is a parameter. Any other path shows the 404 page. */
export const PLACES = {
  login: '/login',
  dashboard: '/dashboard',
  channels: '/stream/channels',
  inputs: '/stream/input',
  outputs: '/stream/output',
  channelDetail: '/stream/channel/detail/:channelId',
  allDevices: '/devices/all',
  pendingDevices: '/devices/pending',
  rejectedDevices: '/devices/rejected',
  warningDevices: '/devices/warning',
  favoriteDevices: '/devices/favorite',
  groupDevices: '/devices/group-:catalog',
  search: '/search',
  deviceDetail: '/device/detail/:sn/:catalog',
  portForward: '/portforward',
  firmware: '/settings/firmware',
  upgrade: '/settings/upgrade',
  users: '/settings/user',
  userGroup: '/settings/user-group/:groupId',
  logs: '/settings/logs',
  accessTokens: '/settings/access-tokens'
} as const

export type Place = keyof typeof PLACES

/** Paths that lead on to a place. */
export const REDIRECTS = { '/': 'dashboard', '/devices': 'allDevices' } as const satisfies Record<string, Place>

/** Values of a place's parameters, by their names in its pattern. */
export type Params = Readonly<Record<string, string>>

/** What is at a path: a place with its parameters, or another path it leads on to; neither for a path that does not exist. */
export function placeOf(path: string): { place?: Place; params?: Params; leadsTo?: string } {
  for (const [place, pattern] of Object.entries(PLACES)) {
    const found = new RegExp(`^${pattern.replace(/:(\w+)/g, '(?<$1>[\\w-]+)')}$`).exec(path)
    if (found) return { place: place as Place, params: { ...found.groups } }
  }
  return path in REDIRECTS ? { leadsTo: PLACES[REDIRECTS[path as keyof typeof REDIRECTS]] } : {}
}

/** What any place takes in its query. */
interface CommonQuery {
  /** The place whose menu entry is highlighted instead of its own. */
  'search-navigation'?: Place
}

interface DeviceListQuery {
  view?: 'list' | 'view'
  /** Part of a name or serial number. */
  key?: string
  /** Id of a family. */
  family?: string
  state?: 'online' | 'offline' | 'warning'
  /** Id of a group; 0 = in none. */
  group?: string
  dir?: 'input' | 'output' | 'none'
  /** Those that a firmware is for, by its id. */
  firmware?: string
}

interface Queries {
  login: { return_url?: string }
  allDevices: DeviceListQuery
  warningDevices: DeviceListQuery
  favoriteDevices: DeviceListQuery
  groupDevices: DeviceListQuery & { catalog: string }
  channels: { key?: string }
  inputs: { key?: string }
  outputs: { key?: string }
  channelDetail: { channelId: string }
  search: { for?: string }
  /** `catalog`: the group it was looked at in; 0 = none. */
  deviceDetail: { sn: string; catalog: string }
  /** `sn`: a device to forward to. */
  portForward: { sn?: string }
  firmware: { tab?: 'rollouts' }
  users: { tab?: 'groups' | 'sessions' | 'rules'; key?: string }
  /** The group's id, or `new`. Letters, digits, hyphens. */
  userGroup: { groupId: string }
  logs: { tab?: 'system' | 'device' }
}

/** What a place takes: its parameters, and what stands in its query. */
export type QueryOf<P extends Place> = CommonQuery & (P extends keyof Queries ? Queries[P] : unknown)

/** The link to a place. Values that are undefined or empty are left out of its query. */
export function link<P extends Place>(place: P, query: QueryOf<P> = {} as QueryOf<P>): string {
  const present = new URLSearchParams(Object.entries(query as Params).filter(([, value]) => value))
  const path = PLACES[place].replace(/:(\w+)/g, (_, name: string) => {
    const value = present.get(name) ?? ''
    present.delete(name)
    return value
  })
  return path + (present.size ? `?${present}` : '')
}

/** The link to the login page that leads back to `from`, a path with its query. */
export function loginLink(from: string): string {
  return link('login', { return_url: from })
}

/**
 * Where to go after signing in. `wish` comes from the address bar and so from anybody: only a place of the console other than the
 * login page counts, everything else leads to the dashboard.
 */
export function returnPath(wish: string | null | undefined): string {
  const [, path = '', query = ''] = /^([^?#]*)(\?[^#\s\\]*)?$/.exec(wish ?? '') ?? []
  const { place = 'login' } = placeOf(path)
  return place === 'login' ? PLACES.dashboard : path + query
}
