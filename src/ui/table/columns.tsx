// Which columns of a list are visible: the defaults of the list, overridden by the user's choice, which the browser
// stores per list.
import { type ReactNode, useState } from 'react'
import { CACHE_PREFIX } from '../../../contract/limits.ts'
import { type Translation, t } from '../../text/language.ts'
import type { MenuItem } from '../menu-button.tsx'
import { isAtMost, type ScreenSize, useScreenSize } from '../screen-size.ts'
import * as TEXT from '../text.ts'

export interface Column<Row> {
  key: string
  title: Translation
  /** The cell's text. Rows are sorted by it unless `sort` is set or the hub sorts them. */
  text?: (row: Row) => string
  /** Renders the cell, where it is more than a text. */
  cell?: (row: Row) => ReactNode
  /** The value to sort by; `true` where the hub sorts. */
  sort?: ((row: Row) => string | number) | true
  /** For numbers. */
  align?: 'end'
  /** Hidden by default: `true` always, a size on screens of this size and smaller. */
  hide?: true | ScreenSize
}

interface SmallScreenNoteProps {
  /** Shown on screens of this size and smaller. */
  size: ScreenSize
  children: ReactNode
}

/** Stands in a cell for a column that is hidden on small screens. */
export function SmallScreenNote({ size, children }: SmallScreenNoteProps) {
  return isAtMost(size, useScreenSize()) && <small className="muted note-below">{children}</small>
}

/** Column keys that the user has shown (true) or hidden (false). */
type ColumnChoice = Readonly<Record<string, boolean>>

function readChoice(storageKey: string): ColumnChoice {
  try {
    return JSON.parse(localStorage[storageKey]) ?? {}
  } catch {
    return {}
  }
}

interface ColumnSettings<Row> {
  visible: readonly Column<Row>[]
  /** Items of the menu in which columns are shown and hidden. */
  items: readonly MenuItem[]
}

/**
 * The visible columns of a list. The first column is always visible, because it names the row. @param settingsKey names
 * the list
 */
export function useColumns<Row>(settingsKey: string, columns: readonly Column<Row>[]): ColumnSettings<Row> {
  const screenSize = useScreenSize()
  const storageKey = `${CACHE_PREFIX}columns-${settingsKey}`
  const [choice, setChoice] = useState(() => readChoice(storageKey))
  const saveChoice = (next: ColumnChoice) => {
    setChoice(next)
    localStorage[storageKey] = JSON.stringify(next)
  }
  const isVisible = ({ key, hide }: Column<Row>) =>
    choice[key] ?? !(hide && (hide === true || isAtMost(hide, screenSize)))
  const [, ...optional] = columns
  return {
    visible: columns.filter((column, index) => index === 0 || isVisible(column)),
    items: [
      ...optional.map((column) => {
        const checked = isVisible(column)
        const onSelect = () => saveChoice({ ...choice, [column.key]: !checked })
        return { label: t(column.title), multiSelect: true, checked, onSelect }
      }),
      { label: t(TEXT.resetColumns), onSelect: () => saveChoice({}) }
    ]
  }
}
