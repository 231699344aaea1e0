// Which rows of a table are chosen. Of a page of a longer list they are kept as it moves on; all of it can be chosen without having it.
import { useRef, useState } from 'react'
import type { Paged } from './virtual-list.ts'

export type Key = string | number

/** Chosen rows of which not all are here. */
export interface Whole<Row> {
  count: number
  /** Asks for them; undefined where they could not be had. */
  take: () => Promise<readonly Row[] | undefined>
}

export interface Selection<Row> {
  has(key: Key): boolean
  count: number
  /** Index of the first row that is here, and how many there are in all. */
  start: number
  total: number
  /** The chosen rows that are known, in the order of the rows. */
  rows: readonly Row[]
  /** There where more are chosen than are known. */
  whole?: Whole<Row>
  /** Chooses or leaves the row at an index; with `range` all rows from the last one that was clicked. */
  toggle(row: Row, index: number, range?: boolean): Promise<void>
  /** Chooses all rows, or none when all are chosen. */
  toggleAll(): void
  clear(): void
}

interface Chosen<Row> {
  /** All but `some`. */
  all: boolean
  some: ReadonlyMap<Key, Row>
  scope: string
}

/** A row that is gone is chosen no more: should it come back, it comes as a stranger. */
export function useSelection<Row>(rows: readonly Row[], keyOf: (row: Row) => Key, paged?: Paged<Row>): Selection<Row> {
  const scope = paged?.scope ?? ''
  const none: Chosen<Row> = { all: false, some: new Map(), scope }
  const [state, setState] = useState(none)
  const last = useRef<{ key: Key; index: number }>(undefined)
  // What is chosen by sight is left with it: nothing is done to rows that are no longer listed.
  const { all, some } = state.scope === scope ? state : none
  const start = paged?.start ?? 0
  const total = paged?.total ?? rows.length
  const isWhole = rows.length >= total
  const has = (key: Key) => some.has(key) !== all
  const here = rows.filter((row) => has(keyOf(row)))
  const present = new Map(rows.map((row) => [keyOf(row), row]))
  // Of a page it cannot be told whether what is not on it is gone.
  const known = all || isWhole ? here : [...some].map(([key, row]) => present.get(key) ?? row)
  if (isWhole && !all && known.length < some.size)
    setState({ ...none, some: new Map(known.map((row) => [keyOf(row), row])) })

  const choose = (next: ReadonlyMap<Key, Row>) => setState({ all, some: next, scope })
  async function between(from: number, to: number): Promise<readonly Row[]> {
    const [low, high] = [Math.min(from, to), Math.max(from, to) + 1]
    const held = rows.slice(Math.max(0, low - start), high - start)
    return held.length === high - low ? held : ((await paged?.take(low, high - low)) ?? [])
  }

  const count = all ? total - some.size : known.length
  return {
    has,
    count,
    start,
    total,
    rows: known,
    whole:
      all && paged
        ? { count, take: async () => (await paged.take(0, total))?.filter((row) => !some.has(keyOf(row))) }
        : undefined,
    async toggle(row, index, range) {
      const key = keyOf(row)
      const before = range ? last.current : undefined
      const held = rows.findIndex((one) => keyOf(one) === before?.key)
      const from = held >= 0 ? held + start : isWhole ? undefined : before?.index
      const turn = has(key) === all
      last.current = { key, index }
      const next = new Map(some)
      for (const one of from === undefined ? [row] : await between(from, index)) {
        if (turn) next.set(keyOf(one), one)
        else next.delete(keyOf(one))
      }
      choose(next)
    },
    toggleAll() {
      if (count >= total) return setState(none)
      setState(isWhole ? { ...none, some: present } : { ...none, all: true })
    },
    clear: () => setState(none)
  }
}
