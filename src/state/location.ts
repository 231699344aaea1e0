// The console's location: a path and a query, both inside the hash of the URL (`#/login?return_url=…`). wouter's own
// hash location keeps the query outside of the hash, where it would remain when the page changes, and would be sent to
// the web server.
import { atom } from 'nanostores'
import { useMemo, useSyncExternalStore } from 'react'
import { matchRoute, type RouteParams } from '../paths.ts'

interface NavigateOptions {
  /** Replaces the current history entry. */
  replace?: boolean
  state?: unknown
}

/** The path and query of the address bar. Their leading slash is optional there. */
export function currentLink(): string {
  return location.hash.replace(/^#?\/?/, '/')
}

/** One store for all components, so that parents and children re-render together. */
const $link = atom(currentLink())

/** Returns false to stop the navigation to a link. */
type LeaveGuard = (to: string, from: string) => boolean
let leaveGuard: LeaveGuard | undefined

/** Sets the guard that is asked before each navigation, for pages with unsaved changes. Undefined removes it. */
export function setLeaveGuard(guard?: LeaveGuard): void {
  leaveGuard = guard
}

const isBlocked = (to: string) => leaveGuard?.(to, $link.get()) === false

addEventListener('hashchange', () => {
  // The address has changed already. A new history entry with the previous link restores it.
  if (isBlocked(currentLink())) history.pushState(null, '', `#${$link.get()}`)
  else $link.set(currentLink())
})

const currentPath = () => currentLink().replace(/\?.*/s, '')
const currentQuery = () => currentLink().replace(/^[^?]*\??/, '')

/** Navigates to a link of `paths.ts`. */
export function navigate(to: string, { replace = false, state = null }: NavigateOptions = {}): void {
  if (isBlocked(to)) return
  history[replace ? 'replaceState' : 'pushState'](state, '', `#${to}`)
  $link.set(currentLink())
}

export function useHashQuery(): string {
  return useSyncExternalStore($link.listen, currentQuery)
}

/** wouter's location hook. The build and the tests use it in place of wouter's own. */
export function useHashLocation(): [string, typeof navigate] {
  return [useSyncExternalStore($link.listen, currentPath), navigate]
}
useHashLocation.hrefs = (to: string) => `#${to}`

/** The parameters of the current route, by their names in `paths.ts`. */
export function useParams(): RouteParams {
  const [path] = useHashLocation()
  return useMemo(() => matchRoute(path).params ?? {}, [path])
}

/** The query of the current location. wouter's `useSearch` would decode it twice. */
export function useQuery(): URLSearchParams {
  const query = useHashQuery()
  return useMemo(() => new URLSearchParams(query), [query])
}

/**
 * Changes the query of the current location. Undefined and empty values are removed. @param replace replaces the
 * history entry
 */
export function setQuery(values: Readonly<Record<string, string | undefined>>, replace = true): void {
  const query = new URLSearchParams(currentQuery())
  for (const [name, value] of Object.entries(values)) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  const text = String(query)
  navigate(currentPath() + (text && `?${text}`), { replace })
}
