// The folder of firmware files. A file's name is a random ID, never the name given by a user. A file with a note (JSON)
// beside it is an upload; a file whose ID is in the database is a stored firmware; any other file is removed.
import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { FirmwareInfo } from '../../contract/firmware.ts'
import { syncPath } from '../../data-files/fsync.ts'
import { Subfolder } from '../../data-files/subfolder.ts'

/** Data of an upload. */
export interface UploadNote {
  /** File name given by the user. */
  name: string
  /** Size of the complete file in bytes; 0 = unknown until it is complete. */
  size: number
  /** SHA-256 that the sender claims. */
  sha256?: string
  /** User ID of the sender. */
  owner: number
  /** Set once the file is complete and was inspected. */
  checked?: { info: FirmwareInfo; sha256: string; size: number }
}

const ID = /^[0-9a-f]{32}$/
const FILE = /^([0-9a-f]{32})\.(mwf|json)$/
/** A download that is not complete, or not checked. */
const DOWNLOAD = /^[0-9a-f]{32}\.download(\.part|\.note\.part)?$/

/** Whether `id` has the form of an upload ID. */
export const isUploadId = (id: string) => ID.test(id)

export class FirmwareFolder {
  readonly #folder: Subfolder

  /** @param data the hub's data folder; `:memory:` = a temporary folder, removed by `close` */
  constructor(data: string) {
    this.#folder = new Subfolder(data, 'firmware')
  }

  path(id: string): string {
    return this.#filePath(id, 'mwf')
  }

  /** Where a file is downloaded before it has its place at `path`. */
  downloadPath(id: string): string {
    this.#folder.open()
    return this.#folder.pathOf(`${id}.download`)
  }

  /** Gives a download its place. */
  adoptDownload(id: string): void {
    renameSync(this.downloadPath(id), this.path(id))
    syncPath(this.#folder.open())
  }

  readNote(id: string): UploadNote | undefined {
    if (!ID.test(id)) return undefined
    try {
      return JSON.parse(readFileSync(this.#filePath(id, 'json'), 'utf8'))
    } catch {
      return undefined
    }
  }

  writeNote(id: string, note: UploadNote): void {
    this.#folder.open()
    const path = this.#filePath(id, 'json')
    // Renaming replaces the note atomically.
    writeFileSync(`${path}.part`, JSON.stringify(note), { mode: 0o600, flush: true })
    renameSync(`${path}.part`, path)
  }

  listUploads(): { id: string; note: UploadNote }[] {
    return this.#listIds('json').flatMap((id) => {
      const note = this.readNote(id)
      return note ? [{ id, note }] : []
    })
  }

  /** Creates an empty upload. @returns its ID */
  create(note: UploadNote): string {
    const id = randomBytes(16).toString('hex')
    this.writeNote(id, note)
    writeFileSync(this.path(id), '', { mode: 0o600 })
    return id
  }

  /** Bytes of the file; 0 if it does not exist. */
  fileSize(id: string): number {
    return statSync(this.path(id), { throwIfNoEntry: false })?.size ?? 0
  }

  /** Removes the note: the file is now a stored firmware. */
  adopt(id: string): void {
    rmSync(this.#filePath(id, 'json'), { force: true })
  }

  remove(id: string): void {
    rmSync(this.#filePath(id, 'mwf'), { force: true })
    rmSync(this.#filePath(id, 'json'), { force: true })
  }

  /** Free bytes of the file system. */
  freeSpace = (): Promise<number> => this.#folder.freeSpace()

  /**
   * Removes uploads and downloads that received nothing for `age` milliseconds, and files without a note.
   * @param storedIds IDs of stored firmware, which are kept
   */
  removeStale(age: number, storedIds: ReadonlySet<string>): void {
    const before = Date.now() - age
    for (const name of this.#folder.list())
      if (DOWNLOAD.test(name) && statSync(this.#folder.pathOf(name)).mtimeMs < before) this.#folder.remove(name)
    for (const id of new Set([...this.#listIds('json'), ...this.#listIds('mwf')])) {
      if (storedIds.has(id)) this.adopt(id)
      else {
        const { mtimeMs = 0 } = statSync(this.path(id), { throwIfNoEntry: false }) ?? {}
        if (!this.readNote(id) || mtimeMs < before) this.remove(id)
      }
    }
  }

  close(): void {
    this.#folder.close()
  }

  #filePath(id: string, extension: 'mwf' | 'json'): string {
    if (!ID.test(id)) throw new Error(`${id} is not an upload ID`)
    return this.#folder.pathOf(`${id}.${extension}`)
  }

  #listIds(extension: string): string[] {
    return this.#folder.list().flatMap((name) => {
      const [, id, fileExtension] = FILE.exec(name) ?? []
      return id && fileExtension === extension ? [id] : []
    })
  }
}
