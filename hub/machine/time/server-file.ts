// The time servers that users set: a file in a folder of chrony that the group of the hub may write (`sourcedir`, chrony.conf(5)).
import { constants } from 'node:fs'
import { access, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

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

  /** Replaces the servers. The file is on disk when this resolves, or unchanged when it fails. */
  async write(servers: readonly string[]): Promise<void> {
    // chrony reads files whose names end with .sources.
    const temporary = join(this.#folder, `.${FILE}.new`)
    try {
      const file = await open(temporary, 'w', 0o644)
      try {
        await file.writeFile(servers.map((server) => `server ${server} iburst\n`).join(''))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(temporary, join(this.#folder, FILE))
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    const folder = await open(this.#folder, 'r')
    await folder.sync().finally(() => folder.close())
  }
}
