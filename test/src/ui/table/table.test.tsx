import assert from 'node:assert/strict'
import { useState } from 'react'
import { suite } from 'uvu'
import { setLanguage } from '../../../../src/text/language.ts'
import { Button } from '../../../../src/ui/button.tsx'
import { MenuButton } from '../../../../src/ui/menu-button.tsx'
import { type Column, type Sorting, Table } from '../../../../src/ui/table/table.tsx'
import { mount } from '../../../kit/console/mount.ts'
import { until } from '../../../kit/until.ts'

const test = suite('table')

interface Row {
  id: number
  name: string
  rate: number
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'name', title: ['Name', '名称'], cell: (row) => row.name, sort: (row) => row.name },
  { key: 'rate', title: ['Rate', '码率'], cell: (row) => row.rate, sort: (row) => row.rate, align: 'end' },
  { key: 'id', title: ['Number', '编号'], cell: (row) => row.id, hide: true }
]

const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Hall ${index + 1}`, rate: (index * 37) % 11 }))

let selectedNames: string[] = []
let sortings: Sorting[] = []

test.before.each(() => {
  setLanguage('en')
  selectedNames = []
  sortings = []
})

interface SampleProps {
  rows: readonly Row[]
  served?: Sorting
}

function Sample({ rows, served }: SampleProps) {
  return (
    <Table
      settingsKey="sample"
      label="Halls"
      columns={COLUMNS}
      rows={rows}
      keyOf={(row) => row.id}
      nameOf={(row) => row.name}
      sorting={served ?? { key: 'name', order: 'ascending' }}
      paged={served && { start: 0, total: rows.length, queryKey: '', onVisibleRange() {}, fetchRows: async () => rows }}
      onSort={served && ((sorting) => void sortings.push(sorting))}
      actions={(some, clear) => (
        <Button
          label={`Delete ${some.length}`}
          onClick={() => {
            selectedNames = some.map((row) => row.name)
            clear()
          }}
        />
      )}
      details={(row) => <p>more of {row.name}</p>}
      rowActions={(row) => <Button iconOnly icon="edit" label={`Rename ${row.name}`} />}
    />
  )
}

function showTable(props: SampleProps) {
  const host = mount(<Sample {...props} />)
  const all = (selector: string) => [...host.querySelectorAll<HTMLElement>(selector)]
  return {
    host,
    all,
    names: () => all('tbody th').map((cell) => cell.textContent ?? ''),
    titles: () =>
      all('thead th')
        .map((cell) => cell.textContent ?? '')
        .filter((title) => title && title !== 'Actions'),
    box: (index: number) => all('tbody .tick input')[index] as HTMLInputElement,
    button: (text: string) =>
      all('button').find((element) => (element.getAttribute('aria-label') ?? element.textContent) === text)
  }
}

function click(element: HTMLElement | undefined, shiftKey = false): void {
  element?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }))
}

test('rows are sorted with numbers in names as numbers, and a click on a title reverses the order', async () => {
  const { names, button, all } = showTable({ rows: rowsOf(12).reverse() })
  assert.deepEqual(names().slice(0, 3), ['Hall 1', 'Hall 2', 'Hall 3'])
  click(button('Name'))
  await until(() => names()[0] === 'Hall 12', 'the reverse order')
  assert.deepEqual(
    all('thead th')
      .map((cell) => cell.getAttribute('aria-sort'))
      .filter(Boolean),
    ['descending', 'none']
  )
  click(button('Rate'))
  await until(
    () => names()[0] === 'Hall 12' || all('thead th')[3]?.getAttribute('aria-sort') === 'ascending',
    'by rate'
  )
  const rates = all('tbody td.end').map((cell) => Number(cell.textContent))
  assert.deepEqual(
    rates,
    rates.toSorted((a, b) => a - b)
  )
})

test('where the hub sorts, a click reports the sorting and leaves the rows as they are', async () => {
  const { names, button } = showTable({ rows: rowsOf(3).reverse(), served: { key: 'name', order: 'ascending' } })
  assert.deepEqual(names(), ['Hall 3', 'Hall 2', 'Hall 1'])
  click(button('Name'))
  assert.deepEqual(sortings, [{ key: 'name', order: 'descending' }])
})

test('rows are selected one by one, in a range with Shift, and all at once', async () => {
  const { box, button, host } = showTable({ rows: rowsOf(6) })
  const showsText = (text: string) =>
    until(() => host.querySelector('.tools')?.textContent?.startsWith(text) === true, text)
  click(box(1))
  await showsText('1 selected')
  click(box(4), true)
  await showsText('4 selected')
  click(button('Delete 4'))
  assert.deepEqual(selectedNames, ['Hall 2', 'Hall 3', 'Hall 4', 'Hall 5'])
  await until(() => host.querySelector('.chosen') === null, 'none chosen')
  click(host.querySelector('thead input') as HTMLElement)
  await showsText('6 selected')
  click(host.querySelector('thead input') as HTMLElement)
  await until(() => host.querySelector('.chosen') === null, 'none chosen')
})

test('a selected row that is removed is deselected', async () => {
  let change = (_: readonly Row[]) => {}
  function Changing() {
    const [rows, setRows] = useState<readonly Row[]>(rowsOf(3))
    change = setRows
    return <Sample rows={rows} />
  }
  const host = mount(<Changing />)
  click(host.querySelectorAll<HTMLElement>('tbody .tick input')[2])
  await until(() => host.querySelector('.chosen') !== null, 'one chosen')
  change(rowsOf(2))
  await until(() => host.querySelector('.chosen') === null, 'none chosen')
  change(rowsOf(3))
  await until(() => host.querySelectorAll('tbody tr').length === 3, 'three rows')
  assert.equal(host.querySelector('.chosen'), null)
})

test('columns are chosen in a menu that stays open, and the choice is stored per list', async () => {
  const { titles, button, host } = showTable({ rows: rowsOf(1) })
  assert.deepEqual(titles(), ['Name', 'Rate'])
  click(button('Columns'))
  await until(() => host.querySelector('[role=menu]') !== null, 'the menu')
  const boxes = host.querySelectorAll<HTMLElement>('[role=menuitemcheckbox]')
  assert.deepEqual(
    [...boxes].map((box) => box.getAttribute('aria-checked')),
    ['true', 'false']
  )
  click(boxes[1])
  await until(() => titles().length === 3, 'the third column')
  assert.deepEqual(JSON.parse(localStorage.getItem('headend-columns-sample') ?? ''), { id: true })
  assert.deepEqual(showTable({ rows: rowsOf(1) }).titles(), ['Name', 'Rate', 'Number'])
  click(button('Reset'))
  await until(() => titles().length === 2, 'as at first')
})

test('a stored choice that cannot be parsed is ignored', () => {
  localStorage.setItem('headend-columns-sample', '{oops')
  assert.deepEqual(showTable({ rows: rowsOf(1) }).titles(), ['Name', 'Rate'])
  localStorage.setItem('headend-columns-sample', 'null')
  assert.deepEqual(showTable({ rows: rowsOf(1) }).titles(), ['Name', 'Rate'])
})

test('details open below their row', async () => {
  const { button, host, all } = showTable({ rows: rowsOf(2) })
  click(button('Details: Hall 1'))
  await until(() => all('tbody tr')[1]?.textContent === 'more of Hall 1', 'the details')
  assert.equal(button('Details: Hall 1')?.getAttribute('aria-expanded'), 'true')
  click(button('Details: Hall 1'))
  await until(() => host.querySelector('.more') === null, 'no details')
})

test('arrow keys move the focus within a column, past open details', async () => {
  const { button, box, host } = showTable({ rows: rowsOf(3) })
  click(button('Details: Hall 1'))
  await until(() => host.querySelector('.more') !== null, 'the details')
  box(0).focus()
  const press = (key: string) =>
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  press('ArrowDown')
  assert.equal(document.activeElement, box(1))
  press('ArrowUp')
  assert.equal(document.activeElement, box(0))
  press('ArrowUp')
  assert.equal(document.activeElement, box(0))
})

test('in the menu of a row, arrow keys move within the menu', async () => {
  const none = () => {}
  const items = ['Edit', 'Delete'].map((label) => ({ label, onSelect: none }))
  const host = mount(
    <Table
      settingsKey="sample"
      label="Halls"
      columns={COLUMNS}
      rows={rowsOf(2)}
      keyOf={(row) => row.id}
      nameOf={(row) => row.name}
      rowActions={() => <MenuButton label="More" items={items} />}
    />
  )
  click(host.querySelector<HTMLElement>('.acts button') ?? undefined)
  await until(() => document.activeElement?.textContent === 'Edit', 'the menu')
  document.activeElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true })
  )
  assert.equal(document.activeElement?.textContent, 'Delete')
})

test('of many rows only the visible ones are rendered, and all are counted', async () => {
  const { all, host } = showTable({ rows: rowsOf(5000) })
  const renderedRows = () => all('tbody tr[data-row]')
  await until(() => renderedRows().length < 60, 'few rows')
  assert.equal(host.querySelector('table')?.getAttribute('aria-rowcount'), '5001')
  const scroller = host.querySelector('.scroll') as HTMLElement
  scroller.scrollTop = 37 * 2500
  scroller.dispatchEvent(new Event('scroll'))
  await until(() => renderedRows().some((row) => row.getAttribute('aria-rowindex') === '2502'), 'the row in the middle')
  assert.ok(renderedRows().length < 60)
  const { marginTop, marginBottom } = (host.querySelector('table') as HTMLElement).style
  const out = Number.parseFloat(marginTop) + Number.parseFloat(marginBottom)
  assert.equal(out + renderedRows().length * 37, 5000 * 37)
})

test('while details are open all rows are rendered, because details have any height', async () => {
  const { all, button } = showTable({ rows: rowsOf(150) })
  const renderedRows = () => all('tbody tr[data-row]').length
  await until(() => renderedRows() < 60, 'few rows')
  click(button('Details: Hall 1'))
  await until(() => renderedRows() === 150, 'all rows')
  click(button('Details: Hall 1'))
  await until(() => renderedRows() < 60, 'few rows again')
})

test.run()
