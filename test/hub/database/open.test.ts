// Databases that a hub must not use, and must not replace with a fresh one.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import { DATABASE_FILE } from '../../../hub/data-folder/entries.ts'
import { EXIT_DATA_REFUSED } from '../../../hub/data-folder/exit-status.ts'
import { addCopy } from '../../../hub/database/copies.ts'
import { openDatabase } from '../../../hub/database/database.ts'
import { DatabaseRefusedError } from '../../../hub/database/inspect.ts'

const test = suite('refused databases')
let data: string
let file: string
test.before.each(() => {
  data = mkdtempSync(join(tmpdir(), 'headend-open-'))
  file = join(data, DATABASE_FILE)
})
test.after.each(() => rmSync(data, { recursive: true, force: true }))

/** A database with rows on many pages. */
function fill(): void {
  const database = openDatabase(file)
  database.transaction(() => {
    for (let n = 0; n < 2000; n++)
      database.run("INSERT INTO setting (name, value) VALUES (?, '1')", `a name that fills a page sooner or later ${n}`)
  })
  database.close()
}

/** Overwrites bytes in the middle of the file. */
function damage(): void {
  const bytes = readFileSync(file)
  bytes.fill(0xa5, bytes.length >> 1, (bytes.length >> 1) + 20_000)
  writeFileSync(file, bytes)
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

const FAULTS: [name: string, spoil: () => void, reason: RegExp][] = [
  ['an empty file', () => writeFileSync(file, ''), /is empty \(0 bytes\)/],
  ['a truncated file', () => truncateSync(file, 40_960), /is damaged|cannot be read/],
  ['a file truncated within its header', () => truncateSync(file, 60), /not a database|another program/],
  ['a damaged file', damage, /is damaged|cannot be read/],
  ['a file of another format', () => writeFileSync(file, 'x'.repeat(5000)), /not a database/],
  ['a database without tables', () => replace('VACUUM'), /another program/],
  ['a database of another program', () => replace('CREATE TABLE bookmark (url TEXT)'), /another program/],
  ['one with a version', () => replace('PRAGMA user_version=7; CREATE TABLE user (id)'), /another program/],
  ['one with another application ID', () => edit('PRAGMA application_id=1'), /another program/],
  ['one of a newer hub', () => edit('PRAGMA user_version=9999'), /newer hub: its version is 9999/]
]

function edit(sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

function replace(sql: string): void {
  rmSync(file)
  edit(sql)
}

for (const [name, spoil, reason] of FAULTS)
  test(`${name} is refused and not changed`, () => {
    fill()
    spoil()
    const before = hashOf(file)
    assert.throws(
      () => openDatabase(file),
      (error) => error instanceof DatabaseRefusedError && reason.test(error.message)
    )
    assert.equal(hashOf(file), before)
  })

test('the hub ends with a status of its own, and names the last good copy and the command that restores it', () => {
  fill()
  const connection = new DatabaseSync(file)
  const copy = addCopy(connection, data, 'daily', 11)
  connection.close()
  // A newer copy that is damaged itself is not offered.
  writeFileSync(join(data, 'copies', '20200101T000000Z-daily-v11-9.sqlite'), 'damaged')
  for (const spoil of [() => writeFileSync(file, ''), () => rmSync(file)]) {
    spoil()
    const { status, stderr, stdout } = spawnSync(process.execPath, ['hub/main.ts'], {
      env: { ...process.env, HOST: '127.0.0.1', PORT: '0', LINK_PORT: '0', DATA: data },
      encoding: 'utf8'
    })
    assert.equal(status, EXIT_DATA_REFUSED)
    assert.equal(stdout, '')
    assert.match(stderr, /is empty \(0 bytes\)|is missing, although the folder has other data of a hub/)
    assert.ok(
      stderr.includes(`Last good copy: ${copy}\nTo restore it: make restore FROM=${copy} DATA=${data}\n`),
      stderr
    )
  }
  assert.ok(!readdirSync(data).includes(DATABASE_FILE), 'no fresh database was made')
})

test('a missing database is refused if a hub left other data, and created in a new folder', () => {
  for (const name of ['device.key', `${DATABASE_FILE}-wal`]) {
    writeFileSync(join(data, name), 'x')
    assert.throws(() => openDatabase(file), new RegExp(`is missing, although .* \\(${name}\\)`))
    rmSync(join(data, name))
  }
  mkdirSync(join(data, 'firmware'))
  mkdirSync(join(data, 'fleet'))
  writeFileSync(join(data, 'fleet/state.json'), '{}')
  openDatabase(file).close()
  rmSync(file)
  writeFileSync(join(data, 'firmware', 'x'), '')
  assert.throws(() => openDatabase(file), /\(firmware\)/)
})

test('a first start that was interrupted is repeated', () => {
  writeFileSync(`${file}.part`, 'half a database')
  openDatabase(file).close()
  assert.deepEqual(readdirSync(data), [DATABASE_FILE])
})

test.run()
