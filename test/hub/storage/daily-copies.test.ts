import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { COPIES_KEPT, listCopies } from '../../../hub/storage/copies.ts'
import { startDailyCopies } from '../../../hub/storage/daily-copies.ts'
import { inspectDatabase } from '../../../hub/storage/inspect.ts'
import { runBackup } from '../../../hub/storage/run-backup.ts'
import { MIGRATIONS } from '../../../hub/store/migrations.ts'
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

test('a copy is made once a day, while the database is in use, and the last ones are kept', async () => {
  let now = Date.now()
  const copies = startDailyCopies(data, () => now, 0)
  await copies.check()
  await copies.check()
  const [first = '', ...others] = listCopies(data, 'daily')
  assert.deepEqual(others, [])
  assert.equal(inspectDatabase(first, 'integrity_check'), MIGRATIONS.length)
  assert.equal(statSync(first).mode & 0o777, 0o600)
  for (let day = 0; day < COPIES_KEPT.daily + 1; day++) {
    now += 86_400_001
    // Names have whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1010))
    await copies.check()
  }
  const kept = listCopies(data, 'daily')
  assert.equal(kept.length, COPIES_KEPT.daily)
  assert.ok(!kept.includes(first))
  copies.close()
})

test('no copy is made that would fill the disk', async () => {
  const copies = startDailyCopies(data, Date.now, Number.MAX_SAFE_INTEGER)
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
