// Replaces the contents of a data folder with a backup. Everything is unpacked and checked beside the current data
// first; then a plan is written, and renames carry it out. A restore that is interrupted before the plan has changed
// nothing; one that is interrupted after it is finished by the next restore or the next start of the hub.
import { closeSync, createReadStream, createWriteStream, existsSync, mkdirSync, openSync, readSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { type Entry, extract } from 'tar-stream'
import {
  DATABASE_FILE,
  databaseEntries,
  isLocal,
  replaceableEntries,
  requireDataOwner
} from '../data-folder/entries.ts'
import { lockDataFolder } from '../data-folder/lock.ts'
import { copyDatabase } from '../database/copies.ts'
import { inspectDatabase } from '../database/inspect.ts'
import {
  BackupError,
  hashing,
  MANIFEST_FILE,
  MANIFEST_MAX,
  type ManifestFile,
  parseManifest,
  requireInnerPath
} from './archive-format.ts'
import { DataReplacement, removeStaging } from './replacement.ts'
import { finishRestore } from './restore-plan.ts'

/** First bytes of every SQLite database. */
const SQLITE_MAGIC = 'SQLite format 3\0'

function isDatabase(file: string): boolean {
  const handle = openSync(file, 'r')
  try {
    const head = Buffer.alloc(SQLITE_MAGIC.length)
    readSync(handle, head, 0, head.length, 0)
    return head.toString('latin1') === SQLITE_MAGIC
  } finally {
    closeSync(handle)
  }
}

/** Unpacks a file of the archive. */
async function unpackFile(entry: Entry, staging: string): Promise<ManifestFile> {
  const { name, type } = entry.header
  if (type !== 'file') throw new BackupError(`it has an entry of type ${type}: ${name}`)
  requireInnerPath(name)
  if (isLocal(name.split('/')[0] ?? '')) throw new BackupError(`it has a file that is not part of backups: ${name}`)
  const target = join(staging, name)
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const { stream, hash } = hashing()
  await pipeline(entry, stream, createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }))
  return { path: name, ...hash() }
}

async function readManifestText(entry: Entry): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of entry) {
    size += chunk.length
    if (size > MANIFEST_MAX) throw new BackupError('its manifest is too large')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Unpacks an archive into a folder, and compares each file with the manifest. @throws BackupError */
async function unpack(source: string, staging: string): Promise<void> {
  const found = new Map<string, ManifestFile>()
  let manifest: ReturnType<typeof parseManifest> | undefined
  const archive = extract()
  const reading = pipeline(createReadStream(source), archive).catch((error: Error) => error)
  try {
    for await (const entry of archive) {
      if (manifest) throw new BackupError('it has a file after its manifest')
      // An archive that was unpacked and packed again has entries for folders.
      if (entry.header.type === 'directory') entry.resume()
      else if (entry.header.name === MANIFEST_FILE) manifest = parseManifest(await readManifestText(entry))
      else {
        const file = await unpackFile(entry, staging)
        found.set(file.path, file)
      }
    }
  } catch (error) {
    archive.destroy()
    await reading
    if (error instanceof BackupError || (error as NodeJS.ErrnoException).code?.startsWith('E')) throw error
    throw new BackupError(`it cannot be read (${(error as Error).message})`)
  }
  await reading
  if (!manifest) throw new BackupError('it is incomplete: it has no manifest')
  for (const { path, size, sha256 } of manifest.files) {
    const file = found.get(path)
    if (!file) throw new BackupError(`${path} is missing in it`)
    if (file.size !== size || file.sha256 !== sha256) throw new BackupError(`${path} is damaged in it`)
    found.delete(path)
  }
  const [extra] = found.keys()
  if (extra) throw new BackupError(`it has a file that its manifest does not list: ${extra}`)
  if (!manifest.files.some(({ path }) => path === DATABASE_FILE)) throw new BackupError('it has no database')
}

/** Copies a database file, with its WAL if it has one. */
function stageDatabase(source: string, staging: string): void {
  inspectDatabase(source)
  const connection = new DatabaseSync(source, { readOnly: true })
  try {
    copyDatabase(connection, join(staging, DATABASE_FILE))
  } finally {
    connection.close()
  }
}

/**
 * Checks the restored database, and ends its sessions and the codes of wall displays: those that ended after the backup
 * must not be valid again. Databases of older hubs have no such codes.
 */
function prepareDatabase(file: string): void {
  inspectDatabase(file, 'integrity_check')
  const connection = new DatabaseSync(file)
  connection.exec('PRAGMA journal_mode=DELETE; DELETE FROM session')
  if (connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'display_code'").get())
    connection.exec('DELETE FROM display_code')
  connection.close()
}

/**
 * Replaces the data with a backup, or the database alone with a copy of it (an SQLite file). Nothing is replaced unless
 * every check succeeds: the manifest, the hash of each file, the integrity of the database and its version.
 * @param uid ID of the user who runs this; undefined on a system without such IDs
 * @returns the folder with the replaced data; undefined if the data folder was new
 * @throws DataInUseError while a hub uses the folder, BackupError or DatabaseRefusedError if the backup cannot be used
 */
export async function restore(data: string, source: string, uid = process.getuid?.()): Promise<string | undefined> {
  const [folder, from] = [resolve(data), resolve(source)]
  requireDataOwner(folder, `make restore FROM=${from} DATA=${folder}`, uid)
  if (!existsSync(from)) throw new BackupError(`${from} does not exist`)
  const lock = lockDataFolder(folder, 'restore')
  try {
    finishRestore(folder)
    removeStaging(folder)
    const replacement = new DataReplacement(folder)
    const staging = replacement.folder
    const isDatabaseAlone = isDatabase(from)
    try {
      if (isDatabaseAlone) stageDatabase(from, staging)
      else await unpack(from, staging)
      prepareDatabase(join(staging, DATABASE_FILE))
    } catch (error) {
      replacement.discard()
      throw error
    }
    const old = isDatabaseAlone ? databaseEntries(folder) : replaceableEntries(folder)
    replacement.commit({ old, isDiscarded: false })
    return finishRestore(folder)
  } finally {
    lock.release()
  }
}
