// Power is lost at each step of an import: during its transaction, its commit, and the checkpoint after it.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { deleteUsers } from '../../../contract/access/user.ts'
import { listBackups, restoreBackup, runBackup } from '../../../contract/backup/backup.ts'
import { applyImport, compareImport } from '../../../contract/backup/export.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { setSettings } from '../../../contract/settings.ts'
import { addChannel, deleteChannels } from '../../../contract/stream/channel.ts'
import { addInput } from '../../../contract/stream/source.ts'
import { DATABASE_FILE } from '../../../hub/data-folder/entries.ts'
import { openDatabaseFile } from '../../../hub/database/open.ts'
import { TABLE_NAMES } from '../../../hub/export/tables.ts'
import { StorageGuard } from '../../../hub/storage-fault/guard.ts'
import { fillHub } from '../../kit/hub/backup/filled-hub.ts'
import { compare, sealedExport } from '../../kit/hub/backup/import-export.ts'
import { channelNames } from '../../kit/hub/backup-folder.ts'
import { type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'
import { startHubProcess } from '../../kit/hub/hub-process.ts'
import { until } from '../../kit/until.ts'

const test = suite('lost power')

const PASSPHRASE = 'a long passphrase'
/** Bytes before the first frame of a WAL, and before the page in each frame. */
const WAL_HEADER = 32
const FRAME_HEADER = 24

/** The data folder of the hub, and the folder that stands for the disk after the power is back. */
let data: string
let disk: string

test.before.each(() => {
  data = mkdtempSync(join(tmpdir(), 'headend-import-'))
  disk = mkdtempSync(join(tmpdir(), 'headend-disk-'))
})
test.after.each(() => {
  for (const folder of [data, disk]) rmSync(folder, { recursive: true, force: true })
})

/** The pages of a database and its WAL. */
interface Files {
  main: Buffer
  wal: Buffer
}

function readFiles(): Files {
  const file = join(data, DATABASE_FILE)
  return {
    main: readFileSync(file),
    wal: existsSync(`${file}-wal`) ? readFileSync(`${file}-wal`) : Buffer.alloc(0)
  }
}

/** Opens the database like a hub that starts. @returns everything that an import can change */
function contentsOf({ main, wal }: Files): string {
  const file = join(disk, DATABASE_FILE)
  rmSync(disk, { recursive: true })
  mkdirSync(disk)
  writeFileSync(file, main)
  if (wal.length > 0) writeFileSync(`${file}-wal`, wal)
  const connection = openDatabaseFile(file, new StorageGuard(undefined))
  try {
    return JSON.stringify(TABLE_NAMES.map((table) => connection.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()))
  } finally {
    connection.close()
  }
}

/** Where the power is lost during an import. */
interface Recording {
  before: Files
  /** Before each statement of the transaction. */
  statements: Files[]
  /** The commit has returned. */
  committed: Files
  /** The WAL is in the file of the database, and is empty. */
  checkpointed: Files
}

/** Imports into a hub, and records the files of its database. */
async function record(hub: TestHub, admin: Client, bytes: Buffer): Promise<Recording> {
  const { database } = hub.parts.store
  const { uploaded, difference } = await compare(admin, bytes, { passphrase: PASSPHRASE })
  assert.deepEqual(difference.parts.map(({ part }) => part).sort(), ['devices', 'settings', 'streams', 'users'])
  const checkpoint = () => {
    database.commitBatch()
    assert.equal(database.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')?.busy, 0)
    return readFiles()
  }
  const before = checkpoint()
  const statements: Files[] = []
  const run = database.run.bind(database)
  const transaction = database.transaction.bind(database)
  let isInTransaction = false
  database.run = (sql, ...values) => {
    if (isInTransaction) statements.push(readFiles())
    return run(sql, ...values)
  }
  database.transaction = (work) => {
    isInTransaction = true
    try {
      return transaction(work)
    } finally {
      isInTransaction = false
    }
  }
  const { result } = await admin.send(applyImport, { id: uploaded.id, digest: difference.digest })
  assert.equal(result, SUCCESS)
  Object.assign(database, { run, transaction })
  database.commitBatch()
  const committed = readFiles()
  return { before, statements, committed, checkpointed: checkpoint() }
}

/** Sizes of the WAL while it is written: each frame, and the middle of each. */
function walSizes({ main, wal }: Files): number[] {
  const frame = FRAME_HEADER + main.readUInt16BE(16)
  const count = (wal.length - WAL_HEADER) / frame
  assert.ok(Number.isInteger(count) && count > 10, `${count} frames`)
  return [0, WAL_HEADER / 2].concat(
    Array.from({ length: count * 2 }, (_, index) => WAL_HEADER + Math.floor((index * frame) / 2)),
    wal.length
  )
}

test('wherever the power fails during an import, all of the data afterwards is old, or all of it new', async () => {
  const hub = await startHub({ data })
  try {
    const admin = hub.clientAs()
    const { channel } = await fillHub(hub, admin)
    const bytes = await sealedExport(hub, PASSPHRASE)
    await admin.send(deleteChannels, { id: channel })
    await admin.send(deleteUsers, { id: hub.parts.store.users.byName('Vera')?.id as number })
    await admin.send(addInput, { name: 'Later', config: { type: 1, url: 'udp://239.9.9.9:5004' } })
    await admin.send(setSettings, { 'expired-time': 30 })
    const { before, statements, committed, checkpointed } = await record(hub, admin, bytes)
    const [old, fresh] = [contentsOf(before), contentsOf(committed)]
    assert.notEqual(old, fresh)
    const stateOf = (files: Files) => ({ [old]: 'o', [fresh]: 'n' })[contentsOf(files)] ?? '?'

    assert.match(statements.map(stateOf).join(''), /^o{20,}$/, 'during the transaction')

    const sizes = walSizes(committed)
    const commits = sizes.map((size) => stateOf({ main: before.main, wal: committed.wal.subarray(0, size) }))
    assert.match(commits.join(''), /^o{20,}n+$/, 'during the commit')

    // Until the WAL is synced, its frames can reach the disk in any order.
    const frames = sizes.slice(2, -1).filter((_, index) => index % 2 === 0)
    const missing = frames.map((start) => {
      const wal = Buffer.from(committed.wal)
      wal.fill(0, start, start + FRAME_HEADER)
      return stateOf({ main: before.main, wal })
    })
    assert.match(missing.join(''), /^o{10,}n*$/, 'with a frame that is missing')

    const page = before.main.readUInt16BE(16)
    const pages = Array.from({ length: checkpointed.main.length / page + 1 }, (_, index) => index * page)
    const partial = pages.map((size) =>
      stateOf({
        main: Buffer.concat([checkpointed.main.subarray(0, size), before.main.subarray(size)]),
        wal: committed.wal
      })
    )
    assert.match(partial.join(''), /^n{20,}$/, 'during the checkpoint')
    assert.equal(stateOf(checkpointed), 'n')
  } finally {
    await hub.close()
  }
})

test('a hub that is killed when it has answered an import starts with the new data', async () => {
  let hub = await startHubProcess(data)
  try {
    await hub.send(addChannel, { name: 'Kept' })
    await hub.send(runBackup, {})
    await until(async () => {
      const { list, running } = await hub.send(listBackups, {})
      return list.length === 1 && !running
    }, 'the backup is made')
    const [{ name = '' } = {}] = (await hub.send(listBackups, {})).list
    await hub.send(addChannel, { name: 'Later' })
    const { id } = await hub.send(restoreBackup, { name })
    const { digest, channels } = await hub.send(compareImport, { id })
    assert.deepEqual(channels, [])
    // A comparison alone changes nothing.
    await hub.kill()
    hub = await startHubProcess(data)
    assert.deepEqual((await channelNames(hub)).sort(), ['Kept', 'Later'])
    const again = await hub.send(restoreBackup, { name })
    assert.equal((await hub.send(compareImport, { id: again.id })).digest, digest)
    assert.equal((await hub.send(applyImport, { id: again.id, digest })).result, SUCCESS)
    await hub.kill()
    hub = await startHubProcess(data)
    assert.deepEqual(await channelNames(hub), ['Kept'])
  } finally {
    await hub.kill()
  }
})

test.run()
