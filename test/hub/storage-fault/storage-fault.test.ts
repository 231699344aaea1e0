import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import { DATABASE_FILE } from '../../../hub/data-folder/entries.ts'
import { openDatabase } from '../../../hub/database/database.ts'
import { MIGRATIONS } from '../../../hub/database/migrations.ts'
import { reclaimSpace } from '../../../hub/storage-fault/free-pages.ts'
import { StorageFaultError, storageFaultOf } from '../../../hub/storage-fault/storage-fault.ts'

const test = suite('storage faults')

test('storage faults are recognized in errors of SQLite and of the file system', () => {
  const sqlite = (errcode: number) => storageFaultOf(Object.assign(new Error(), { errcode }))
  assert.deepEqual([13, 8, 1032, 10, 778, 14, 4874].map(sqlite), [
    'full',
    'read-only',
    'read-only',
    'failed',
    'failed',
    'failed',
    'full'
  ])
  assert.deepEqual([1, 5, 11, 19, 26].map(sqlite), Array(5).fill(undefined))
  const file = (code: string) => storageFaultOf(Object.assign(new Error(), { code }))
  assert.deepEqual(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'ENOENT'].map(file), [
    'full',
    'full',
    'read-only',
    'failed',
    undefined
  ])
  assert.equal(storageFaultOf(new StorageFaultError('read-only')), 'read-only')
  assert.deepEqual([storageFaultOf(undefined), storageFaultOf('text')], [undefined, undefined])
})

for (const kind of ['new', 'older'] as const)
  test(`a database of a ${kind} hub gives the space of deleted rows back to the file system`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'headend-space-'))
    try {
      const file = join(folder, DATABASE_FILE)
      if (kind === 'older') {
        const older = new DatabaseSync(file)
        for (const step of MIGRATIONS) older.exec(step)
        older.exec(`PRAGMA user_version=${MIGRATIONS.length}`)
        older.close()
      }
      const database = openDatabase(file)
      database.transaction(() => {
        const text = 'x'.repeat(1000)
        for (let n = 0; n < 5000; n++) database.run('INSERT INTO setting (name, value) VALUES (?, ?)', `${n}`, text)
      })
      database.run("DELETE FROM setting WHERE name <> '4999'")
      const connection = new DatabaseSync(file)
      reclaimSpace(connection, (error) => assert.fail(String(error)))
      connection.close()
      assert.ok(statSync(file).size < 500_000, `${statSync(file).size} bytes`)
      assert.equal(database.all('SELECT * FROM setting').length, 1)
      database.close()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

test.run()
