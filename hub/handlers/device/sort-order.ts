// Sort order of device lists: by the requested column, then online devices first, newest first, and by serial number.
import type { DeviceListRequest } from '../../../contract/device/device.ts'
import type { Registry } from '../../devices/registry.ts'
import type { DeviceRow } from '../../store/devices.ts'
import { TextRanks } from '../text-collation.ts'

type SortRequest = Pick<DeviceListRequest, 'sort' | 'order'>

/** A number by which rows are compared. */
type SortKey = (row: DeviceRow) => number

/** The text columns, by the value of `sort` in a request. */
const TEXT_COLUMNS = {
  sn: 'sn',
  name: 'name',
  module: 'module_name',
  'connect-ip': 'connect_ip',
  'firmware-ver': 'firmware_ver'
} as const satisfies Partial<Record<NonNullable<SortRequest['sort']>, keyof DeviceRow>>

type TextSort = keyof typeof TEXT_COLUMNS

/** Merges sorted `others` into sorted `rows`, looking up each position by binary search. */
function merge(rows: readonly DeviceRow[], others: readonly DeviceRow[], keys: readonly SortKey[]): DeviceRow[] {
  const merged: DeviceRow[] = []
  let next = 0
  for (const other of others) {
    const otherKeys = keys.map((key) => key(other))
    let low = next
    let high = rows.length
    while (low < high) {
      const middle = (low + high) >> 1
      const row = rows[middle] as DeviceRow
      const index = keys.findIndex((key, index) => key(row) !== otherKeys[index])
      if (index >= 0 && (keys[index] as SortKey)(row) > (otherKeys[index] as number)) high = middle
      else low = middle + 1
    }
    for (; next < low; next++) merged.push(rows[next] as DeviceRow)
    merged.push(other)
  }
  for (; next < rows.length; next++) merged.push(rows[next] as DeviceRow)
  return merged
}

function sortByKeys(rows: readonly DeviceRow[], keys: readonly SortKey[]): DeviceRow[] {
  const keyed = rows.map((row) => ({ row, values: keys.map((key) => key(row)) }))
  keyed.sort((a, b) => {
    for (let index = 0; index < keys.length; index++) {
      const difference = (a.values[index] as number) - (b.values[index] as number)
      if (difference !== 0) return difference
    }
    return 0
  })
  return keyed.map(({ row }) => row)
}

/** Sorts devices. Texts are compared by their ranks, so that only numbers are compared. */
export class DeviceSorter {
  readonly #registry: Pick<Registry, 'isOnline'>
  readonly #ranks: Record<TextSort, TextRanks>

  constructor(registry: Pick<Registry, 'isOnline'>) {
    this.#registry = registry
    const ranks = Object.keys(TEXT_COLUMNS).map((sort) => [sort, new TextRanks()])
    this.#ranks = Object.fromEntries(ranks) as Record<TextSort, TextRanks>
  }

  sort(rows: readonly DeviceRow[], request: SortRequest = {}): DeviceRow[] {
    return sortByKeys(rows, this.#keys(request, rows, true))
  }

  /**
   * Inserts a few rows into sorted ones.
   * @param rows sorted as requested, and unchanged since
   */
  insert(rows: readonly DeviceRow[], added: readonly DeviceRow[], request: SortRequest): DeviceRow[] {
    const others = sortByKeys(added, this.#keys(request, added, false))
    return merge(rows, others, this.#keys(request, others, false))
  }

  /**
   * The keys by which rows are compared, first key first.
   * @param areAll the rows are all rows, not some additional ones
   */
  #keys({ sort, order }: SortRequest, rows: readonly DeviceRow[], areAll: boolean): SortKey[] {
    const onlineFirst: SortKey = (row) => (this.#registry.isOnline(row.sn) ? 0 : 1)
    const requested: SortKey[] = []
    if (sort === 'time') requested.push((row) => row.apply_date)
    else if (sort === 'online-state') requested.push(onlineFirst)
    else if (sort === 'module') requested.push((row) => row.module, this.#textKey(sort, rows, areAll))
    else if (sort) requested.push(this.#textKey(sort, rows, areAll))
    return [
      ...requested.map((key): SortKey => (order === 'descending' ? (row) => -key(row) : key)),
      onlineFirst,
      (row) => -row.apply_date,
      this.#textKey('sn', rows, areAll)
    ]
  }

  #textKey(sort: TextSort, rows: readonly DeviceRow[], areAll: boolean): SortKey {
    const column = TEXT_COLUMNS[sort]
    const ranks = this.#ranks[sort]
    const texts = rows.map((row) => row[column])
    if (areAll) ranks.setTexts(texts)
    else ranks.add(texts)
    return (row) => ranks.rankOf(row[column])
  }
}
