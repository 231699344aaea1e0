// The paths of requests for the origins of hubs: where each goes on the hub, and what the cloud answers itself.
import { login, logout, logoutByGet, reauthenticate } from '../../contract/access/session.ts'
import { deviceTarget, forwardTarget } from '../../contract/cloud/relay.ts'
import { CLIENT_NOT_EXIST, INVALID_ARG } from '../../contract/codes.ts'
import { WEB_PAGE_PREFIX } from '../../contract/device/web-page.ts'
import { FORWARD_PREFIX, HUB_ID_PARAM, RELAY_PREFIX } from '../../contract/relay.ts'

const apiPath = ({ path }: { path: string }) => `/api${path}`
export const LOGOUT: readonly string[] = [logout, logoutByGet].map(apiPath)
/** Calls about a session of the hub, which the user has not. */
export const REFUSED: readonly string[] = [login].map(apiPath)
export const REAUTHENTICATE: string = apiPath(reauthenticate)

/** Whether a path is below the prefix of relayed requests. */
export const isRelayed = (path: string): boolean => path.startsWith(`${RELAY_PREFIX}/`)

/** Where a request goes on the hub: path with query; or the result code with which it is refused. */
type Target = string | number

/** The page of a device or the forwarded port that a path opens; undefined: none. */
export function pageTarget(path: string): string | undefined {
  const [, sn] = new RegExp(`^${WEB_PAGE_PREFIX}([\\w-]{1,64})/?$`).exec(path) ?? []
  const [, port] = new RegExp(`^${FORWARD_PREFIX}(\\d{1,5})/?$`).exec(path) ?? []
  return sn ? deviceTarget(sn) : port ? forwardTarget(Number(port)) : undefined
}

/**
 * Where a request goes on the hub. Below `/socket` the query names the hub, except for pages of devices and forwarded
 * ports, which the path names.
 */
export function targetOf(path: string, search: string, sn: string): Target {
  if (!isRelayed(path) || pageTarget(path) !== undefined) return path + search
  const query = new URLSearchParams(search)
  const named = query.getAll(HUB_ID_PARAM)
  query.delete(HUB_ID_PARAM)
  if (named.length !== 1) return INVALID_ARG
  if (named[0] !== sn) return CLIENT_NOT_EXIST
  const isApi = path.startsWith(`${RELAY_PREFIX}/api/`)
  const rest = query.size > 0 ? `?${query}` : ''
  return (isApi ? path.slice(RELAY_PREFIX.length) : path) + rest
}

/**
 * Whether a program with an access token may request a path: it has no session that could end or be proved, and opens
 * no pages. @param target where the request goes on the hub
 */
export function isForPrograms(path: string, target: string): boolean {
  const isCall = path.startsWith('/api/') || (isRelayed(path) && pageTarget(path) === undefined)
  return isCall && ![...LOGOUT, ...REFUSED, REAUTHENTICATE].includes(target)
}
