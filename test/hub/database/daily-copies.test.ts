import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import { runBackup } from '../../../hub/data-backup/run-backup.ts'
import { addCopy, COPIES_KEPT, listCopies } from '../../../hub/database/copies.ts'
import { startDailyCopies } from '../../../hub/database/daily-copies.ts'
import { inspectDatabase } from '../../../hub/database/inspect.ts'
import { MIGRATIONS } from '../../../hub/database/migrations.ts'
import { openStore, type Store } from '../../../hub/store/store.ts'

const test = suite('daily copies')
let folder: string
let data: string
let store: Store
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'headend-daily-'))
  data = join(folder, 'data')
  store = openStore(data)
})
test.after.each(() => {
  store.close()
  rmSync(folder, { recursive: true })
})

const DAY = 86_400_000

/** Clocks that a test sets. */
function createClocks() {
  let [time, elapsed] = [Date.now(), 0]
  return {
    now: () => time,
    monotonic: () => elapsed,
    pass(duration: number) {
      time += duration
      elapsed += duration
    },
    set(step: number) {
      time += step
    }
  }
}

test('a copy is made once a day, while the database is in use, and the last ones are kept', async () => {
  const clocks = createClocks()
  const copies = startDailyCopies(data, clocks, 0)
  await copies.check()
  await copies.check()
  const [first = '', ...others] = listCopies(data, 'daily')
  assert.deepEqual(others, [])
  assert.equal(inspectDatabase(first, 'integrity_check'), MIGRATIONS.length)
  assert.equal(statSync(first).mode & 0o777, 0o600)
  for (let day = 0; day < COPIES_KEPT.daily + 1; day++) {
    clocks.pass(DAY + 1000)
    await copies.check()
  }
  const kept = listCopies(data, 'daily')
  assert.equal(kept.length, COPIES_KEPT.daily)
  assert.ok(!kept.includes(first))
  copies.close()
})

test('a clock that is set replaces no copies, and copies go on after it was set back', async () => {
  const clocks = createClocks()
  const copies = startDailyCopies(data, clocks, 0)
  for (let count = 0; count < 5; count++) {
    await copies.check()
    clocks.set(2 * DAY)
  }
  assert.equal(listCopies(data, 'daily').length, 1)
  clocks.set(-30 * DAY)
  clocks.pass(DAY + 1000)
  await copies.check()
  assert.equal(listCopies(data, 'daily').length, 2)
  copies.close()
})

test('the newest copy is the one that was made last, whatever time its name has', () => {
  mkdirSync(join(data, 'copies'))
  const names = [
    '20990101T000000Z-daily-v3-1.sqlite',
    '20990102T000000Z-daily-v3-2.sqlite',
    '20990101T000000Z-daily-v3.sqlite'
  ]
  for (const name of names) writeFileSync(join(data, 'copies', name), '')
  const connection = new DatabaseSync(':memory:')
  const made = addCopy(connection, data, 'daily', 3)
  connection.close()
  assert.deepEqual(listCopies(data, 'daily'), [
    made,
    ...[names[1], names[0]].map((name) => join(data, 'copies', String(name)))
  ])
})

test('no copy is made that would fill the disk', async () => {
  const copies = startDailyCopies(data, createClocks(), Number.MAX_SAFE_INTEGER)
  await copies.check()
  assert.deepEqual(listCopies(data), [])
  copies.close()
})

test('the hub makes a backup in a process of its own, and learns why there is none', async () => {
  const target = join(folder, 'backup.tar')
  assert.match(await runBackup(data, target), /^Backup: .*backup\.tar, 2 files/)
  assert.equal(statSync(target).mode & 0o777, 0o600)
  await assert.rejects(runBackup(data, join(data, 'inside.tar')), /is in the data folder/)
})

test.run()
