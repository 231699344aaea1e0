// The folder of one part of the hub in the data folder. It is created when it is first needed: most hubs never use some
// of them.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readFreeSpace } from './free-space.ts'

export class Subfolder {
  readonly #path: string
  readonly #isTemporary: boolean

  /** @param data the data folder; `:memory:` is a temporary folder, which `close` removes */
  constructor(data: string, name: string) {
    this.#isTemporary = data === ':memory:'
    this.#path = this.#isTemporary ? join(tmpdir(), `headend-${name}-${randomUUID()}`) : join(data, name)
  }

  /** Creates the folder if necessary, readable for the hub's user only. @returns its path */
  open(): string {
    mkdirSync(this.#path, { recursive: true, mode: 0o700 })
    return this.#path
  }

  /** The path of an entry, whether or not the folder exists. */
  pathOf(name: string): string {
    return join(this.#path, name)
  }

  /** The names of all entries. */
  list(): string[] {
    return existsSync(this.#path) ? readdirSync(this.#path) : []
  }

  remove(...names: string[]): void {
    for (const name of names) rmSync(this.pathOf(name), { recursive: true, force: true })
  }

  /** Free bytes of the file system. */
  async freeSpace(): Promise<number> {
    return readFreeSpace(this.open())
  }

  close(): void {
    if (this.#isTemporary) rmSync(this.#path, { recursive: true, force: true })
  }
}
