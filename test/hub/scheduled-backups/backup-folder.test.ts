// The folder of the backups.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { BACKUPS_FOLDER } from '../../../hub/data-folder/entries.ts'
import { BackupFolder } from '../../../hub/scheduled-backups/backup-folder.ts'

const test = suite('backup folder')

let data: string
let folder: string
test.before.each(() => {
  data = mkdtempSync(join(tmpdir(), 'headend-backup-folder-'))
  folder = join(data, BACKUPS_FOLDER)
  mkdirSync(folder)
})
test.after.each(() => rmSync(data, { recursive: true, force: true }))

test('a backup that cannot be stored leaves no incomplete file', () => {
  // A file cannot take the name of a folder.
  mkdirSync(join(folder, 'hub-1.tar'))
  assert.throws(() => new BackupFolder(data).write('hub.tar', Buffer.from('export')))
  assert.deepEqual(readdirSync(folder), ['hub-1.tar'])
})

test('incomplete backups of a hub that was killed are removed by the next backup', () => {
  writeFileSync(join(folder, 'headend-hub-7.tar.part'), 'half')
  const name = new BackupFolder(data).write('headend-hub.tar', Buffer.from('export'))
  assert.deepEqual(readdirSync(folder), [name])
})

test.run()
