// The folder of certificates and private keys in the data folder, readable for the user of the program only. Backups
// leave it out.
import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { replaceFile } from '../data-files/fsync.ts'
import { Subfolder } from '../data-files/subfolder.ts'

/** Name of the folder in the data folder. */
export const TLS_FOLDER = 'tls'

/** Uploaded files of a kind that are kept while no setting names them. */
const UNUSED_MAX = 4

/** The kinds of uploaded files, which begin their names. */
export type UploadKind = 'cert' | 'key'

export class TlsFolder {
  readonly #folder: Subfolder

  /** @param data the data folder; `:memory:` keeps nothing */
  constructor(data: string) {
    this.#folder = new Subfolder(data, TLS_FOLDER)
  }

  pathOf(name: string): string {
    return this.#folder.pathOf(name)
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
    this.#folder.open()
    replaceFile(this.pathOf(name), text)
  }

  remove(name: string): void {
    this.#folder.remove(name)
  }

  /**
   * Stores an uploaded file, and removes older ones that are not used.
   * @param used names of files in use
   * @returns its name
   */
  addUpload(kind: UploadKind, text: string, used: readonly string[]): string {
    const name = `${kind}-${randomBytes(16).toString('hex')}.pem`
    this.write(name, text)
    const unused = this.#folder
      .list()
      .filter((each) => isUploadName(kind, each) && each !== name && !used.includes(each))
      .sort((a, b) => statSync(this.pathOf(b)).mtimeMs - statSync(this.pathOf(a)).mtimeMs)
    for (const each of unused.slice(UNUSED_MAX - 1)) this.remove(each)
    return name
  }

  close(): void {
    this.#folder.close()
  }
}

/** Whether a name is that of an uploaded file. It comes from requests, and becomes part of a path. */
export function isUploadName(kind: UploadKind, name: string): boolean {
  return new RegExp(`^${kind}-[0-9a-f]{32}\\.pem$`).test(name)
}
