import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import { type Database, openDatabase } from '../../../hub/store/database.ts'
import { MIGRATIONS } from '../../../hub/store/migrations.ts'
import { until } from '../../kit/until.ts'

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

test('what a hub that was killed left open to others is closed, journals included', () => {
  const names = ['headend.sqlite', 'headend.sqlite-wal', 'headend.sqlite-shm']
  const files = names.map((name) => join(folder, name))
  const killed = new DatabaseSync(files[0] as string)
  killed.exec('PRAGMA journal_mode=WAL; CREATE TABLE kept (secret TEXT)')
  for (const file of files) chmodSync(file, 0o644)
  const database = openDatabase(files[0] as string)
  assert.deepEqual(readdirSync(folder).sort(), names.sort())
  for (const file of files) assert.equal(statSync(file).mode & 0o777, 0o600, file)
  database.close()
  killed.close()
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

const names = (database: Database) =>
  database.all<{ name: string }>('SELECT name FROM setting ORDER BY name').map(({ name }) => name)

/** What another connection reads: what is kept. */
function kept(file: string): string[] {
  const other = new DatabaseSync(file)
  const rows = other.prepare('SELECT name FROM setting ORDER BY name').all()
  other.close()
  return rows.map(({ name }) => String(name))
}

test('what is written soon can be read at once, is kept together, and before the next transaction ends', async () => {
  const file = join(folder, 'headend.sqlite')
  const database = openDatabase(file)
  const add = (name: string) => database.run('INSERT INTO setting (name, value) VALUES (?, ?)', name, '1')
  assert.equal(
    database.soon(() => add('a').changes),
    1
  )
  database.soon(() => add('b'))
  assert.deepEqual([names(database), kept(file)], [['a', 'b'], []])
  database.transaction(() => add('c'))
  assert.deepEqual(kept(file), ['a', 'b', 'c'])
  database.soon(() => add('d'))
  add('e')
  assert.deepEqual(kept(file), ['a', 'b', 'c', 'd', 'e'], 'nor after a write of its own')
  const synchronous = () => Object.values(database.get<object>('PRAGMA synchronous') ?? {})[0]
  assert.equal(synchronous(), 2, 'what is waited for is on disk')
  database.soon(() => add('f'))
  assert.equal(synchronous(), 1)
  await until(() => kept(file).includes('f'), 'it is kept by itself')
  assert.equal(synchronous(), 2)
  database.soon(() => add('g'))
  database.close()
  assert.ok(kept(file).includes('g'), 'closing keeps it')
})

test('a piece of what is written soon is kept whole or not at all, and does not take others with it', () => {
  const database = openDatabase(':memory:')
  const add = (name: string) => database.run('INSERT INTO setting (name, value) VALUES (?, ?)', name, '1')
  database.soon(() => add('a'))
  assert.throws(
    () =>
      database.soon(() => {
        add('b')
        add('a')
      }),
    /UNIQUE/
  )
  database.soon(() => add('c'))
  assert.throws(() =>
    database.transaction(() => {
      database.soon(() => add('d'))
      throw new Error('inside a transaction it is part of it')
    })
  )
  assert.deepEqual(names(database), ['a', 'c'])
  database.close()
})

test('what was written soon and cannot be kept is told to be lost', () => {
  const database = openDatabase(':memory:')
  const errors = console.error
  const said: unknown[] = []
  console.error = (...words) => said.push(words)
  try {
    let lost = 0
    database.onLost(() => lost++)
    database.soon(() => {
      // What is checked only at the end of a transaction is not met.
      database.run('PRAGMA defer_foreign_keys=ON')
      database.run("INSERT INTO input (id, name, protocol, url) VALUES (7, 'x', 1, '')")
    })
    database.transaction(() => database.run("INSERT INTO setting (name, value) VALUES ('y', '1')"))
    assert.deepEqual([lost, said.length, names(database)], [1, 1, ['y']])
    assert.deepEqual(Object.values(database.get<object>('PRAGMA synchronous') ?? {}), [2])
  } finally {
    console.error = errors
    database.close()
  }
})

test('of a table that is followed each row is told that any statement touches, and that a write was taken back', () => {
  const database = openDatabase(':memory:')
  const touched: (number | undefined)[] = []
  database.follow('catalog', (id) => touched.push(id))
  const told = (work: () => void) => {
    touched.length = 0
    try {
      work()
    } catch {}
    return touched.splice(0)
  }
  const add = (name: string) => database.run('INSERT INTO catalog (name, parent_id, created) VALUES (?, 0, 0)', name).id
  const fail = () => {
    throw new Error('taken back')
  }
  assert.deepEqual(
    told(() => ['a', 'b'].map(add)),
    [30_001, 30_002]
  )
  assert.deepEqual(
    told(() => database.run("UPDATE catalog SET name = name || '1' WHERE id > 0")),
    [30_001, 30_002]
  )
  assert.deepEqual(
    told(() => database.run('DELETE FROM catalog WHERE id = 30002')),
    [30_002]
  )
  for (const how of ['transaction', 'soon'] as const) {
    const after = told(() =>
      database[how](() => {
        database.run("UPDATE catalog SET name = 'x'")
        fail()
      })
    )
    assert.deepEqual(after, [30_001, undefined], how)
    assert.deepEqual(
      told(() => database[how](fail)),
      [],
      'where none was written there is nothing to take back'
    )
  }
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
