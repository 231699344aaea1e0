// Filters and order of a device list, kept in the URL. The hub validates them.
import type { Device, DeviceListRequest } from '../../../contract/device/device.ts'
import { setQuery } from '../../state/location.ts'
import type { Sorting } from '../../ui/table/sorting.ts'
import type { Column } from '../../ui/table/table.tsx'

/** Names of the filters in the URL. */
const FILTERS = ['key', 'family', 'state', 'group', 'dir', 'firmware'] as const

export type FilterName = (typeof FILTERS)[number]

/** Value of `status` in a request for devices with warnings. */
export const WARNING_STATUS = 'dev-warns,warns'

export function isFiltered(query: URLSearchParams): boolean {
  return FILTERS.some((name) => query.get(name))
}

export function removeFilter(): void {
  setQuery(Object.fromEntries(FILTERS.map((name) => [name, ''])))
}

/** The current order: by name, unless the URL names another sortable column. */
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
    firmware: numberOf(query.get('firmware')),
    sort: sorting.key as DeviceListRequest['sort'],
    order: sorting.order,
    ...list
  }
}
