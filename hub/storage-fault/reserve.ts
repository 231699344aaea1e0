// A file that occupies space of the disk. When the disk is full it is removed, so that deletions, which SQLite records
// before it frees anything, are possible.
import { randomBytes } from 'node:crypto'
import { existsSync, renameSync, rmSync, statfsSync, statSync, truncateSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RESERVE_FILE } from '../data-folder/entries.ts'

const MIB = 1 << 20
/** Bytes. */
export const RESERVE_SIZE = 8 * MIB
const SMALLEST_RESERVE = MIB

export class DiskReserve {
  readonly #path: string
  /** The file while it is written. */
  readonly #part: string
  /** Number of calls of `release`. If it changes while the file is written, the file is not kept. */
  #releases = 0

  /** @param data the data folder */
  constructor(data: string) {
    this.#path = join(data, RESERVE_FILE)
    this.#part = `${this.#path}.part`
  }

  /** Bytes of the file; 0 if it does not exist. */
  get size(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0
  }

  /**
   * Creates or enlarges the file. With less free space it gets smaller; with too little it is not created. Must not be
   * called again before it has ended.
   */
  async ensure(): Promise<void> {
    const releases = this.#releases
    for (let size = RESERVE_SIZE; size >= SMALLEST_RESERVE && size > this.size; size /= 2) {
      if (await this.#write(size)) return
      if (this.#releases !== releases) return
    }
  }

  /**
   * Removes the file. One that is being written occupies nothing any more, apart from the MiB that is on its way to the
   * disk.
   */
  release(): void {
    this.#releases++
    rmSync(this.#path, { force: true })
    if (existsSync(this.#part)) truncateSync(this.#part)
  }

  /**
   * Random bytes occupy space on file systems that compress, too. @returns false if the file could not be written or
   * was released
   */
  async #write(size: number): Promise<boolean> {
    const releases = this.#releases
    const failIfReleased = () => {
      if (this.#releases !== releases) throw new Error('released')
    }
    try {
      // An attempt would occupy the last bytes, which others may need meanwhile.
      const { bavail, bsize } = statfsSync(dirname(this.#path))
      if (bavail * bsize < size) return false
      const file = await open(this.#part, 'w', 0o600)
      try {
        for (let written = 0; written < size; written += MIB) {
          failIfReleased()
          await file.write(randomBytes(MIB))
        }
        await file.sync()
      } finally {
        await file.close()
      }
      failIfReleased()
      renameSync(this.#part, this.#path)
      return true
    } catch {
      await rm(this.#part, { force: true }).catch(() => {})
      return false
    }
  }
}
