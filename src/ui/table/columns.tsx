// Which columns of a list are shown: what the list says, and over it what the user chose, kept in the browser per list.
import { type ReactNode, useState } from 'react'
import { CACHE_PREFIX } from '../../../contract/limits.ts'
import { type Pair, t } from '../../text/language.ts'
import type { MenuItem } from '../menu-button.tsx'
import { type Size, upTo, useSize } from '../size.ts'
import * as TEXT from '../text.ts'

export interface Column<Row> {
  key: string
  title: Pair
  /** What the cell says, where that is a text; unless the hub orders them the rows are ordered by it, if `sort` says nothing else. */
  text?: (row: Row) => string
  /** What is drawn, where it is more than a text. */
  cell?: (row: Row) => ReactNode
  /** What the rows are ordered by; `true` where the hub orders them. */
  sort?: ((row: Row) => string | number) | true
  /** For numbers. */
  align?: 'end'
  /** Hidden until chosen: always, or on screens of this size and smaller. */
  hide?: true | Size
}

type Choice = Readonly<Record<string, boolean>>

function kept(name: string): Choice {
  try {
    return JSON.parse(localStorage[name]) ?? {}
  } catch {
    return {}
  }
}

export interface ColumnSettings<Row> {
  shown: readonly Column<Row>[]
  /** For the menu in which columns are chosen. What is chosen counts at once. */
  items: readonly MenuItem[]
}

/** The columns of list `list` that are shown. The first is always there: it names the row. */
export function useColumns<Row>(list: string, columns: readonly Column<Row>[]): ColumnSettings<Row> {
  const size = useSize()
  const name = `${CACHE_PREFIX}columns-${list}`
  const [choice, setChoice] = useState(() => kept(name))
  const keep = (next: Choice) => {
    setChoice(next)
    localStorage[name] = JSON.stringify(next)
  }
  const [first, ...others] = columns.map((column) => {
    const { key, title, hide } = column
    const chosen = choice[key] ?? !(hide && (hide === true || upTo(hide, size)))
    const onSelect = () => keep({ ...choice, [key]: !chosen })
    return { column, chosen, item: { label: t(title), several: true, chosen, onSelect } }
  })
  return {
    shown: [first, ...others.filter(({ chosen }) => chosen)].flatMap((one) => one?.column ?? []),
    items: [...others.map(({ item }) => item), { label: t(TEXT.standard), onSelect: () => keep({}) }]
  }
}
