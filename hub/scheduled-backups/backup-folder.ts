// The backups in the data folder.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoredBackupFile } from '../../contract/backup/backup.ts'
import { BACKUPS_FOLDER } from '../data-folder/entries.ts'
import { syncPath } from '../data-folder/fsync.ts'

const NAME = /^headend-[\w-]{1,200}\.tar$/
/** The end of a name: the time, and the number of the backup, which those of former versions lack. */
const NUMBER = /-\d{4}(?:-\d\d){5}-(\d{1,15})\.tar$/

const numberOf = (name: string): number => Number(NUMBER.exec(name)?.[1] ?? 0)

export class BackupFolder {
  readonly #path: string
  readonly #isTemporary: boolean

  /** @param data the data folder; undefined keeps nothing */
  constructor(data: string | undefined) {
    this.#isTemporary = data === undefined
    this.#path = data === undefined ? join(tmpdir(), `headend-backups-${randomUUID()}`) : join(data, BACKUPS_FOLDER)
  }

  pathOf = (name: string): string => join(this.#path, name)

  has = (name: string): boolean => NAME.test(name) && existsSync(this.pathOf(name))

  /** Newest first, by number: the clock may have been set meanwhile. */
  list(): StoredBackupFile[] {
    if (!existsSync(this.#path)) return []
    return readdirSync(this.#path)
      .filter((name) => NAME.test(name))
      .map((name) => {
        const { size, mtimeMs } = statSync(this.pathOf(name))
        return { name, size, time: Math.round(mtimeMs) }
      })
      .sort((a, b) => numberOf(b.name) - numberOf(a.name) || b.time - a.time || (a.name < b.name ? 1 : -1))
  }

  read = (name: string): Buffer => readFileSync(this.pathOf(name))

  /**
   * Stores a backup durably.
   * @param exportName name of the export
   * @returns the name of the backup, with its number
   */
  write(exportName: string, bytes: Buffer): string {
    const number = 1 + Math.max(0, ...this.list().map((file) => numberOf(file.name)))
    const name = exportName.replace(/\.tar$/, `-${number}.tar`)
    mkdirSync(this.#path, { recursive: true, mode: 0o700 })
    // Incomplete backups of a hub that was killed.
    for (const file of readdirSync(this.#path)) if (file.endsWith('.tar.part')) this.remove(file)
    const part = this.pathOf(`${name}.part`)
    try {
      writeFileSync(part, bytes, { mode: 0o600, flush: true })
      renameSync(part, this.pathOf(name))
    } catch (error) {
      this.remove(`${name}.part`)
      throw error
    }
    syncPath(this.#path)
    return name
  }

  remove(name: string): void {
    rmSync(this.pathOf(name), { force: true })
  }

  close(): void {
    if (this.#isTemporary) rmSync(this.#path, { recursive: true, force: true })
  }
}
