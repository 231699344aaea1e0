import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import { openDatabase } from '../../../hub/store/database.ts'
import { MIGRATIONS } from '../../../hub/store/migrations.ts'

const test = suite('database')
let folder: string
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'headend-database-'))
})
test.after.each(() => rmSync(folder, { recursive: true }))

test('a new database is made with its folder, for nobody else to read, and has the newest version', () => {
  const file = join(folder, 'deep/er/headend.sqlite')
  const database = openDatabase(file)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(join(folder, 'deep/er')).mode & 0o777, 0o700)
  assert.equal(database.get<{ user_version: number }>('PRAGMA user_version')?.user_version, MIGRATIONS.length)
  const pragma = (name: string) => Object.values(database.get<object>(`PRAGMA ${name}`) ?? {})[0]
  assert.deepEqual([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys')], ['wal', 2, 1])
  database.close()
})

test('what was kept is there when it is opened again', () => {
  const file = join(folder, 'headend.sqlite')
  const first = openDatabase(file)
  first.run("INSERT INTO setting (name, value) VALUES ('x', '1')")
  first.close()
  const second = openDatabase(file)
  assert.equal(second.get<{ value: string }>("SELECT value FROM setting WHERE name = 'x'")?.value, '1')
  second.close()
  assert.deepEqual(readdirSync(folder), ['headend.sqlite'], 'a closed database is one file')
})

test('the database of a newer hub is refused, and left as it is', () => {
  const file = join(folder, 'headend.sqlite')
  openDatabase(file).close()
  const newer = new DatabaseSync(file)
  newer.exec(`PRAGMA user_version=${MIGRATIONS.length + 1}`)
  newer.close()
  assert.throws(() => openDatabase(file), /newer hub: it has version \d+, this hub knows \d+ at most/)
  const after = new DatabaseSync(file)
  assert.equal(after.prepare('PRAGMA user_version').get()?.user_version, MIGRATIONS.length + 1)
  after.close()
})

test('a file that is no database is refused, and left as it is', () => {
  const file = join(folder, 'headend.sqlite')
  writeFileSync(file, 'x'.repeat(5000))
  assert.throws(() => openDatabase(file), /not a database/)
  assert.equal(statSync(file).size, 5000)
})

test('a transaction is kept whole or not at all', () => {
  const database = openDatabase(':memory:')
  const add = (name: string) => database.run('INSERT INTO setting (name, value) VALUES (?, ?)', name, '1')
  assert.equal(
    database.transaction(() => {
      add('a')
      return 7
    }),
    7
  )
  assert.throws(
    () =>
      database.transaction(() => {
        add('b')
        throw new Error('oops')
      }),
    /oops/
  )
  assert.throws(
    () =>
      database.transaction(() => {
        add('c')
        add('a')
      }),
    /UNIQUE/
  )
  assert.deepEqual(
    database.all<{ name: string }>('SELECT name FROM setting').map(({ name }) => name),
    ['a']
  )
  database.transaction(() => add('d'))
  database.close()
})

test('devices, inputs and outputs share one number space, and no number is given twice', () => {
  const database = openDatabase(':memory:')
  const node = () => database.run('INSERT INTO node DEFAULT VALUES').id
  const first = node()
  assert.ok(first > 1000)
  database.run('DELETE FROM node')
  assert.equal(node(), first + 1)
  assert.throws(() => database.run("INSERT INTO input (id, name, protocol, url) VALUES (7, 'x', 1, '')"), /FOREIGN KEY/)
  database.close()
})

test.run()
