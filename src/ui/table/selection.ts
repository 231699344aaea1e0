// The selected rows of a table. In a list of which only a page is loaded, the selection survives while other pages are
// loaded, and all rows can be selected without loading them.
import { useRef, useState } from 'react'
import type { PagedRows } from './virtual-list.ts'

export type RowKey = string | number

/** Selected rows of which not all are loaded. */
export interface RemoteSelection<Row> {
  count: number
  /** Loads the selected rows. @returns undefined when they could not be loaded */
  fetchRows: () => Promise<readonly Row[] | undefined>
}

export interface Selection<Row> {
  has(key: RowKey): boolean
  /** Number of selected rows. */
  count: number
  /** Index of the first loaded row. */
  start: number
  /** Number of rows in the whole list. */
  total: number
  /** The selected rows that are known, in list order. */
  rows: readonly Row[]
  /** Set when all rows but a few are selected and not all of them are loaded. */
  remote?: RemoteSelection<Row>
  /** Selects or deselects a row; with `range` all rows between the row that was clicked last and this one. */
  toggle(row: Row, index: number, range?: boolean): Promise<void>
  /** Selects all rows, or none when all are selected. */
  toggleAll(): void
  clear(): void
}

interface SelectionState<Row> {
  /**
   * The rows of `exceptions` are not selected, all others are. Otherwise only the rows of `exceptions` are selected.
   */
  inverted: boolean
  exceptions: ReadonlyMap<RowKey, Row>
  queryKey: string
}

/**
 * The selection state of a list. A selected row that disappears from the list is deselected, and stays deselected if it
 * reappears.
 */
export function useSelection<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => RowKey,
  paged?: PagedRows<Row>
): Selection<Row> {
  const queryKey = paged?.queryKey ?? ''
  const none: SelectionState<Row> = { inverted: false, exceptions: new Map(), queryKey }
  const [state, setState] = useState(none)
  const lastClick = useRef<{ key: RowKey; index: number }>(undefined)
  // A changed filter drops the selection: actions must not affect rows that are no longer listed.
  const { inverted, exceptions } = state.queryKey === queryKey ? state : none
  const start = paged?.start ?? 0
  const total = paged?.total ?? rows.length
  const isFullyLoaded = rows.length >= total
  const has = (key: RowKey) => exceptions.has(key) !== inverted
  const loadedByKey = new Map(rows.map((row) => [keyOf(row), row]))
  // With only a page loaded, it is unknown whether rows outside of it still exist.
  const knownRows =
    inverted || isFullyLoaded
      ? rows.filter((row) => has(keyOf(row)))
      : [...exceptions].map(([key, row]) => loadedByKey.get(key) ?? row)
  if (isFullyLoaded && !inverted && knownRows.length < exceptions.size)
    setState({ ...none, exceptions: new Map(knownRows.map((row) => [keyOf(row), row])) })

  /** The rows between two indexes, including both. */
  async function rowsBetween(from: number, to: number): Promise<readonly Row[]> {
    const first = Math.min(from, to)
    const end = Math.max(from, to) + 1
    const loaded = rows.slice(Math.max(0, first - start), end - start)
    return loaded.length === end - first ? loaded : ((await paged?.fetchRows(first, end - first)) ?? [])
  }

  /** The index of the row that was clicked last. Undefined when the list no longer has that row. */
  function lastClickedIndex(): number | undefined {
    const last = lastClick.current
    const loadedIndex = rows.findIndex((row) => keyOf(row) === last?.key)
    if (loadedIndex >= 0) return loadedIndex + start
    return isFullyLoaded ? undefined : last?.index
  }

  const count = inverted ? total - exceptions.size : knownRows.length
  const fetchRows = async () => (await paged?.fetchRows(0, total))?.filter((row) => !exceptions.has(keyOf(row)))
  return {
    has,
    count,
    start,
    total,
    rows: knownRows,
    remote: inverted && paged ? { count, fetchRows } : undefined,
    async toggle(row, index, range) {
      const key = keyOf(row)
      const from = range ? lastClickedIndex() : undefined
      const isException = has(key) === inverted
      lastClick.current = { key, index }
      const next = new Map(exceptions)
      for (const toggled of from === undefined ? [row] : await rowsBetween(from, index)) {
        if (isException) next.set(keyOf(toggled), toggled)
        else next.delete(keyOf(toggled))
      }
      setState({ inverted, exceptions: next, queryKey })
    },
    toggleAll() {
      if (count >= total) setState(none)
      else setState(isFullyLoaded ? { ...none, exceptions: loadedByKey } : { ...none, inverted: true })
    },
    clear: () => setState(none)
  }
}
