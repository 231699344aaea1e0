// The folder of installed consoles: two slots, what is being brought in, and a note of which console is in use. That note alone
// decides: it is replaced in one step, after everything it speaks of is on the disk.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SLOTS, type Slot, type UpdateFault } from '../../contract/update.ts'
import { replaceFile, sync } from './fsync.ts'

/** Which console is in use, and how that came. */
export interface Note {
  active: Slot
  /** Of the active one: of one that cannot be read any more nothing else says it. */
  version: string
  /** The one before, to which one can go back. */
  former?: Slot
  /** The active one has not shown yet that it works. */
  trial?: true
  /** Mark of the hub's own console when this was written: another one means that the hub itself was updated. */
  own: string
  /** Why the last one did not stay, and its version. */
  failed?: { fault: UpdateFault; version: string }
}

export type Slots = ReturnType<typeof openSlots>

/** @param data the hub's folder; `:memory:` = one that is gone when the hub is */
export function openSlots(data: string) {
  const temporary = data === ':memory:'
  let made: string | undefined
  /** Made when it is needed: most hubs never install anything. */
  function folder(): string {
    if (!made) {
      made = temporary ? mkdtempSync(join(tmpdir(), 'headend-console-')) : join(data, 'console')
      mkdirSync(made, { recursive: true, mode: 0o700 })
    }
    return made
  }
  const within = (name: string) => join(made ?? join(data, 'console'), name)
  const exists = () => made !== undefined || (!temporary && existsSync(join(data, 'console')))
  const drop = (...names: string[]) => {
    for (const name of names) rmSync(within(name), { recursive: true, force: true })
  }

  return {
    /** Where a slot is, whether there is anything in it or not. */
    path: (slot: Slot) => within(slot),

    note(): Note | undefined {
      if (!exists()) return undefined
      try {
        const note = JSON.parse(readFileSync(within('state.json'), 'utf8')) as Note
        return SLOTS.includes(note.active) ? note : undefined
      } catch {
        return undefined
      }
    },

    setNote(note: Note): void {
      folder()
      replaceFile(within('state.json'), JSON.stringify(note))
    },

    /** Where an update is written as it arrives, and where it is unpacked. */
    incoming(): { file: string; staging: string } {
      folder()
      return { file: within('incoming'), staging: within('staging') }
    },

    /** Throws away what was brought in and not adopted, and what was cut off. */
    clean(): void {
      if (exists()) drop('incoming', 'staging', 'former', 'state.json.part')
    },

    /** Makes what is in staging the content of a slot that is not in use. */
    adopt(slot: Slot): void {
      drop('former')
      if (existsSync(within(slot))) renameSync(within(slot), within('former'))
      renameSync(within('staging'), within(slot))
      sync(folder())
      drop('former')
    },

    /** Bytes that the file system has left for us. */
    async free(): Promise<number> {
      const { bavail, bsize } = await statfs(folder())
      return bavail * bsize
    },

    close(): void {
      if (temporary && made) rmSync(made, { recursive: true, force: true })
    }
  }
}
