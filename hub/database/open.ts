// Opens the database of a data folder: creates it if the folder is new, refuses one that is damaged, missing or
// foreign, and migrates an older one after copying it.
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { syncPath } from '../../data-files/fsync.ts'
import { COPIES_FOLDER, DATABASE_FILE } from '../data-folder/entries.ts'
import type { StorageGuard } from '../storage-fault/guard.ts'
import { addCopy, findGoodCopy } from './copies.ts'
import { APPLICATION_ID, DatabaseRefusedError, inspectDatabase } from './inspect.ts'
import { MIGRATIONS } from './migrations.ts'
import { addSettingColumns } from './setting-columns.ts'

/** What a hub with a database leaves in its data folder. A folder with one of these had a database. */
const TRACES = [`${DATABASE_FILE}-wal`, 'device.key', 'firmware', 'console', COPIES_FOLDER]

const PRAGMAS = `PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000; PRAGMA temp_store=MEMORY`

/**
 * Runs the steps that a database of `version` lacks, each in a transaction of its own, and adds the columns of
 * settings.
 * @param until version to reach; the newest by default
 */
export function migrate(connection: DatabaseSync, version: number, until = MIGRATIONS.length): void {
  for (const [index, step] of MIGRATIONS.slice(version, until).entries())
    connection.exec(`BEGIN IMMEDIATE; ${step}; PRAGMA user_version=${version + index + 1}; COMMIT`)
  addSettingColumns(connection)
}

/** Creates a database under its name only when it is complete and on disk: an incomplete one would later be refused. */
function createDatabase(file: string): void {
  const part = `${file}.part`
  rmSync(part, { force: true })
  const connection = new DatabaseSync(part)
  try {
    // Nothing has to be on disk before the whole is.
    connection.exec('PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY')
    connection.exec(`PRAGMA auto_vacuum=INCREMENTAL; PRAGMA application_id=${APPLICATION_ID}`)
    migrate(connection, 0)
  } finally {
    connection.close()
  }
  chmodSync(part, 0o600)
  syncPath(part)
  renameSync(part, file)
  syncPath(dirname(file))
}

/** Whether a data folder has files which only a hub with a database creates. */
function tracesIn(data: string): string[] {
  return TRACES.filter((name) => {
    const path = join(data, name)
    return existsSync(path) && (name.includes('.') || readdirSync(path).length > 0)
  })
}

/** The refusal as it is shown to the operator, with the last good copy and the command that restores it. */
function refusal(file: string, reason: string, ...advice: string[]): DatabaseRefusedError {
  const data = dirname(file)
  const copy = findGoodCopy(data)
  const found = copy ? `Last good copy: ${copy}` : `There is no good copy in ${join(data, COPIES_FOLDER)}.`
  const command = `To restore ${copy ? 'it' : 'a backup'}: make restore FROM=${copy ?? 'file'} DATA=${data}`
  return new DatabaseRefusedError(`the database ${file} ${reason}; nothing was changed`, [found, command, ...advice])
}

/**
 * @throws DatabaseRefusedError if the database is not usable, or missing although the folder had one. @returns its
 * version
 */
function inspectOrCreate(file: string): number {
  if (!existsSync(file)) {
    const traces = tracesIn(dirname(file))
    if (traces.length > 0)
      throw refusal(
        file,
        `is missing, although the folder has other data of a hub (${traces.join(', ')})`,
        'To start with an empty database: choose another folder with DATA.'
      )
    createDatabase(file)
  }
  try {
    return inspectDatabase(file)
  } catch (error) {
    throw error instanceof DatabaseRefusedError ? refusal(file, error.message) : error
  }
}

/** Copies and migrates an older database. */
function update(connection: DatabaseSync, file: string, version: number): void {
  if (version < MIGRATIONS.length) {
    try {
      addCopy(connection, dirname(file), 'migration', version)
    } catch (error) {
      throw new Error(
        `the database ${file} cannot be copied before its migration to version ${MIGRATIONS.length}: ${(error as Error).message}`
      )
    }
    migrate(connection, version)
  }
  if (connection.prepare('PRAGMA application_id').get()?.application_id === APPLICATION_ID) return
  connection.exec(`PRAGMA application_id=${APPLICATION_ID}`)
  enableIncrementalVacuum(connection)
}

/** Lets the file shrink in small steps when the disk is full. It takes a rewrite of the file once. */
function enableIncrementalVacuum(connection: DatabaseSync): void {
  try {
    connection.exec('PRAGMA auto_vacuum=INCREMENTAL; VACUUM')
  } catch {
    // Without space the file is used as it is.
  }
}

function openFile(file: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const version = inspectOrCreate(file)
  for (const path of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(path)) chmodSync(path, 0o600)
  const connection = new DatabaseSync(file)
  try {
    connection.exec(PRAGMAS)
    update(connection, file, version)
    addSettingColumns(connection)
  } catch (error) {
    connection.close()
    throw error
  }
  return connection
}

/** The first database in memory when it was migrated: to copy it takes a tenth of the time of all migrations. */
let emptyDatabase: Uint8Array | undefined

/**
 * Opens the database, migrated to the newest version. The file and its WAL files are readable for their owner only:
 * they contain stream keys and passphrases. WAL files that SQLite creates later take the mode of the database file.
 * @param file path in the data folder, or `:memory:`
 * @param guard if the disk is full, its reserve is used: SQLite needs some space to open the file
 * @throws DatabaseRefusedError if it is damaged, missing beside other data, of another program or of a newer hub. It is
 * unchanged then.
 */
export function openDatabaseFile(file: string, guard: StorageGuard): DatabaseSync {
  if (file === ':memory:') {
    const connection = new DatabaseSync(file)
    connection.exec(PRAGMAS)
    if (emptyDatabase) connection.deserialize(emptyDatabase)
    else {
      migrate(connection, 0)
      emptyDatabase = connection.serialize()
    }
    return connection
  }
  try {
    return openFile(file)
  } catch (error) {
    if (!guard.report(error)) throw error
    return guard.useReserve(() => openFile(file))
  }
}
