// The folder of installed consoles: two slots, the update that is being uploaded, and a state file with the slot of the
// console in use. The state file is replaced atomically, after everything that it refers to is on disk.
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { SLOTS, type Slot, type UpdateFault } from '../../contract/update.ts'
import { replaceFile, syncPath } from '../../data-files/fsync.ts'
import { Subfolder } from '../../data-files/subfolder.ts'

const STATE_FILE = 'state.json'

/** The state file. */
export interface SlotState {
  /** The slot in use. */
  active: Slot
  /** Version of the console in use, in case its files become unreadable. */
  version: string
  /** The previous slot, the target of a revert. */
  former?: Slot
  /** Whether the console in use is on trial: it was not confirmed yet. */
  trial?: true
  /**
   * Fingerprint of the built-in console when the file was written. A different one means that the hub itself was
   * updated.
   */
  own: string
  /** The last console that failed after its installation, and why. */
  failed?: { fault: UpdateFault; version: string }
}

export class SlotFolder {
  readonly #folder: Subfolder

  /** @param data the hub's data folder; `:memory:` = a temporary folder, removed by `close` */
  constructor(data: string) {
    this.#folder = new Subfolder(data, 'console')
  }

  /** Path of a slot, whether or not it contains a console. */
  path(slot: Slot): string {
    return this.#folder.pathOf(slot)
  }

  /** @returns undefined if there is no valid state file */
  readState(): SlotState | undefined {
    try {
      const state = JSON.parse(readFileSync(this.#folder.pathOf(STATE_FILE), 'utf8')) as SlotState
      return SLOTS.includes(state.active) ? state : undefined
    } catch {
      return undefined
    }
  }

  writeState(state: SlotState): void {
    this.#folder.open()
    replaceFile(this.#folder.pathOf(STATE_FILE), JSON.stringify(state))
  }

  /** File to which an update is uploaded, and folder into which it is unpacked. */
  incoming(): { file: string; staging: string } {
    this.#folder.open()
    return { file: this.#folder.pathOf('incoming'), staging: this.#folder.pathOf('staging') }
  }

  /** Removes an update that was uploaded but not installed, and leftovers of interrupted operations. */
  clean(): void {
    this.#folder.remove('incoming', 'staging', 'former', `${STATE_FILE}.part`)
  }

  /** Moves the staging folder into a slot which is not in use. */
  adopt(slot: Slot): void {
    this.#folder.remove('former')
    if (existsSync(this.#folder.pathOf(slot))) renameSync(this.#folder.pathOf(slot), this.#folder.pathOf('former'))
    renameSync(this.#folder.pathOf('staging'), this.#folder.pathOf(slot))
    syncPath(this.#folder.open())
    this.#folder.remove('former')
  }

  /** Free bytes of the file system. */
  freeSpace(): Promise<number> {
    return this.#folder.freeSpace()
  }

  close(): void {
    this.#folder.close()
  }
}
