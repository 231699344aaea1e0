// Tables and tiles of a list of which only one page is loaded.
import assert from 'node:assert/strict'
import { useState } from 'react'
import { suite } from 'uvu'
import { setLanguage } from '../../../../src/text/language.ts'
import type { BulkActions, OnDrag } from '../../../../src/ui/list-frame.tsx'
import { type Column, Table } from '../../../../src/ui/table/table.tsx'
import { Tiles } from '../../../../src/ui/table/tiles.tsx'
import type { PagedRows } from '../../../../src/ui/table/virtual-list.ts'
import { mount } from '../../../kit/console/mount.ts'
import {
  click,
  findByRole,
  visibleText,
  waitForEffects,
  waitForRender,
  waitForText
} from '../../../kit/console/page.ts'
import { until } from '../../../kit/until.ts'

const test = suite('paged list')

interface Row {
  id: number
}

const TOTAL = 5000
const COUNT = 150

const COLUMNS: readonly Column<Row>[] = [
  { key: 'name', title: ['Name', '名称'], text: (row) => nameOf(row), sort: true },
  { key: 'id', title: ['Number', '编号'], text: (row) => `no. ${row.id}` }
]
const nameOf = ({ id }: Row) => `Hall ${id}`
const keyOf = ({ id }: Row) => id
/** Rows of the list. The row of index 0 has number 1. */
const rowsFrom = (start: number, count: number): Row[] =>
  Array.from({ length: Math.min(count, TOTAL - start) }, (_, index) => ({ id: start + index + 1 }))

let visibleRanges: [first: number, end: number][] = []
let fetches: [start: number, count: number][] = []
let fetchedRows: readonly Row[] | undefined
let showPage: (start: number, total?: number) => void
let setFilter: (scope: string) => void

test.before.each(() => {
  setLanguage('en')
  visibleRanges = []
  fetches = []
  fetchedRows = undefined
})

const actions: BulkActions<Row> = (rows, _clear, whole) => (
  <button
    type="button"
    onClick={async () => {
      fetchedRows = await (whole ? whole.fetchRows() : rows)
    }}
  >
    Fetch
  </button>
)

function usePaged() {
  const [page, setPage] = useState({ start: 0, total: TOTAL })
  const [scope, setScope] = useState('')
  showPage = (start, total = TOTAL) => setPage({ start, total })
  setFilter = setScope
  const paged: PagedRows<Row> = {
    ...page,
    queryKey: scope,
    onVisibleRange: (first, end) => void visibleRanges.push([first, end]),
    async fetchRows(start, count) {
      fetches.push([start, count])
      return rowsFrom(start, count)
    }
  }
  return { paged, rows: rowsFrom(page.start, Math.min(COUNT, page.total - page.start)) }
}

function Sample({ onDrag }: { onDrag?: OnDrag<Row> }) {
  const { paged, rows } = usePaged()
  return (
    <Table
      settingsKey="paged"
      label="Halls"
      columns={COLUMNS}
      rows={rows}
      paged={paged}
      keyOf={keyOf}
      nameOf={nameOf}
      sorting={{ key: 'name', order: 'ascending' }}
      onSort={() => {}}
      actions={actions}
      onDrag={onDrag}
    />
  )
}

function SampleTiles() {
  const { paged, rows } = usePaged()
  return (
    <Tiles label="Halls" rows={rows} paged={paged} keyOf={keyOf} nameOf={nameOf} toolbar="" actions={actions}>
      {(row) => <p>{nameOf(row)}</p>}
    </Tiles>
  )
}

const renderedRows = () => [...document.querySelectorAll<HTMLElement>('tr[data-row]')]
const loadingCount = () => document.querySelectorAll('.coming').length
function scrollTo(top: number): void {
  const scroller = document.querySelector('.scroll') as HTMLElement
  scroller.scrollTop = top
  scroller.dispatchEvent(new Event('scroll'))
}
const checkboxOf = (name: string) => findByRole<HTMLInputElement>('checkbox', `Select ${name}`)
async function fetchSelected(): Promise<number[]> {
  fetchedRows = undefined
  await click(await findByRole('button', 'Fetch'))
  await until(() => fetchedRows !== undefined, 'the fetched rows')
  return (fetchedRows as readonly Row[] | undefined)?.map(keyOf) ?? []
}
async function shiftClick(element: HTMLElement): Promise<void> {
  element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: true }))
  await waitForRender()
}

test('rows that are not loaded are rendered as loading, and the visible range is reported', async () => {
  mount(<Sample />)
  await until(() => visibleRanges.length > 0, 'the visible range')
  assert.equal(document.querySelector('table')?.getAttribute('aria-rowcount'), String(TOTAL + 1))
  assert.equal(loadingCount(), 0)
  scrollTo(37 * 2500)
  await until(() => loadingCount() > 0, 'loading rows')
  assert.equal(renderedRows().length, 0)
  const isInMiddle = ([first, end]: [number, number]) => first <= 2500 && end > 2500 && end - first < 60
  await until(() => visibleRanges.some(isInMiddle), 'the visible range')
  showPage(2425)
  await until(() => loadingCount() === 0, 'the rows')
  assert.ok(
    renderedRows().some((row) => row.getAttribute('aria-rowindex') === '2502' && visibleText(row).includes('Hall 2501'))
  )
})

