// The folder of firmware files. A file is called by a random id, never by what a user calls it. Beside one that is not adopted yet
// stands a note of what it is to become: with the note it is an upload, in the database it is a firmware, without either it is nobody's.
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FirmwareInfo } from '../../contract/firmware.ts'

/** What is known of an upload. */
export interface Note {
  /** Name as the user has it. */
  name: string
  /** Bytes that it is to have; 0 = not known before it is here. */
  size: number
  /** What the sender says its SHA-256 is. */
  sha256?: string
  /** Id of the user who sends it. */
  owner: number
  /** Set once it is whole and was checked. */
  checked?: { info: FirmwareInfo; sha256: string; size: number }
}

const ID = /^[0-9a-f]{32}$/
const FILE = /^([0-9a-f]{32})\.(mwf|json)$/

/** Whether `id` can be one of ours. */
export const isUploadId = (id: string) => ID.test(id)

export interface Folder {
  path(id: string): string
  note(id: string): Note | undefined
  setNote(id: string, note: Note): void
  /** Uploads there are. */
  notes(): { id: string; note: Note }[]
  create(note: Note): string
  /** Bytes of the file; 0 where there is none. */
  size(id: string): number
  /** The note goes, the file stays. */
  adopt(id: string): void
  remove(id: string): void
  /** Bytes that the file system has left for us. */
  free(): Promise<number>
  /** Removes uploads that nothing was sent of for `age` milliseconds, and files that are nobody's. */
  clean(age: number, adopted: ReadonlySet<string>): void
  close(): void
}

/**
 * Opens the folder, and makes it where there is none.
 * @param data the hub's folder; `:memory:` = one that is gone when the hub is
 */
export function openFolder(data: string): Folder {
  const temporary = data === ':memory:'
  let made: string | undefined
  /** Made when it is needed: most hubs of tests never do. */
  function folder(): string {
    if (!made) {
      made = temporary ? mkdtempSync(join(tmpdir(), 'headend-firmware-')) : join(data, 'firmware')
      mkdirSync(made, { recursive: true, mode: 0o700 })
    }
    return made
  }
  const exists = () => made !== undefined || (!temporary && existsSync(join(data, 'firmware')))

  function own(id: string, ending: 'mwf' | 'json'): string {
    if (!ID.test(id)) throw new Error('no id of an upload')
    return join(folder(), `${id}.${ending}`)
  }

  function note(id: string): Note | undefined {
    if (!ID.test(id) || !exists()) return undefined
    try {
      return JSON.parse(readFileSync(own(id, 'json'), 'utf8'))
    } catch {
      return undefined
    }
  }

  function ids(ending: string): string[] {
    if (!exists()) return []
    return readdirSync(folder()).flatMap((name) => {
      const [, id, found] = FILE.exec(name) ?? []
      return id && found === ending ? [id] : []
    })
  }

  const self: Folder = {
    path: (id) => own(id, 'mwf'),
    note,
    setNote(id, text) {
      const path = own(id, 'json')
      // Whole or not at all, whatever happens in between.
      writeFileSync(`${path}.part`, JSON.stringify(text), { mode: 0o600, flush: true })
      renameSync(`${path}.part`, path)
    },
    notes: () =>
      ids('json').flatMap((id) => {
        const found = note(id)
        return found ? [{ id, note: found }] : []
      }),
    create(text) {
      const id = randomBytes(16).toString('hex')
      self.setNote(id, text)
      writeFileSync(self.path(id), '', { mode: 0o600 })
      return id
    },
    size: (id) => statSync(self.path(id), { throwIfNoEntry: false })?.size ?? 0,
    adopt: (id) => rmSync(own(id, 'json'), { force: true }),
    remove(id) {
      rmSync(own(id, 'mwf'), { force: true })
      rmSync(own(id, 'json'), { force: true })
    },
    async free() {
      const { bavail, bsize } = await statfs(folder())
      return bavail * bsize
    },
    clean(age, adopted) {
      const before = Date.now() - age
      for (const id of new Set([...ids('json'), ...ids('mwf')])) {
        if (adopted.has(id)) self.adopt(id)
        else {
          const { mtimeMs = 0 } = statSync(self.path(id), { throwIfNoEntry: false }) ?? {}
          if (!note(id) || mtimeMs < before) self.remove(id)
        }
      }
    },
    close() {
      if (temporary && made) rmSync(made, { recursive: true, force: true })
    }
  }
  return self
}
