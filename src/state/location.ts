// Where the console is: a path and a query, both inside the hash (`#/login?return_url=…`). wouter's own hash location keeps the query
// outside, where it would outlive the page and reach the web server.
import { atom } from 'nanostores'
import { useMemo, useSyncExternalStore } from 'react'
import { type Params, placeOf } from '../paths.ts'

export interface NavigateOptions {
  /** Takes the place of the present history entry. */
  replace?: boolean
  state?: unknown
}

/** The path and query of the address bar. The leading slash is optional there. */
export function currentLink(): string {
  return location.hash.replace(/^#?\/?/, '/')
}

const $link = atom(currentLink())
/** All that follow it hear of it in one go, so that parents and children are drawn together. */
const look = () => $link.set(currentLink())
addEventListener('hashchange', look)

const currentPath = () => currentLink().replace(/\?.*/s, '')
const currentQuery = () => currentLink().replace(/^[^?]*\??/, '')

/** Goes to a link of `paths.ts`. */
export function navigate(to: string, { replace = false, state = null }: NavigateOptions = {}): void {
  history[replace ? 'replaceState' : 'pushState'](state, '', `#${to}`)
  look()
}

export function useHashQuery(): string {
  return useSyncExternalStore($link.listen, currentQuery)
}

/** wouter's location hook: the build and the tests put it in the place of wouter's own. */
export function useHashLocation(): [string, typeof navigate] {
  return [useSyncExternalStore($link.listen, currentPath), navigate]
}
useHashLocation.hrefs = (to: string) => `#${to}`

/** The parameters of the present place, by their names in `paths.ts`. */
export function useParams(): Params {
  const [path] = useHashLocation()
  return useMemo(() => placeOf(path).params ?? {}, [path])
}

/** The query of the present place. wouter's `useSearch` would decode it twice. */
export function useQuery(): URLSearchParams {
  const query = useHashQuery()
  return useMemo(() => new URLSearchParams(query), [query])
}

/** Sets values of the present place's query, or removes those that are empty. Replaces the history entry unless told otherwise. */
export function setQuery(values: Readonly<Record<string, string | undefined>>, replace = true): void {
  const query = new URLSearchParams(currentQuery())
  for (const [name, value] of Object.entries(values)) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  const text = String(query)
  navigate(currentPath() + (text && `?${text}`), { replace })
}