test('in a list that the hub sorts, only sortable columns have a button in their header', () => {
  mount(<Sample />)
  const titles = [...document.querySelectorAll('thead th')].filter((title) => title.querySelector('button'))
  assert.deepEqual(titles.map(visibleText), ['Name'])
})

test('the selection survives when another page is loaded', async () => {
  mount(<Sample />)
  await click(await checkboxOf('Hall 2'))
  scrollTo(37 * 2500)
  showPage(2425)
  await click(await checkboxOf('Hall 2501'))
  await waitForText('2 selected')
  assert.deepEqual(await fetchSelected(), [2, 2501])
  assert.deepEqual(fetches, [])
})

test('all rows but a few can be selected without being loaded, and are fetched on demand', async () => {
  mount(<Sample />)
  await click(await findByRole('checkbox', 'Select all'))
  await waitForText('5000 selected')
  await click(await checkboxOf('Hall 3'))
  await waitForText('4999 selected')
  const all = await findByRole<HTMLInputElement>('checkbox', 'Select all')
  assert.ok(!all.checked && all.indeterminate)
  assert.deepEqual(fetches, [])
  const selected = await fetchSelected()
  assert.deepEqual(fetches, [[0, TOTAL]])
  assert.equal(selected.length, 4999)
  assert.ok(!selected.includes(3))
  await click(await findByRole('button', 'Clear selection'))
  assert.ok(!(await checkboxOf('Hall 2')).checked)
})

test('a range can start on one page and end on another', async () => {
  mount(<Sample />)
  await click(await checkboxOf('Hall 2'))
  scrollTo(37 * 300)
  showPage(225)
  await shiftClick(await checkboxOf('Hall 303'))
  await waitForText('302 selected')
  assert.deepEqual(fetches, [[1, 302]])
  assert.deepEqual(await fetchSelected(), rowsFrom(1, 302).map(keyOf))
})

test('changing the filter scrolls to the top and clears the selection', async () => {
  mount(<Sample />)
  await click(await checkboxOf('Hall 2'))
  scrollTo(37 * 1000)
  setFilter('other')
  await until(() => document.querySelector('.scroll')?.scrollTop === 0, 'the list to scroll to the top')
  scrollTo(0)
  await until(() => !visibleText().includes('selected'), 'an empty selection')
  assert.ok(!(await checkboxOf('Hall 2')).checked)
})

test('in a completely loaded list, a removed row is deselected', async () => {
  mount(<Sample />)
  showPage(0, 3)
  await until(() => renderedRows().length === 3, 'three rows')
  await click(await findByRole('checkbox', 'Select all'))
  await waitForText('3 selected')
  showPage(0, 2)
  await waitForText('2 selected')
  assert.deepEqual(await fetchSelected(), [1, 2])
})

test('dragging a row drags it alone, or all selected rows if it is one of them', async () => {
  const dragged: (readonly number[] | undefined)[] = []
  mount(
    <Sample onDrag={async (rows, whole) => void dragged.push((whole ? await whole.fetchRows() : rows)?.map(keyOf))} />
  )
  const grip = (index: number) => renderedRows()[index]?.querySelector<HTMLElement>('th')
  assert.equal(grip(0)?.getAttribute('draggable'), 'true')
  const drag = async (index: number) => {
    grip(index)?.dispatchEvent(new Event('dragstart', { bubbles: true }))
    await waitForRender()
  }
  await drag(4)
  await click(await checkboxOf('Hall 2'))
  await click(await checkboxOf('Hall 3'))
  await drag(2)
  await drag(6)
  grip(6)?.dispatchEvent(new Event('dragend', { bubbles: true }))
  await waitForRender()
  assert.deepEqual(dragged, [[5], [2, 3], [7], undefined])
})

test('only visible tiles are rendered, and tiles are selected like rows', async () => {
  mount(<SampleTiles />)
  const tiles = () => [...document.querySelectorAll<HTMLElement>('li.tile')]
  await until(() => tiles().length > 0 && tiles().length < 60, 'few tiles')
  assert.equal(tiles()[0]?.getAttribute('aria-setsize'), String(TOTAL))
  scrollTo(40_000)
  await until(() => loadingCount() > 0, 'loading tiles')
  const last = () => visibleRanges.at(-1) ?? [0, 0]
  await until(() => last()[0] > COUNT, 'the visible range')
  const [first, end] = last()
  assert.ok(end - first < 60)
  showPage(first)
  await until(() => loadingCount() === 0, 'the tiles')
  assert.equal(tiles()[0]?.getAttribute('aria-posinset'), String(first + 1))
  await click(await checkboxOf(`Hall ${first + 1}`))
  await shiftClick(await checkboxOf(`Hall ${first + 4}`))
  await waitForText('4 selected')
  assert.deepEqual(
    await fetchSelected(),
    [1, 2, 3, 4].map((index) => first + index)
  )
  await waitForEffects()
})

test.run()
