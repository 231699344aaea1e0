// The backups in the data folder.
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import type { StoredBackupFile } from '../../contract/backup/backup.ts'
import { syncPath } from '../../data-files/fsync.ts'
import { Subfolder } from '../../data-files/subfolder.ts'
import { BACKUPS_FOLDER } from '../data-folder/entries.ts'

const NAME = /^headend-[\w-]{1,200}\.tar$/
/** The end of a name: the time, and the number of the backup, which those of former versions lack. */
const NUMBER = /-\d{4}(?:-\d\d){5}-(\d{1,15})\.tar$/

const numberOf = (name: string): number => Number(NUMBER.exec(name)?.[1] ?? 0)

export class BackupFolder {
  readonly #folder: Subfolder

  /** @param data the data folder; undefined keeps nothing */
  constructor(data: string | undefined) {
    this.#folder = new Subfolder(data ?? ':memory:', BACKUPS_FOLDER)
  }

  pathOf = (name: string): string => this.#folder.pathOf(name)

  has = (name: string): boolean => NAME.test(name) && existsSync(this.pathOf(name))

  /** Newest first, by number: the clock may have been set meanwhile. */
  list(): StoredBackupFile[] {
    return this.#folder
      .list()
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
    this.#folder.open()
    // Incomplete backups of a hub that was killed.
    for (const file of this.#folder.list()) if (file.endsWith('.tar.part')) this.remove(file)
    const part = this.pathOf(`${name}.part`)
    try {
      writeFileSync(part, bytes, { mode: 0o600, flush: true })
      renameSync(part, this.pathOf(name))
    } catch (error) {
      this.remove(`${name}.part`)
      throw error
    }
    syncPath(this.#folder.open())
    return name
  }

  remove(name: string): void {
    this.#folder.remove(name)
  }

  close(): void {
    this.#folder.close()
  }
}
