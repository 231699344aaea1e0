// A table and tiles over a page of a longer list that somebody else keeps.
import assert from 'node:assert/strict'
import { useState } from 'react'
import { suite } from 'uvu'
import { setLanguage } from '../../../../src/text/language.ts'
import type { ChosenActions, OnDrag } from '../../../../src/ui/list-toolbar.tsx'
import { type Column, Table } from '../../../../src/ui/table/table.tsx'
import { Tiles } from '../../../../src/ui/table/tiles.tsx'
import type { Paged } from '../../../../src/ui/table/virtual-list.ts'
import { mount } from '../../../kit/mount.ts'
import { click, drawn, one, says, settled, words } from '../../../kit/page.ts'
import { until } from '../../../kit/until.ts'

const test = suite('paged')

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
/** Rows as the list has them: that of index 0 is number 1. */
const slice = (start: number, count: number): Row[] =>
  Array.from({ length: Math.min(count, TOTAL - start) }, (_, index) => ({ id: start + index + 1 }))

let seen: [first: number, end: number][] = []
let asked: [start: number, count: number][] = []
let chosen: readonly Row[] | undefined
let move: (start: number, total?: number) => void
let narrow: (scope: string) => void

test.before.each(() => {
  setLanguage('en')
  seen = []
  asked = []
  chosen = undefined
})

const actions: ChosenActions<Row> = (rows, _clear, whole) => (
  <button
    type="button"
    onClick={async () => {
      chosen = await (whole ? whole.take() : rows)
    }}
  >
    Take
  </button>
)

function usePaged() {
  const [page, setPage] = useState({ start: 0, total: TOTAL })
  const [scope, setScope] = useState('')
  move = (start, total = TOTAL) => setPage({ start, total })
  narrow = setScope
  const paged: Paged<Row> = {
    ...page,
    scope,
    onSight: (first, end) => void seen.push([first, end]),
    async take(start, count) {
      asked.push([start, count])
      return slice(start, count)
    }
  }
  return { paged, rows: slice(page.start, Math.min(COUNT, page.total - page.start)) }
}

function Sample({ onDrag }: { onDrag?: OnDrag<Row> }) {
  const { paged, rows } = usePaged()
  return (
    <Table
      list="paged"
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
    <Tiles label="Halls" rows={rows} paged={paged} keyOf={keyOf} nameOf={nameOf} tools="" actions={actions}>
      {(row) => <p>{nameOf(row)}</p>}
    </Tiles>
  )
}

const drawnRows = () => [...document.querySelectorAll<HTMLElement>('tr[data-row]')]
const coming = () => document.querySelectorAll('.coming').length
function scrollTo(top: number): void {
  const scroller = document.querySelector('.scroll') as HTMLElement
  scroller.scrollTop = top
  scroller.dispatchEvent(new Event('scroll'))
}
const box = (name: string) => one<HTMLInputElement>('checkbox', `Select ${name}`)
async function take(): Promise<number[]> {
  chosen = undefined
  await click(await one('button', 'Take'))
  await until(() => chosen !== undefined, 'what was taken')
  return (chosen as readonly Row[] | undefined)?.map(keyOf) ?? []
}
async function shiftClick(element: HTMLElement): Promise<void> {
  element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: true }))
  await drawn()
}

test('rows that are not here are drawn as coming, and it is told which are in sight', async () => {
  mount(<Sample />)
  await until(() => seen.length > 0, 'what is in sight')
  assert.equal(document.querySelector('table')?.getAttribute('aria-rowcount'), String(TOTAL + 1))
  assert.equal(coming(), 0)
  scrollTo(37 * 2500)
  await until(() => coming() > 0, 'rows that come')
  assert.equal(drawnRows().length, 0)
  const told = ([first, end]: [number, number]) => first <= 2500 && end > 2500 && end - first < 60
  await until(() => seen.some(told), 'what is in sight')
  move(2425)
  await until(() => coming() === 0, 'the rows')
  assert.ok(drawnRows().some((row) => row.getAttribute('aria-rowindex') === '2502' && words(row).includes('Hall 2501')))
})

test('where the list orders itself only what it can order by has a title to press', () => {
  mount(<Sample />)
  const titles = [...document.querySelectorAll('thead th')].filter((title) => title.querySelector('button'))
  assert.deepEqual(titles.map(words), ['Name'])
})

