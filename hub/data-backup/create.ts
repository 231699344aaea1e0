// Makes a backup of a data folder, also while a hub uses it: one archive with a consistent copy of the database and all
// other files. It runs in a process of its own, because closing a file in the hub's process could release the locks
// that the hub has on it.
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { type Pack, pack } from 'tar-stream'
import { syncPath } from '../../data-files/fsync.ts'
import { backedUpFiles, DATABASE_FILE } from '../data-folder/entries.ts'
import { copyDatabase, noteBackup } from '../database/copies.ts'
import { inspectDatabase } from '../database/inspect.ts'
import {
  BackupError,
  FORMAT,
  FORMAT_VERSION,
  hashing,
  MANIFEST_FILE,
  MANIFEST_MAX,
  type Manifest,
  type ManifestFile
} from './archive-format.ts'

const MODE = 0o600

/** What a backup contains. */
export interface BackupSummary {
  /** Absolute path of the archive. */
  path: string
  /** Number of files. */
  files: number
  /** Size of the archive in bytes. */
  size: number
}

/** Adds a file to the archive, as long as it is now. @returns undefined if it was removed in the meantime */
async function addFile(archive: Pack, source: string, path: string): Promise<ManifestFile | undefined> {
  const stat = statSync(source, { throwIfNoEntry: false })
  if (!stat) return undefined
  const entry = archive.entry({ name: path, size: stat.size, mode: MODE, mtime: stat.mtime })
  const { stream, hash } = hashing()
  // A file that grows is read up to its size of now; `end` is inclusive.
  if (stat.size === 0) entry.end()
  else await pipeline(createReadStream(source, { end: stat.size - 1 }), stream, entry)
  const file = { path, ...hash() }
  if (file.size !== stat.size) throw new BackupError(`${path} changed while it was read; try again`)
  return file
}

function addManifest(archive: Pack, schemaVersion: number, files: ManifestFile[]): void {
  const manifest: Manifest = {
    format: FORMAT,
    'format-version': FORMAT_VERSION,
    created: new Date().toISOString(),
    host: hostname(),
    'schema-version': schemaVersion,
    files
  }
  const text = `${JSON.stringify(manifest, undefined, 1)}\n`
  if (Buffer.byteLength(text) > MANIFEST_MAX) throw new BackupError('the data folder has too many files')
  archive.entry({ name: MANIFEST_FILE, mode: MODE }, text)
}

/** Writes all entries of the archive. */
async function addEntries(archive: Pack, data: string, database: string): Promise<number> {
  const schemaVersion = inspectDatabase(database, 'integrity_check')
  const files = [await addFile(archive, database, DATABASE_FILE)]
  for (const path of backedUpFiles(data)) files.push(await addFile(archive, join(data, path), path))
  const existing = files.filter((file) => file !== undefined)
  addManifest(archive, schemaVersion, existing)
  archive.finalize()
  return existing.length
}

/** Copies the database of a data folder to a new file. The hub may write at the same time. */
function copyOf(data: string, copy: string): void {
  const file = join(data, DATABASE_FILE)
  if (!existsSync(file)) throw new BackupError(`${data} has no database`)
  inspectDatabase(file)
  const connection = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    copyDatabase(connection, copy)
  } finally {
    connection.close()
  }
}

/**
 * Writes a backup of a data folder to one file, which is readable for its owner only: it contains the key of the stored
 * device logins. The file appears under its name when it is complete and on disk. An existing file is replaced.
 * @param target a path outside the data folder
 * @throws BackupError, DatabaseRefusedError if the database is damaged, or an error of the file system
 */
export async function backUp(data: string, target: string): Promise<BackupSummary> {
  const [folder, path] = [resolve(data), resolve(target)]
  if (!relative(folder, path).startsWith('..')) throw new BackupError(`${path} is in the data folder`)
  mkdirSync(dirname(path), { recursive: true })
  const [part, copy] = [`${path}.part`, `${path}.database`]
  for (const leftover of [part, copy]) rmSync(leftover, { force: true })
  try {
    copyOf(folder, copy)
    const archive = pack()
    const written = pipeline(archive, createWriteStream(part, { flags: 'wx', mode: MODE, flush: true }))
    const [files] = await Promise.all([
      addEntries(archive, folder, copy).catch((error: Error) => {
        archive.destroy(error)
        throw error
      }),
      written
    ])
    renameSync(part, path)
    syncPath(dirname(path))
    noteBackup(folder, path)
    return { path, files, size: statSync(path).size }
  } finally {
    for (const leftover of [part, copy]) rmSync(leftover, { force: true })
  }
}
