// A file that occupies space of the disk. When the disk is full it is removed, so that deletions, which SQLite records before it frees
// anything, are possible.
import { randomBytes } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

export const RESERVE_FILE = 'disk.reserve'

const MIB = 1 << 20
/** Bytes. */
export const RESERVE_SIZE = 8 * MIB
const SMALLEST_RESERVE = MIB

export class DiskReserve {
  readonly #path: string

  /** @param data the data folder */
  constructor(data: string) {
    this.#path = join(data, RESERVE_FILE)
  }

  /** Bytes of the file; 0 if it does not exist. */
  get size(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0
  }

  /** Creates or enlarges the file. With less free space it gets smaller; with too little it is not created. */
  async ensure(): Promise<void> {
    for (let size = RESERVE_SIZE; size >= SMALLEST_RESERVE && size > this.size; size /= 2) {
      if (await this.#write(size)) return
    }
  }

  release(): void {
    rmSync(this.#path, { force: true })
  }

  /** Random bytes occupy space on file systems that compress, too. @returns false if the file could not be written */
  async #write(size: number): Promise<boolean> {
    const part = `${this.#path}.part`
    try {
      const file = await open(part, 'w', 0o600)
      try {
        for (let written = 0; written < size; written += MIB) await file.write(randomBytes(MIB))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(part, this.#path)
      return true
    } catch {
      await rm(part, { force: true }).catch(() => {})
      return false
    }
  }
}
