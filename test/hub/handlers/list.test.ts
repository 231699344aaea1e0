import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { pageSince } from '../../../hub/handlers/list.ts'
import { type Changes, createChanges } from '../../../hub/store/changes.ts'

const test = suite('list')

interface Row {
  id: number
  name: string
}

let changes: Changes
let rows: Row[]

test.before.each(() => {
  changes = createChanges(1000)
  rows = ['Alpha', 'Bravo', 'Charlie', 'Delta', 'Echo'].map((name, index) => ({ id: index + 1, name }))
})

const ask = (request: Parameters<typeof pageSince>[2]) =>
  pageSince(changes, 'device', request, rows, (row) => ({ ...row }))
const PAGE = { start: 1, count: 2 }

test('a page says which items it holds, a whole list does not need to', () => {
  const page = ask(PAGE)
  assert.deepEqual([page.total, page.list.map(({ id }) => id)], [5, [2, 3]])
  assert.match(page.mark ?? '', /^[\w-]{12}$/)
  assert.equal(ask({}).mark, undefined)
})

test('of a page with the same items only the changed ones are told', () => {
  const { rev, mark } = ask(PAGE)
  changes.bump('device', 5)
  assert.deepEqual(ask({ ...PAGE, since: rev, mark }).list, [], 'another one changed')
  changes.bump('device', 3)
  const next = ask({ ...PAGE, since: rev, mark })
  assert.deepEqual([next.partial, next.list, next.mark], [true, [{ id: 3, name: 'Charlie' }], mark])
})

test('a page into which another item came, or in another order, is told whole', () => {
  const { rev, mark } = ask(PAGE)
  changes.gone('device', 1)
  rows.shift()
  const moved = ask({ ...PAGE, since: rev, mark })
  assert.deepEqual([moved.partial, moved.list.map(({ id }) => id)], [undefined, [3, 4]])
  changes.bump('device', 3)
  rows.splice(1, 2, { id: 4, name: 'Delta' }, { id: 3, name: 'Zulu' })
  const turned = ask({ ...PAGE, since: moved.rev, mark: moved.mark })
  assert.deepEqual([turned.partial, turned.list.map(({ id }) => id)], [undefined, [4, 3]])
})

test('without a mark a page is told whole as soon as anything changed', () => {
  const { rev } = ask(PAGE)
  assert.deepEqual([ask({ ...PAGE, since: rev }).partial, ask({ ...PAGE, since: rev }).list], [true, []])
  changes.bump('device', 5)
  assert.equal(ask({ ...PAGE, since: rev }).list.length, 2)
})

test('a list that becomes longer than its page, and short again, is told whole both times', () => {
  const all = ask({ count: 5 })
  rows.push({ id: 6, name: 'Foxtrot' })
  changes.bump('device', 6)
  const page = ask({ count: 5, since: all.rev })
  assert.deepEqual([page.partial, page.list.length, page.total], [undefined, 5, 6])
  rows.pop()
  changes.gone('device', 6)
  const again = ask({ count: 5, since: page.rev, mark: page.mark })
  assert.deepEqual([again.partial, again.list.length, again.mark], [undefined, 5, undefined])
})

test('a revision that is too old to tell brings the whole page', () => {
  assert.equal(ask({ ...PAGE, since: 5, mark: ask(PAGE).mark }).partial, undefined)
})

test.run()
