// Which rows of a table are chosen.
import { useMemo, useRef, useState } from 'react'

export type Key = string | number

export interface Selection<Row> {
  has(key: Key): boolean
  /** The chosen rows that are there, in the order of the rows. */
  rows: readonly Row[]
  /** Chooses or leaves a row; with `range` all rows from the last one that was clicked. */
  toggle(key: Key, range?: boolean): void
  /** Chooses all rows, or none when all are chosen. */
  toggleAll(): void
  clear(): void
}

/** A row that is gone is chosen no more: should it come back, it comes as a stranger. */
export function useSelection<Row>(rows: readonly Row[], keyOf: (row: Row) => Key): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlySet<Key>>(new Set())
  const last = useRef<Key>(undefined)
  const present = useMemo(() => rows.filter((row) => chosen.has(keyOf(row))), [rows, chosen])
  if (present.length < chosen.size) setChosen(new Set(present.map(keyOf)))
  return {
    has: (key) => chosen.has(key),
    rows: present,
    toggle(key, range) {
      const keys = rows.map(keyOf)
      const to = keys.indexOf(key)
      const from = range && last.current !== undefined ? keys.indexOf(last.current) : to
      const next = new Set(chosen)
      const turn = chosen.has(key) ? 'delete' : 'add'
      for (const one of from < 0 ? [key] : keys.slice(Math.min(from, to), Math.max(from, to) + 1)) next[turn](one)
      last.current = key
      setChosen(next)
    },
    toggleAll: () => setChosen(new Set(present.length < rows.length ? rows.map(keyOf) : [])),
    clear: () => setChosen(new Set())
  }
}
