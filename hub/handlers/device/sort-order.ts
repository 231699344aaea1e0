// The order in which devices come. Reference 5.3: what is asked for, then online first, newest first, smaller serial first.
import type { DeviceListRequest } from '../../../contract/device/device.ts'
import type { Registry } from '../../devices/registry.ts'
import type { DeviceRow } from '../../store/devices.ts'
import { createTextOrder } from '../text-collation.ts'

type Asked = Pick<DeviceListRequest, 'sort' | 'order'>
/** A number that rows are compared by. */
type Key = (row: DeviceRow) => number

/** Columns that are compared as text, with the query's word for them. */
const TEXTS = {
  sn: 'sn',
  name: 'name',
  module: 'module_name',
  'connect-ip': 'connect_ip',
  'firmware-ver': 'firmware_ver'
} as const satisfies Partial<Record<NonNullable<Asked['sort']>, keyof DeviceRow>>

type TextSort = keyof typeof TEXTS

/** The rows that are neither changed nor new, in their order, with the others put in between. */
function merge(rows: readonly DeviceRow[], others: readonly DeviceRow[], keys: readonly Key[]): DeviceRow[] {
  const merged: DeviceRow[] = []
  let from = 0
  for (const other of others) {
    const own = keys.map((key) => key(other))
    let low = from
    let high = rows.length
    while (low < high) {
      const middle = (low + high) >> 1
      const row = rows[middle] as DeviceRow
      const at = keys.findIndex((key, index) => key(row) !== own[index])
      if (at >= 0 && (keys[at] as Key)(row) > (own[at] as number)) high = middle
      else low = middle + 1
    }
    for (; from < low; from++) merged.push(rows[from] as DeviceRow)
    merged.push(other)
  }
  for (; from < rows.length; from++) merged.push(rows[from] as DeviceRow)
  return merged
}

/** Sorts by numbers alone. */
export function createDeviceOrder(registry: Pick<Registry, 'online'>) {
  const orders = Object.fromEntries(Object.keys(TEXTS).map((sort) => [sort, createTextOrder()])) as Record<
    TextSort,
    ReturnType<typeof createTextOrder>
  >

  /** What rows are compared by, the first one first. The texts of `rows` are taken in: they are `all` rows or some that are new. */
  function keysOf({ sort, order }: Asked, rows: readonly DeviceRow[], all: boolean): Key[] {
    const sign = order === 'descending' ? -1 : 1
    const place = (by: TextSort): Key => {
      const column = TEXTS[by]
      orders[by][all ? 'all' : 'add'](rows.map((row) => row[column]))
      return (row) => orders[by].placeOf(row[column])
    }
    const chosen: Key[] = []
    if (sort === 'time') chosen.push((row) => row.apply_date)
    else if (sort === 'online-state') chosen.push((row) => (registry.online(row.sn) ? 0 : 1))
    else if (sort === 'module') chosen.push((row) => row.module, place(sort))
    else if (sort) chosen.push(place(sort))
    return [
      ...chosen.map((key): Key => (sign === 1 ? key : (row) => -key(row))),
      (row) => (registry.online(row.sn) ? 0 : 1),
      (row) => -row.apply_date,
      place('sn')
    ]
  }

  function sorted(rows: readonly DeviceRow[], asked: Asked = {}, all = true): DeviceRow[] {
    const keys = keysOf(asked, rows, all)
    const keyed = rows.map((row) => ({ row, own: keys.map((key) => key(row)) }))
    keyed.sort((a, b) => {
      for (let at = 0; at < keys.length; at++) {
        const difference = (a.own[at] as number) - (b.own[at] as number)
        if (difference !== 0) return difference
      }
      return 0
    })
    return keyed.map(({ row }) => row)
  }

  return {
    /** The rows in their order. */
    sorted: (rows: readonly DeviceRow[], asked?: Asked) => sorted(rows, asked),

    /**
     * Puts a few rows in between others.
     * @param rows sorted as is asked, unchanged since
     */
    putIn(rows: readonly DeviceRow[], few: readonly DeviceRow[], asked: Asked): DeviceRow[] {
      const others = sorted(few, asked, false)
      return merge(rows, others, keysOf(asked, others, false))
    }
  }
}
