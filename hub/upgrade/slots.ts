// The folder of installed consoles: two slots, the update that is being uploaded, and a state file with the slot of the console in use. The state
// file is replaced atomically, after everything that it refers to is on disk.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SLOTS, type Slot, type UpdateFault } from '../../contract/update.ts'
import { replaceFile, syncPath } from '../data-folder/fsync.ts'

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
  /** Fingerprint of the built-in console when the file was written. A different one means that the hub itself was updated. */
  own: string
  /** The last console that failed after its installation, and why. */
  failed?: { fault: UpdateFault; version: string }
}

export class SlotFolder {
  readonly #data: string
  readonly #isTemporary: boolean
  /** Set once the folder was created. */
  #folder: string | undefined

  /** @param data the hub's data folder; `:memory:` = a temporary folder, removed by `close` */
  constructor(data: string) {
    this.#data = data
    this.#isTemporary = data === ':memory:'
  }

  /** Path of a slot, whether or not it contains a console. */
  path(slot: Slot): string {
    return this.#pathOf(slot)
  }

  /** @returns undefined if there is no valid state file */
  readState(): SlotState | undefined {
    if (!this.#exists()) return undefined
    try {
      const state = JSON.parse(readFileSync(this.#pathOf(STATE_FILE), 'utf8')) as SlotState
      return SLOTS.includes(state.active) ? state : undefined
    } catch {
      return undefined
    }
  }

  writeState(state: SlotState): void {
    this.#create()
    replaceFile(this.#pathOf(STATE_FILE), JSON.stringify(state))
  }

  /** File to which an update is uploaded, and folder into which it is unpacked. */
  incoming(): { file: string; staging: string } {
    this.#create()
    return { file: this.#pathOf('incoming'), staging: this.#pathOf('staging') }
  }

  /** Removes an update that was uploaded but not installed, and leftovers of interrupted operations. */
  clean(): void {
    if (this.#exists()) this.#remove('incoming', 'staging', 'former', `${STATE_FILE}.part`)
  }

  /** Moves the staging folder into a slot which is not in use. */
  adopt(slot: Slot): void {
    this.#remove('former')
    if (existsSync(this.#pathOf(slot))) renameSync(this.#pathOf(slot), this.#pathOf('former'))
    renameSync(this.#pathOf('staging'), this.#pathOf(slot))
    syncPath(this.#create())
    this.#remove('former')
  }

  /** Free bytes of the file system. */
  async freeSpace(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#create())
    return bavail * bsize
  }

  close(): void {
    if (this.#isTemporary && this.#folder) rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Creates the folder when it is first needed: most hubs never install a console. @returns its path */
  #create(): string {
    if (!this.#folder) {
      this.#folder = this.#isTemporary ? mkdtempSync(join(tmpdir(), 'headend-console-')) : join(this.#data, 'console')
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    }
    return this.#folder
  }

  #exists(): boolean {
    return this.#folder !== undefined || (!this.#isTemporary && existsSync(join(this.#data, 'console')))
  }

  #pathOf(name: string): string {
    return join(this.#folder ?? join(this.#data, 'console'), name)
  }

  #remove(...names: string[]): void {
    for (const name of names) rmSync(this.#pathOf(name), { recursive: true, force: true })
  }
}
