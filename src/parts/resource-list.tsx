// What all rooms have that list what is saved: the search, the way to one more, what can be done to one row and to the chosen ones, and
// what is said where there is none.
import type { ReactNode } from 'react'
import type { Who } from '../../contract/call.ts'
import type { Live, LiveStore } from '../state/live.ts'
import { setQuery, useQuery } from '../state/location.ts'
import { type Pair, t } from '../text/language.ts'
import { Empty, type EmptyProps } from '../ui/placeholder.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import type { Key } from '../ui/table/selection.ts'
import { Table, type TableProps } from '../ui/table/table.tsx'
import { Tiles } from '../ui/table/tiles.tsx'
import * as UI from '../ui/text.ts'
import { useStore } from '../ui/use-store.ts'
import { ActButton, type Action, Actions } from './actions.tsx'
import { useInstead } from './load-state.tsx'

const TEXT = {
  these: ['{0} items', '{0} 项'],
  noneFound: ['Nothing found', '未找到']
} as const satisfies Record<string, Pair>

/** Makes one more. */
export interface Adding {
  call: { who: Who }
  verb: Pair
  /** Why it cannot be done now, as a sentence. */
  barred?: string
  onAct: () => unknown
}

type Given = 'list' | 'columns' | 'sorting' | 'details'

interface RowsProps<Row> extends Pick<TableProps<Row>, Given> {
  of: LiveStore<Live & { items?: readonly Row[] }>
  /** Those of the store, where it is not a list. */
  rows?: readonly Row[]
  title: Pair
  /** By its `id` and `name`, if these say nothing else. */
  keyOf?: (row: Row) => Key
  nameOf?: (row: Row) => string
  /** The texts of a row that are searched; without it there is no search. */
  says?: (row: Row) => readonly (string | undefined)[]
  adding?: Adding
  /** What else stands above. */
  tools?: ReactNode
  /** Where there is none; not said where one is always there. */
  none?: EmptyProps
  /** What is done to one row, and what else in its menu. */
  acts: readonly Action<Row>[]
  more?: readonly Action<Row>[]
  /** What is done to the chosen rows; without it none can be chosen. */
  bar?: readonly Action<Row>[]
  /** Draws a row in its tile, in the place of a table. */
  tile?: false | ((row: Row, actions: ReactNode) => ReactNode)
}

export function Rows<Row extends object>({
  of,
  rows: given,
  title,
  keyOf = (row) => (row as { id: Key }).id,
  nameOf = (row) => (row as { name: string }).name,
  says,
  adding,
  tools,
  none,
  acts,
  more,
  bar,
  tile,
  ...table
}: RowsProps<Row>) {
  const { items = [] } = useStore(of)
  const all = given ?? items
  const key = useQuery().get('key') ?? ''
  const rows = says ? all.filter((row) => says(row).join('\n').toLowerCase().includes(key.toLowerCase())) : all
  const add = adding && <ActButton {...adding} kind="main" icon="plus" label={t(adding.verb)} />
  const rowActions = (row: Row) => <Actions actions={acts} more={more} rows={[row]} nameOf={nameOf} />
  const nothing = key || !none ? <Empty icon="search" title={t(TEXT.noneFound)} /> : <Empty {...none}>{add}</Empty>
  const frame = {
    label: t(title),
    rows,
    keyOf,
    nameOf,
    tools: (
      <>
        {add}
        {says && <SearchBox label={t(UI.search)} value={key} onSearch={(text) => setQuery({ key: text })} />}
        {tools}
      </>
    ),
    actions:
      bar &&
      ((chosen: readonly Row[], clear: () => void) => (
        <Actions actions={bar} rows={chosen} nameOf={nameOf} these={TEXT.these} onDone={clear} />
      )),
    instead: useInstead(of, rows.length === 0, nothing)
  }
  return tile ? (
    <Tiles {...frame}>{(row) => tile(row, rowActions(row))}</Tiles>
  ) : (
    <Table {...table} {...frame} rowActions={rowActions} />
  )
}
