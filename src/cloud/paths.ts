// The routes of the cloud's own pages. Pages that a hub has too have the same paths.
import { fillPattern, matchPattern, ROUTES, type RouteParams } from '../paths.ts'

export const CLOUD_ROUTES = {
  login: ROUTES.login,
  overview: '/overview',
  problems: ROUTES.problems,
  channels: '/channels',
  search: '/search',
  allHubs: '/hubs/all',
  pendingHubs: '/hubs/pending',
  acceptedHubs: '/hubs/accepted',
  rejectedHubs: '/hubs/rejected',
  warningHubs: '/hubs/warning',
  favoriteHubs: '/hubs/favorite',
  groupHubs: ROUTES.groupDevices,
  invitation: '/hubs/invitation',
  updates: '/hubs/updates',
  update: '/hubs/updates/:id',
  logs: ROUTES.logs,
  users: ROUTES.users,
  user: ROUTES.user,
  userGroup: ROUTES.userGroup,
  accessTokens: ROUTES.accessTokens,
  profile: ROUTES.profile
} as const

export type CloudRoute = keyof typeof CLOUD_ROUTES

/** The routes of screens in the frame. */
export type CloudScreenRoute = Exclude<CloudRoute, 'login'>

export const HOME: CloudScreenRoute = 'overview'

/** The link to a route. Undefined and empty values are left out of the query. */
export const cloudLink = (route: CloudRoute, query: object = {}): string => fillPattern(CLOUD_ROUTES[route], query)

/** Finds the route of a path with its parameters; undefined for an unknown path. */
export function matchCloudRoute(path: string): { route: CloudRoute; params: RouteParams } | undefined {
  for (const [route, pattern] of Object.entries(CLOUD_ROUTES)) {
    const params = matchPattern(pattern, path)
    if (params) return { route: route as CloudRoute, params }
  }
  return undefined
}

/**
 * The link to open after signing in.
 * @param returnUrl from the address bar, and so not trusted: anything but a page of the cloud is replaced by the first
 * page
 */
export function cloudReturnPath(returnUrl: string | null): string {
  const [, path = '', query = ''] = /^([^?#]*)(\?[^#\s\\]*)?$/.exec(returnUrl ?? '') ?? []
  const { route = 'login' } = matchCloudRoute(path) ?? {}
  return route === 'login' ? cloudLink(HOME) : path + query
}