test('a choice is kept while the page moves on', async () => {
  mount(<Sample />)
  await click(await box('Hall 2'))
  scrollTo(37 * 2500)
  move(2425)
  await click(await box('Hall 2501'))
  await says('2 selected')
  assert.deepEqual(await take(), [2, 2501])
  assert.deepEqual(asked, [])
})

test('all can be chosen without being here, but for some, and are asked for when they are wanted', async () => {
  mount(<Sample />)
  await click(await one('checkbox', 'Select all'))
  await says('5000 selected')
  await click(await box('Hall 3'))
  await says('4999 selected')
  const all = await one<HTMLInputElement>('checkbox', 'Select all')
  assert.ok(!all.checked && all.indeterminate)
  assert.deepEqual(asked, [])
  const taken = await take()
  assert.deepEqual(asked, [[0, TOTAL]])
  assert.equal(taken.length, 4999)
  assert.ok(!taken.includes(3))
  await click(await one('button', 'Clear selection'))
  assert.ok(!(await box('Hall 2')).checked)
})

test('a range may begin on one page and end on another', async () => {
  mount(<Sample />)
  await click(await box('Hall 2'))
  scrollTo(37 * 300)
  move(225)
  await shiftClick(await box('Hall 303'))
  await says('302 selected')
  assert.deepEqual(asked, [[1, 302]])
  assert.deepEqual(await take(), slice(1, 302).map(keyOf))
})

test('another filter begins at the top, and with nothing chosen', async () => {
  mount(<Sample />)
  await click(await box('Hall 2'))
  scrollTo(37 * 1000)
  narrow('other')
  await until(() => document.querySelector('.scroll')?.scrollTop === 0, 'the beginning')
  scrollTo(0)
  await until(() => !words().includes('selected'), 'nothing is chosen')
  assert.ok(!(await box('Hall 2')).checked)
})

test('of a list that is here as a whole, what goes is chosen no more', async () => {
  mount(<Sample />)
  move(0, 3)
  await until(() => drawnRows().length === 3, 'three rows')
  await click(await one('checkbox', 'Select all'))
  await says('3 selected')
  move(0, 2)
  await says('2 selected')
  assert.deepEqual(await take(), [1, 2])
})

test('what is dragged is the row, or all that are chosen where it is one of them', async () => {
  const dragged: (readonly number[] | undefined)[] = []
  mount(<Sample onDrag={async (rows, whole) => void dragged.push((whole ? await whole.take() : rows)?.map(keyOf))} />)
  const grip = (index: number) => drawnRows()[index]?.querySelector<HTMLElement>('th')
  assert.equal(grip(0)?.getAttribute('draggable'), 'true')
  const drag = async (index: number) => {
    grip(index)?.dispatchEvent(new Event('dragstart', { bubbles: true }))
    await drawn()
  }
  await drag(4)
  await click(await box('Hall 2'))
  await click(await box('Hall 3'))
  await drag(2)
  await drag(6)
  grip(6)?.dispatchEvent(new Event('dragend', { bubbles: true }))
  await drawn()
  assert.deepEqual(dragged, [[5], [2, 3], [7], undefined])
})

test('tiles stand in lines, those out of sight are not drawn, and they are chosen like rows', async () => {
  mount(<SampleTiles />)
  const tiles = () => [...document.querySelectorAll<HTMLElement>('li.tile')]
  await until(() => tiles().length > 0 && tiles().length < 60, 'few tiles')
  assert.equal(tiles()[0]?.getAttribute('aria-setsize'), String(TOTAL))
  scrollTo(40_000)
  await until(() => coming() > 0, 'tiles that come')
  const last = () => seen.at(-1) ?? [0, 0]
  await until(() => last()[0] > COUNT, 'what is in sight')
  const [first, end] = last()
  assert.ok(end - first < 60)
  move(first)
  await until(() => coming() === 0, 'the tiles')
  assert.equal(tiles()[0]?.getAttribute('aria-posinset'), String(first + 1))
  await click(await box(`Hall ${first + 1}`))
  await shiftClick(await box(`Hall ${first + 4}`))
  await says('4 selected')
  assert.deepEqual(
    await take(),
    [1, 2, 3, 4].map((index) => first + index)
  )
  await settled()
})

test.run()
