// The time servers that users set: a file in a folder of chrony that the group of the hub may write (`sourcedir`,
// chrony.conf(5)).
import { constants } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../../data-files/fsync.ts'

const FILE = 'headend.sources'

export class ServerFile {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The servers in the file; none if it cannot be read. */
  async read(): Promise<string[]> {
    const text = await readFile(join(this.#folder, FILE), 'utf8').catch(() => '')
    return [...text.matchAll(/^server (\S+)/gm)].map(([, server = '']) => server)
  }

  /** Whether the user of the hub may write it. */
  async isWritable(): Promise<boolean> {
    return access(this.#folder, constants.W_OK).then(
      () => true,
      () => false
    )
  }

  /** Replaces the servers. The file is on disk when this returns, or unchanged when it throws. */
  write(servers: readonly string[]): void {
    // chrony reads files whose names end with .sources, so not the temporary one. It runs as another user.
    replaceFile(join(this.#folder, FILE), servers.map((server) => `server ${server} iburst\n`).join(''), 0o644)
  }
}
