// Every place in the console: its pattern, the link to it, and the way back to it after signing in. A link is a path with a query,
// both of which `state/location.ts` keeps inside the hash.

/** Patterns of the places. Any other path shows the 404 page. */
export const PLACES = {
  login: '/login',
  dashboard: '/dashboard',
  channels: '/stream/channels',
  allDevices: '/devices/all',
  pendingDevices: '/devices/pending',
  rejectedDevices: '/devices/rejected',
  warningDevices: '/devices/warning'
} as const

export type Place = keyof typeof PLACES

/** Paths that lead on to a place. */
export const REDIRECTS = { '/': 'dashboard', '/devices': 'allDevices' } as const satisfies Record<string, Place>

/** What is at a path: a place, or another path it leads on to; neither for a path that does not exist. */
export function placeOf(path: string): { place?: Place; leadsTo?: string } {
  for (const [place, pattern] of Object.entries(PLACES)) if (pattern === path) return { place: place as Place }
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
}

interface Queries {
  login: { return_url?: string }
  allDevices: DeviceListQuery
  warningDevices: DeviceListQuery
  channels: { key?: string }
}

/** What a place takes in its query. */
export type QueryOf<P extends Place> = CommonQuery & (P extends keyof Queries ? Queries[P] : unknown)

/** The link to a place. Values that are undefined or empty are left out of its query. */
export function link<P extends Place>(place: P, query: QueryOf<P> = {} as QueryOf<P>): string {
  const present = Object.entries(query as Record<string, string | undefined>).filter(([, value]) => value)
  return PLACES[place] + (present.length ? `?${new URLSearchParams(present as [string, string][])}` : '')
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
