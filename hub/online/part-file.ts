// What has arrived of a download. It is kept in a file with `.part` after the name, beside a note on the version of the
// file, so that a later download can continue there, also after a restart of the hub.
import { createHash, type Hash } from 'node:crypto'
import { createReadStream, readFileSync, renameSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replaceFile, syncPath } from '../../data-files/fsync.ts'

interface PartNote {
  /** Digest of the whole file. */
  sha256: string
  validator: string
}

const partOf = (path: string) => `${path}.part`
const noteOf = (path: string) => `${path}.note.part`

/** Removes what has arrived of a download that is not continued. */
export function removePart(path: string): void {
  for (const file of [partOf(path), noteOf(path)]) rmSync(file, { force: true })
}

function readNote(path: string): PartNote | undefined {
  try {
    return JSON.parse(readFileSync(noteOf(path), 'utf8'))
  } catch {
    return undefined
  }
}

export class PartFile {
  /** Bytes that have arrived. */
  size = 0
  /** Whether it has bytes of a former download. */
  isContinued = false
  /** Version of the file on the server, for `If-Range`: a strong entity tag, or a date. */
  validator = ''
  readonly #path: string
  readonly #sha256: string
  readonly #file: FileHandle
  #hash: Hash = createHash('sha256')

  private constructor(path: string, sha256: string, file: FileHandle) {
    this.#path = path
    this.#sha256 = sha256
    this.#file = file
  }

  /**
   * Opens what has arrived of a file, or creates an empty one.
   * @param path of the complete file
   * @param sha256 digest of the complete file in hex
   */
  static async open(path: string, sha256: string): Promise<PartFile> {
    const note = readNote(path)
    if (note?.sha256 !== sha256) removePart(path)
    const part = new PartFile(path, sha256, await open(partOf(path), 'a', 0o600))
    for await (const bytes of createReadStream(partOf(path)) as AsyncIterable<Buffer>) part.#count(bytes)
    part.isContinued = part.size > 0
    part.validator = note?.validator ?? ''
    return part
  }

  async append(bytes: Buffer): Promise<void> {
    await this.#file.appendFile(bytes)
    this.#count(bytes)
  }

  /** Removes what has arrived. @param validator of the version that follows; empty: it cannot be continued later */
  async restart(validator: string): Promise<void> {
    await this.#file.truncate()
    this.size = 0
    this.isContinued = false
    this.validator = validator
    this.#hash = createHash('sha256')
    const note: PartNote = { sha256: this.#sha256, validator }
    if (validator) replaceFile(noteOf(this.#path), JSON.stringify(note))
    else rmSync(noteOf(this.#path), { force: true })
  }

  /** Whether it is the whole file. */
  isComplete(): boolean {
    return this.#hash.copy().digest('hex') === this.#sha256
  }

  /** Writes the complete file to the disk, at its path. */
  async commit(): Promise<void> {
    await this.#file.sync()
    renameSync(partOf(this.#path), this.#path)
    syncPath(dirname(this.#path))
    removePart(this.#path)
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  #count(bytes: Buffer): void {
    this.#hash.update(bytes)
    this.size += bytes.length
  }
}
