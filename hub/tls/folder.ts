// The folder of certificates and private keys in the data folder, readable for the hub's user only. Backups leave it out.
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLS_FOLDER } from '../data-folder/entries.ts'
import { replaceFile } from '../data-folder/fsync.ts'

/** Uploaded files of a kind that are kept while no setting names them. */
const UNUSED_MAX = 4

/** The kinds of uploaded files, which begin their names. */
export type UploadKind = 'cert' | 'key'

export class TlsFolder {
  readonly #path: string
  readonly #isTemporary: boolean

  /** @param data the data folder; `:memory:` keeps nothing */
  constructor(data: string) {
    this.#isTemporary = data === ':memory:'
    this.#path = this.#isTemporary ? mkdtempSync(join(tmpdir(), 'headend-tls-')) : join(data, TLS_FOLDER)
    mkdirSync(this.#path, { recursive: true, mode: 0o700 })
  }

  pathOf(name: string): string {
    return join(this.#path, name)
  }

  /** The text of a file; undefined if it cannot be read. */
  read(name: string): string | undefined {
    try {
      return readFileSync(this.pathOf(name), 'utf8')
    } catch {
      return undefined
    }
  }

  /** Writes a file durably, with the mode 0600. */
  write(name: string, text: string): void {
    replaceFile(this.pathOf(name), text)
  }

  remove(name: string): void {
    rmSync(this.pathOf(name), { force: true })
  }

  /**
   * Stores an uploaded file, and removes older ones that are not used.
   * @param used names of files in use
   * @returns its name
   */
  addUpload(kind: UploadKind, text: string, used: readonly string[]): string {
    const name = `${kind}-${randomBytes(16).toString('hex')}.pem`
    this.write(name, text)
    const unused = readdirSync(this.#path)
      .filter((each) => isUploadName(kind, each) && each !== name && !used.includes(each))
      .sort((a, b) => statSync(this.pathOf(b)).mtimeMs - statSync(this.pathOf(a)).mtimeMs)
    for (const each of unused.slice(UNUSED_MAX - 1)) this.remove(each)
    return name
  }

  close(): void {
    if (this.#isTemporary) rmSync(this.#path, { recursive: true, force: true })
  }
}

/** Whether a name is that of an uploaded file. It comes from requests, and becomes part of a path. */
export function isUploadName(kind: UploadKind, name: string): boolean {
  return new RegExp(`^${kind}-[0-9a-f]{32}\\.pem$`).test(name)
}
