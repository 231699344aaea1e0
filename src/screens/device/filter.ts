// What a list shows of its devices, and in which order, as it stands in the address bar.
import type { DeviceListRequest } from '../../../contract/device.ts'
import { setQuery } from '../../state/location.ts'
import type { Sorting } from '../../ui/sorting.ts'

/** The names in the query of what narrows a list. */
export const FILTERS = ['key', 'family', 'state', 'group', 'dir'] as const

export type FilterName = (typeof FILTERS)[number]

/** What the hub can order by: also the keys of those columns. */
const SORTS = ['online-state', 'sn', 'name', 'time', 'module', 'connect-ip', 'firmware-ver'] as const

/** Words of `state`, and what they are to the hub. */
const STATES: Readonly<Record<string, string>> = { online: 'online', offline: 'offline', warning: 'dev-warns,warns' }

export function isNarrowed(query: URLSearchParams): boolean {
  return FILTERS.some((name) => query.get(name))
}

export function removeFilter(): void {
  setQuery(Object.fromEntries(FILTERS.map((name) => [name, ''])))
}

const among = <Value extends string>(values: readonly Value[], value: string | null) =>
  values.find((one) => one === value)

const numberOf = (text: string | null) => (/^\d{1,10}$/.test(text ?? '') ? Number(text) : undefined)

/** The order there is; by name unless the address says otherwise. */
export function sortingOf(query: URLSearchParams): Sorting {
  return {
    key: among(SORTS, query.get('sort')) ?? 'name',
    order: query.get('order') === 'descending' ? 'descending' : 'ascending'
  }
}

export function setSorting({ key, order }: Sorting): void {
  setQuery({ sort: key === 'name' ? '' : key, order: order === 'ascending' ? '' : order })
}

/**
 * What to ask the hub. What is no filter is left out.
 * @param list what makes the list
 */
export function requestOf(query: URLSearchParams, list: DeviceListRequest): DeviceListRequest {
  const { key, order } = sortingOf(query)
  return {
    key: query.get('key')?.slice(0, 256) || undefined,
    module: numberOf(query.get('family')),
    status: STATES[query.get('state') ?? ''],
    catalog: numberOf(query.get('group')),
    dir: among(['input', 'output', 'none'], query.get('dir')),
    sort: among(SORTS, key),
    order,
    ...list
  }
}
