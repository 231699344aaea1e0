// Filters and order of a device list, kept in the URL. The hub validates them.
import type { Device, DeviceListRequest } from '../../../contract/device/device.ts'
import { CACHE_PREFIX } from '../../../contract/limits.ts'
import { linkTo, ROUTES } from '../../paths.ts'
import { currentLink, setQuery } from '../../state/location.ts'
import { $session } from '../../state/session.ts'
import type { Sorting } from '../../ui/table/sorting.ts'
import type { Column } from '../../ui/table/table.tsx'

/** Names of the filters in the URL. */
const FILTERS = ['key', 'family', 'state', 'group', 'dir', 'tag', 'firmware', 'update'] as const

/** Those that pending and rejected devices have, too. */
const REGISTRATION_FILTERS = ['key', 'family']

/** Choices that the browser keeps for the next visit: all but a search and a link to other devices. */
const KEPT_CHOICES = ['family', 'state', 'group', 'dir', 'tag', 'sort', 'order']

type FilterName = (typeof FILTERS)[number]
export type SelectName = Exclude<FilterName, 'key' | 'tag' | 'firmware' | 'update'>

/** Value of `status` in a request for devices with warnings. */
export const WARNING_STATUS = 'dev-warns,warns'

export type ListRoute =
  | 'allDevices'
  | 'pendingDevices'
  | 'rejectedDevices'
  | 'warningDevices'
  | 'favoriteDevices'
  | 'groupDevices'

const isRegistration = (route: ListRoute) => route === 'pendingDevices' || route === 'rejectedDevices'

const pick = (query: URLSearchParams, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? '']] : [])))

/**
 * The link to another of the lists that keeps filters, order and view.
 * @param route a list other than that of a group
 * @param query the query of the current list, with `group` for that of a group
 * @param update only devices with a firmware update
 */
export function listLink(route: ListRoute, query: URLSearchParams, update?: '1'): string {
  const filters = isRegistration(route)
    ? REGISTRATION_FILTERS
    : FILTERS.filter((name) => name !== 'update' && name !== 'firmware')
  const kept = pick(query, [...filters, 'sort', 'order', 'view'])
  // The list of warnings is a state itself.
  if (route === 'warningDevices') delete kept.state
  return linkTo(route as 'allDevices', { ...kept, update })
}

export function isFiltered(query: URLSearchParams): boolean {
  return FILTERS.some((name) => query.get(name))
}

const storageKey = () => `${CACHE_PREFIX}filter-devices-${$session.get()?.id}`

/** Sets filters or the order. In the list of all devices, the browser keeps the user's choices. */
export function setFilters(values: Readonly<Record<string, string>>): void {
  setQuery(values)
  const [path, query = ''] = currentLink().split('?')
  if (path === ROUTES.allDevices)
    localStorage[storageKey()] = new URLSearchParams(pick(new URLSearchParams(query), KEPT_CHOICES))
}

/** Applies the choices of the last visit, unless the link has its own. */
export function restoreFilters(): void {
  if (!currentLink().includes('?')) setQuery(Object.fromEntries(new URLSearchParams(localStorage[storageKey()])))
}

export function removeFilter(): void {
  setFilters(Object.fromEntries(FILTERS.map((name) => [name, ''])))
}

/** The current order: by name, unless the URL names another sortable column. */
export function sortingOf(query: URLSearchParams, columns: readonly Column<Device>[]): Sorting {
  return {
    key: columns.find(({ key, sort }) => sort && key === query.get('sort'))?.key ?? 'name',
    order: query.get('order') === 'descending' ? 'descending' : 'ascending'
  }
}

export function setSorting({ key, order }: Sorting): void {
  setFilters({ sort: key, order })
}

const numberOf = (text: string | null) => (text ? Number(text) : undefined)

/**
 * The request for a device list. Filters that are not set are left out.
 * @param list the request without the user's filters
 */
export function requestOf(query: URLSearchParams, sorting: Sorting, list: DeviceListRequest): DeviceListRequest {
  return {
    key: query.get('key')?.slice(0, 256) || undefined,
    module: numberOf(query.get('family')),
    status: query.get('state')?.replace('warning', WARNING_STATUS) || undefined,
    catalog: numberOf(query.get('group')),
    dir: (query.get('dir') as DeviceListRequest['dir']) || undefined,
    tag: numberOf(query.get('tag')),
    firmware: numberOf(query.get('firmware')),
    update: numberOf(query.get('update')),
    sort: sorting.key as DeviceListRequest['sort'],
    order: sorting.order,
    ...list
  }
}
