// The entries of a data folder. A backup contains all of them except those that are listed here, so a file that a later
// version of the hub adds is in the backup without being mentioned.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { TLS_FOLDER } from '../../tls/folder.ts'
import { LOCK_FILE, LOCK_HOLDER_FILE } from './lock.ts'

export const DATABASE_FILE = 'headend.sqlite'

/** Copies of the database. */
export const COPIES_FOLDER = 'copies'

/** Names the last backup that was made of the data folder. */
export const LAST_BACKUP_FILE = 'last-backup.json'

/** Occupies space of the disk until the disk is full. */
export const RESERVE_FILE = 'disk.reserve'

/** Plan of a restore that has begun. */
export const RESTORE_PLAN_FILE = 'restore.json'

/** Exports that the hub makes by schedule. */
export const BACKUPS_FOLDER = 'backups'

/**
 * Measured values of channels. Backups do not contain them, because they are a thousand times as large as the settings.
 * A restore moves the folder away, because the backup may have other channels with the same IDs.
 */
export const HISTORY_FOLDER = 'history'

/** Recordings of channels. A backup leaves them out, because they are as large as the disk. */
export const RECORDINGS_FOLDER = 'recordings'

/** What an upgrade of the whole hub keeps: the uploaded release, and copies of the database. */
export const UPGRADE_FOLDER = 'upgrade'

/** Prefix of the folder to which a restore moves what it replaces, and of the folder into which it unpacks. */
export const REPLACED_PREFIX = 'replaced-'
export const STAGING_PREFIX = 'restore-'

/**
 * Entries of the data folder that belong to this machine, to other processes (engine, demo fleet) or to its history. A
 * backup leaves them out, and a restore leaves them alone.
 */
const LOCAL = new Set([
  LOCK_FILE,
  LOCK_HOLDER_FILE,
  RESERVE_FILE,
  `${RESERVE_FILE}.part`,
  RESTORE_PLAN_FILE,
  `${RESTORE_PLAN_FILE}.part`,
  LAST_BACKUP_FILE,
  COPIES_FOLDER,
  // Certificates and private keys belong to this machine: a private key never leaves it, and a restore on the same
  // machine keeps them.
  TLS_FOLDER,
  BACKUPS_FOLDER,
  RECORDINGS_FOLDER,
  UPGRADE_FOLDER,
  'engine',
  'fleet',
  'lost+found'
])

/** Folders in which uploads and updates are assembled. */
const TEMPORARY = /^console\/(incoming|staging|former)(\/|$)|\.part$/

/** The database is copied by SQLite, and its WAL files are part of it. */
const DATABASE_FILES = [DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`, `${DATABASE_FILE}-journal`]

/** Whether an entry of the data folder is not part of backups. */
export const isLocal = (name: string) =>
  LOCAL.has(name) || name.startsWith(REPLACED_PREFIX) || name.startsWith(STAGING_PREFIX) || name.startsWith('.')

/** Entries of the data folder that a restore replaces. */
export function replaceableEntries(data: string): string[] {
  return readdirSync(data).filter((name) => !isLocal(name))
}

/** Entries that a restore of the database alone replaces. */
export function databaseEntries(data: string): string[] {
  return readdirSync(data).filter((name) => DATABASE_FILES.includes(name))
}

/** Paths of the regular files that a backup contains besides the database, relative to the data folder, sorted. */
export function backedUpFiles(data: string): string[] {
  const isElsewhere = (name: string) => DATABASE_FILES.includes(name) || name === HISTORY_FOLDER
  const names = replaceableEntries(data).filter((name) => !isElsewhere(name))
  const paths = readdirSync(data, { withFileTypes: true })
    .filter(({ name }) => names.includes(name))
    .flatMap((entry) => {
      if (entry.isFile()) return [entry.name]
      return entry.isDirectory() ? filesBelow(data, entry.name) : []
    })
  return paths.filter((path) => !TEMPORARY.test(path)).sort()
}

function filesBelow(data: string, folder: string): string[] {
  return readdirSync(join(data, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return filesBelow(data, path)
    return entry.isFile() ? [path] : []
  })
}

/**
 * Refuses to change the data folder of another user as root, because the hub of that user could not open files of root.
 * @param command the command, as the owner of the folder would run it
 * @param uid ID of the user who runs this; undefined on a system without such IDs
 * @throws Error with the command to run instead
 */
export function requireDataOwner(data: string, command: string, uid = process.getuid?.()): void {
  const owner = uid === 0 && existsSync(data) ? statSync(data).uid : 0
  if (owner === 0) return
  throw new Error(
    `the data folder ${data} belongs to the user with the ID ${owner}, who could not open files of root; run this as that user (sudo -u '#${owner}' ${command})`
  )
}
