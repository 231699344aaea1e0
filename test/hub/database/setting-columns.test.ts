import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import * as z from 'zod'
import type { SettingTable } from '../../../contract/setting.schema.ts'
import { migrate } from '../../../hub/database/open.ts'
import { addSettingColumns } from '../../../hub/database/setting-columns.ts'
import { readSettings, storedSettings, toColumns } from '../../../hub/store/stored-settings.ts'

const test = suite('columns of settings')

const TABLE = {
  'low-delay': { schema: z.boolean(), stored: ['low_delay', 'added'], default: false },
  note: { schema: z.string(), stored: ['note', 'added'] },
  slate: { schema: z.boolean(), stored: ['slate', 'bit'], default: false },
  one: { schema: z.number(), stored: ['shared', 'member'], default: 1 },
  two: { schema: z.number(), stored: ['shared', 'member'], default: 2 }
} as const satisfies SettingTable

test('a new setting gets a column once, and the version of the schema stays', () => {
  const connection = new DatabaseSync(':memory:')
  migrate(connection, 0)
  const version = () => connection.prepare('PRAGMA user_version').get()?.user_version
  const before = version()
  for (let time = 0; time < 2; time++) addSettingColumns(connection, { channel: { 'low-delay': TABLE['low-delay'] } })
  connection.exec("INSERT INTO channel (name, play_key, push_key) VALUES ('Hall', 'a', 'b')")
  assert.equal(connection.prepare('SELECT low_delay FROM channel').get()?.low_delay, '')
  assert.equal(version(), before)
  connection.close()
})

test('a column that is empty has the default, and a setting without one is absent', () => {
  const row = { low_delay: '', note: '', slate: 0, shared: '' }
  assert.deepEqual(readSettings(TABLE, row), { 'low-delay': false, slate: false, one: 1, two: 2 })
  assert.deepEqual(storedSettings(TABLE, row, JSON.parse), { slate: false })
})

test('a value is read as it was stored, and undefined removes it', () => {
  const columns = toColumns(TABLE, { 'low-delay': true, note: 'x', slate: true })
  assert.deepEqual(columns, { low_delay: 'true', note: '"x"', slate: 1 })
  assert.equal(readSettings(TABLE, columns)['low-delay'], true)
  assert.deepEqual(toColumns(TABLE, { note: undefined }), { note: '' })
})

test('settings that share a column keep each other', () => {
  assert.deepEqual(toColumns(TABLE, { one: 5 }, { shared: '{"two":7}' }), { shared: '{"one":5,"two":7}' })
  assert.deepEqual(toColumns(TABLE, { one: 5 }, { shared: '' }), { shared: '{"one":5,"two":2}' })
})

test.run()
