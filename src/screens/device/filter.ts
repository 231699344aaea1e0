// What a list shows of its devices, and in which order, as it stands in the address bar. The hub checks it.
import type { Device, DeviceListRequest } from '../../../contract/device/device.ts'
import { setQuery } from '../../state/location.ts'
import type { Sorting } from '../../ui/table/sorting.ts'
import type { Column } from '../../ui/table/table.tsx'

/** The names in the query of what narrows a list. */
const FILTERS = ['key', 'family', 'state', 'group', 'dir', 'firmware'] as const

export type FilterName = (typeof FILTERS)[number]

/** To the hub, the state of devices with warnings. */
export const WARNS = 'dev-warns,warns'

export function isNarrowed(query: URLSearchParams): boolean {
  return FILTERS.some((name) => query.get(name))
}

export function removeFilter(): void {
  setQuery(Object.fromEntries(FILTERS.map((name) => [name, ''])))
}

/** The order there is; by name unless the address names another column that the hub orders by. */
export function sortingOf(query: URLSearchParams, columns: readonly Column<Device>[]): Sorting {
  return {
    key: columns.find(({ key, sort }) => sort && key === query.get('sort'))?.key ?? 'name',
    order: query.get('order') === 'descending' ? 'descending' : 'ascending'
  }
}

export function setSorting({ key, order }: Sorting): void {
  setQuery({ sort: key, order })
}

const numberOf = (text: string | null) => (text ? Number(text) : undefined)

/**
 * What to ask the hub. What is no filter is left out.
 * @param list what makes the list
 */
export function requestOf(query: URLSearchParams, sorting: Sorting, list: DeviceListRequest): DeviceListRequest {
  return {
    key: query.get('key')?.slice(0, 256) || undefined,
    module: numberOf(query.get('family')),
    status: query.get('state')?.replace('warning', WARNS) || undefined,
    catalog: numberOf(query.get('group')),
    dir: (query.get('dir') as DeviceListRequest['dir']) || undefined,
    firmware: numberOf(query.get('firmware')),
    sort: sorting.key as DeviceListRequest['sort'],
    order: sorting.order,
    ...list
  }
}
