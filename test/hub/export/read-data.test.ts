// Limits of the data of an export.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { MIGRATIONS } from '../../../hub/database/migrations.ts'
import { ExportError } from '../../../hub/export/archive.ts'
import { ROWS_MAX, readData } from '../../../hub/export/read-data.ts'

const test = suite('data of an export')

const readGroups = (count: number) => {
  const catalog = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Group ${index}`,
    parent_id: 0,
    created: 0
  }))
  return readData(JSON.stringify({ tables: { catalog }, withheld: {} }), MIGRATIONS.length).tables.catalog.length
}

test('a table with 20000 rows is read, one with more is refused', () => {
  assert.equal(ROWS_MAX, 20_000)
  assert.equal(readGroups(ROWS_MAX), ROWS_MAX)
  assert.throws(() => readGroups(ROWS_MAX + 1), ExportError)
})

test('data that is no list of tables is refused with the name of its file', () => {
  for (const text of ['[]', 'null', '{"tables":null,"withheld":{}}', '{"tables":{}}'])
    assert.throws(
      () => readData(text, MIGRATIONS.length),
      (error) => error instanceof ExportError && error.of === 'data.json',
      text
    )
})

test.run()
