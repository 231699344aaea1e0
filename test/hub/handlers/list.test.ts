import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { paginateSince } from '../../../hub/handlers/list.ts'
import { Changes } from '../../../hub/store/changes.ts'

const test = suite('list')

interface Row {
  id: number
  name: string
}

let changes: Changes
let rows: Row[]

test.before.each(() => {
  changes = new Changes(1000)
  rows = ['Alpha', 'Bravo', 'Charlie', 'Delta', 'Echo'].map((name, index) => ({ id: index + 1, name }))
})

const getPage = (request: Parameters<typeof paginateSince>[2]) =>
  paginateSince(changes, 'device', request, rows, (row) => ({ ...row }))
const PAGE = { start: 1, count: 2 }

test('a page has a mark of its items, a whole list does not', () => {
  const page = getPage(PAGE)
  assert.deepEqual([page.total, page.list.map(({ id }) => id)], [5, [2, 3]])
  assert.match(page.mark ?? '', /^[\w-]{12}$/)
  assert.equal(getPage({}).mark, undefined)
})

test('a delta of a page with the same items has only the changed ones', () => {
  const { rev, mark } = getPage(PAGE)
  changes.markChanged('device', 5)
  assert.deepEqual(getPage({ ...PAGE, since: rev, mark }).list, [], 'another row has changed')
  changes.markChanged('device', 3)
  const next = getPage({ ...PAGE, since: rev, mark })
  assert.deepEqual([next.partial, next.list, next.mark], [true, [{ id: 3, name: 'Charlie' }], mark])
})

test('a page with another item or another order is returned whole', () => {
  const { rev, mark } = getPage(PAGE)
  changes.markRemoved('device', 1)
  rows.shift()
  const movedPage = getPage({ ...PAGE, since: rev, mark })
  assert.deepEqual([movedPage.partial, movedPage.list.map(({ id }) => id)], [undefined, [3, 4]])
  changes.markChanged('device', 3)
  rows.splice(1, 2, { id: 4, name: 'Delta' }, { id: 3, name: 'Zulu' })
  const reordered = getPage({ ...PAGE, since: movedPage.rev, mark: movedPage.mark })
  assert.deepEqual([reordered.partial, reordered.list.map(({ id }) => id)], [undefined, [4, 3]])
})

test('without a mark a page is returned whole as soon as anything has changed', () => {
  const { rev } = getPage(PAGE)
  assert.deepEqual([getPage({ ...PAGE, since: rev }).partial, getPage({ ...PAGE, since: rev }).list], [true, []])
  changes.markChanged('device', 5)
  assert.equal(getPage({ ...PAGE, since: rev }).list.length, 2)
})

test('a list that outgrows its page, or fits it again, is returned whole', () => {
  const all = getPage({ count: 5 })
  rows.push({ id: 6, name: 'Foxtrot' })
  changes.markChanged('device', 6)
  const page = getPage({ count: 5, since: all.rev })
  assert.deepEqual([page.partial, page.list.length, page.total], [undefined, 5, 6])
  rows.pop()
  changes.markRemoved('device', 6)
  const nextPage = getPage({ count: 5, since: page.rev, mark: page.mark })
  assert.deepEqual([nextPage.partial, nextPage.list.length, nextPage.mark], [undefined, 5, undefined])
})

test('for a revision that is too old the whole page is returned', () => {
  assert.equal(getPage({ ...PAGE, since: 5, mark: getPage(PAGE).mark }).partial, undefined)
})

test.run()
