import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import { type Database, openDatabase } from '../../../hub/database/database.ts'
import { MIGRATIONS } from '../../../hub/database/migrations.ts'
import { until } from '../../kit/until.ts'

const test = suite('database')
let folder: string
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'headend-database-'))
})
test.after.each(() => rmSync(folder, { recursive: true }))

test('a new database is created with its folder, is readable for its owner only, and has the newest version', () => {
  const file = join(folder, 'deep/er/headend.sqlite')
  const database = openDatabase(file)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(join(folder, 'deep/er')).mode & 0o777, 0o700)
  assert.equal(database.get<{ user_version: number }>('PRAGMA user_version')?.user_version, MIGRATIONS.length)
  const pragma = (name: string) => Object.values(database.get<object>(`PRAGMA ${name}`) ?? {})[0]
  assert.deepEqual([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys')], ['wal', 2, 1])
  database.close()
})

test('each database in memory has the tables of a new file, enforces its references, and shares no rows', () => {
  const file = openDatabase(join(folder, 'headend.sqlite'))
  const [one, other] = [openDatabase(':memory:'), openDatabase(':memory:')]
  const describe = (database: Database) => [
    database.all('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name'),
    database.get('PRAGMA user_version'),
    database.get('PRAGMA foreign_keys'),
    database.all('SELECT * FROM catalog')
  ]
  const expected = describe(file)
  assert.deepEqual(describe(one), expected)
  one.run("INSERT INTO catalog (name, parent_id, created) VALUES ('x', 0, 0)")
  for (const database of [other, openDatabase(':memory:')]) {
    assert.deepEqual(describe(database), expected)
    database.close()
  }
  for (const database of [file, one]) database.close()
})

test('files of a killed hub that others can read are restricted to the owner, WAL files included', () => {
  const names = ['headend.sqlite', 'headend.sqlite-wal', 'headend.sqlite-shm']
  const files = names.map((name) => join(folder, name))
  openDatabase(files[0] as string).close()
  const killed = new DatabaseSync(files[0] as string)
  killed.exec('CREATE TABLE kept (secret TEXT)')
  for (const file of files) chmodSync(file, 0o644)
  const database = openDatabase(files[0] as string)
  assert.deepEqual(readdirSync(folder).sort(), names.sort())
  for (const file of files) assert.equal(statSync(file).mode & 0o777, 0o600, file)
  database.close()
  killed.close()
})

test('committed rows are present after the database is opened again', () => {
  const file = join(folder, 'headend.sqlite')
  const first = openDatabase(file)
  first.run("INSERT INTO setting (name, value) VALUES ('x', '1')")
  first.close()
  const second = openDatabase(file)
  assert.equal(second.get<{ value: string }>("SELECT value FROM setting WHERE name = 'x'")?.value, '1')
  second.close()
  assert.deepEqual(readdirSync(folder), ['headend.sqlite'], 'a closed database is one file')
})

test('the database of a newer hub is refused and not changed', () => {
  const file = join(folder, 'headend.sqlite')
  openDatabase(file).close()
  const newer = new DatabaseSync(file)
  newer.exec(`PRAGMA user_version=${MIGRATIONS.length + 1}`)
  newer.close()
  assert.throws(() => openDatabase(file), /newer hub: its version is \d+, this hub supports up to \d+/)
  const after = new DatabaseSync(file)
  assert.equal(after.prepare('PRAGMA user_version').get()?.user_version, MIGRATIONS.length + 1)
  after.close()
})

test('a file that is not a database is refused and not changed', () => {
  const file = join(folder, 'headend.sqlite')
  writeFileSync(file, 'x'.repeat(5000))
  assert.throws(() => openDatabase(file), /not a database/)
  assert.equal(statSync(file).size, 5000)
})

test('a transaction is committed as a whole or rolled back', () => {
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

const names = (database: Database) =>
  database.all<{ name: string }>('SELECT name FROM setting ORDER BY name').map(({ name }) => name)

/** The committed names, read through a second connection. */
function committed(file: string): string[] {
  const other = new DatabaseSync(file)
  const rows = other.prepare('SELECT name FROM setting ORDER BY name').all()
  other.close()
  return rows.map(({ name }) => String(name))
}

test('batched writes are visible at once, and committed together before the next transaction', async () => {
  const file = join(folder, 'headend.sqlite')
  const database = openDatabase(file)
  const add = (name: string) => database.run('INSERT INTO setting (name, value) VALUES (?, ?)', name, '1')
  assert.equal(
    database.runBatched(() => add('a').changes),
    1
  )
  database.runBatched(() => add('b'))
  assert.deepEqual([names(database), committed(file)], [['a', 'b'], []])
  database.transaction(() => add('c'))
  assert.deepEqual(committed(file), ['a', 'b', 'c'])
  database.runBatched(() => add('d'))
  add('e')
  assert.deepEqual(committed(file), ['a', 'b', 'c', 'd', 'e'], 'a single write commits the batch first')
  const synchronous = () => Object.values(database.get<object>('PRAGMA synchronous') ?? {})[0]
  assert.equal(synchronous(), 2, 'single writes are synced to disk')
  database.runBatched(() => add('f'))
  assert.equal(synchronous(), 1)
  await until(() => committed(file).includes('f'), 'the batch is committed by its timer')
  assert.equal(synchronous(), 2)
  database.runBatched(() => add('g'))
  database.close()
  assert.ok(committed(file).includes('g'), 'closing commits the batch')
})

test('a batched write that fails is rolled back as a whole, without the others of the batch', () => {
  const database = openDatabase(':memory:')
  const add = (name: string) => database.run('INSERT INTO setting (name, value) VALUES (?, ?)', name, '1')
  database.runBatched(() => add('a'))
  assert.throws(
    () =>
      database.runBatched(() => {
        add('b')
        add('a')
      }),
    /UNIQUE/
  )
  database.runBatched(() => add('c'))
  assert.throws(() =>
    database.transaction(() => {
      database.runBatched(() => add('d'))
      throw new Error('rolled back with the transaction')
    })
  )
  assert.deepEqual(names(database), ['a', 'c'])
  database.close()
})

test('listeners are called when a batch cannot be committed', () => {
  const database = openDatabase(':memory:')
  try {
    let lostBatches = 0
    database.onBatchLost(() => lostBatches++)
    database.runBatched(() => {
      // Violates a constraint which SQLite checks at the commit.
      database.run('PRAGMA defer_foreign_keys=ON')
      database.run("INSERT INTO input (id, name, protocol, url) VALUES (7, 'x', 1, '')")
    })
    database.transaction(() => database.run("INSERT INTO setting (name, value) VALUES ('y', '1')"))
    assert.deepEqual([lostBatches, names(database)], [1, ['y']])
    assert.deepEqual(Object.values(database.get<object>('PRAGMA synchronous') ?? {}), [2])
  } finally {
    database.close()
  }
})

test('watchers of a table receive the ID of each row that a statement changes, and a call without an ID after a rollback', () => {
  const database = openDatabase(':memory:')
  const changed: (number | undefined)[] = []
  database.watchTable('catalog', (id) => changed.push(id))
  const changesDuring = (work: () => void) => {
    changed.length = 0
    try {
      work()
    } catch {}
    return changed.splice(0)
  }
  const add = (name: string) => database.run('INSERT INTO catalog (name, parent_id, created) VALUES (?, 0, 0)', name).id
  const fail = () => {
    throw new Error('rolled back')
  }
  assert.deepEqual(
    changesDuring(() => ['a', 'b'].map(add)),
    [30_001, 30_002]
  )
  assert.deepEqual(
    changesDuring(() => database.run("UPDATE catalog SET name = name || '1' WHERE id > 0")),
    [30_001, 30_002]
  )
  assert.deepEqual(
    changesDuring(() => database.run('DELETE FROM catalog WHERE id = 30002')),
    [30_002]
  )
  for (const method of ['transaction', 'runBatched'] as const) {
    const after = changesDuring(() =>
      database[method](() => {
        database.run("UPDATE catalog SET name = 'x'")
        fail()
      })
    )
    assert.deepEqual(after, [30_001, undefined], method)
    assert.deepEqual(
      changesDuring(() => database[method](fail)),
      [],
      'without a write nothing is reported'
    )
  }
  database.close()
})

test('devices, inputs and outputs share one number space, and no number is reused', () => {
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
