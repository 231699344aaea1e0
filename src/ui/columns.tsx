// Which columns of a list are shown: what the list says, and over it what the user chose, kept in the browser per list.
import { type ReactNode, useState } from 'react'
import { CACHE_PREFIX } from '../../contract/limits.ts'
import { type Pair, t } from '../text/language.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { type Size, upTo, useSize } from './size.ts'
import * as TEXT from './text.ts'

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
  /** CSS width. */
  width?: string
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
  isShown: (column: Column<Row>) => boolean
  choose: (column: Column<Row>, show: boolean) => void
  reset: () => void
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
  const isShown = (column: Column<Row>) =>
    column === columns[0] || (choice[column.key] ?? !(column.hide && (column.hide === true || upTo(column.hide, size))))
  return {
    shown: columns.filter(isShown),
    isShown,
    choose: ({ key }, show) => keep({ ...choice, [key]: show }),
    reset: () => keep({})
  }
}

interface ColumnButtonProps<Row> {
  columns: readonly Column<Row>[]
  settings: ColumnSettings<Row>
}

/** Opens the dialog in which columns are chosen. What is chosen counts at once. */
export function ColumnButton<Row>({ columns, settings }: ColumnButtonProps<Row>) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button bare icon="columns" label={t(TEXT.columns)} onClick={() => setOpen(true)} />
      {open && (
        <Dialog
          title={t(TEXT.columns)}
          onClose={close}
          cancel={t(TEXT.close)}
          footer={<Button label={t(TEXT.standard)} onClick={settings.reset} />}
        >
          <div className="fields">
            {columns.slice(1).map((column) => (
              <div key={column.key} className="field check">
                <label>
                  <input
                    type="checkbox"
                    checked={settings.isShown(column)}
                    onChange={(event) => settings.choose(column, event.currentTarget.checked)}
                  />
                  {t(column.title)}
                </label>
              </div>
            ))}
          </div>
        </Dialog>
      )}
    </>
  )
}
