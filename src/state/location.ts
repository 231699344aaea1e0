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

/** Whether the user may go to a link now. */
type LeaveGuard = (to: string, from: string) => boolean
let mayLeave: LeaveGuard | undefined

/** Sets what decides about each navigation, while a page has unsaved changes. Undefined removes it. */
export function setLeaveGuard(guard?: LeaveGuard): void {
  mayLeave = guard
}

const isKept = (to: string) => mayLeave?.(to, $link.get()) === false

addEventListener('hashchange', () => {
  // The browser has left the page already. Returning makes the entries of its history what they were before 'Back'.
  if (isKept(currentLink())) history.pushState(null, '', `#${$link.get()}`)
  else $link.set(currentLink())
})

const currentPath = () => currentLink().replace(/\?.*/s, '')
const currentQuery = () => currentLink().replace(/^[^?]*\??/, '')

/** Navigates to a link of `paths.ts`. */
export function navigate(to: string, { replace = false, state = null }: NavigateOptions = {}): void {
  if (isKept(to)) return
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
