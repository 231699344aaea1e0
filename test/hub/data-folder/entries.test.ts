import assert from 'node:assert/strict'
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  backedUpFiles,
  HISTORY_FOLDER,
  replaceableEntries,
  requireDataOwner
} from '../../../hub/data-folder/entries.ts'
import { suite } from '../../kit/runner/suite.ts'

const test = suite('data-folder')

test('root cannot change the data folder of another user, and the error contains the command for that user', () => {
  const data = mkdtempSync(join(tmpdir(), 'owner-'))
  try {
    if (process.getuid?.() === 0) chownSync(data, 65534, 65534)
    const { uid } = statSync(data)
    assert.throws(() => requireDataOwner(data, 'make it', 0), { message: new RegExp(`sudo -u '#${uid}' make it\\)$`) })
    requireDataOwner(data, 'make it', uid)
    requireDataOwner(join(data, 'missing'), 'make it', 0)
  } finally {
    rmSync(data, { recursive: true })
  }
})

test('a backup has no history of channels, and a restore replaces it', () => {
  const data = mkdtempSync(join(tmpdir(), 'history-'))
  try {
    mkdirSync(join(data, HISTORY_FOLDER))
    for (const name of [join(HISTORY_FOLDER, '1.rings'), 'device.key']) writeFileSync(join(data, name), '')
    assert.deepEqual(backedUpFiles(data), ['device.key'])
    assert.deepEqual(replaceableEntries(data).sort(), ['device.key', HISTORY_FOLDER])
  } finally {
    rmSync(data, { recursive: true })
  }
})

test.run()
