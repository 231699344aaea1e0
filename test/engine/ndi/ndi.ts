// An NDI runtime for the tests: what stands in for it (ndi-stand-in.c), built into a folder that is its network.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Network {
  folder: string
  /** Path of the library. */
  library: string
  /** What there is: names and addresses. */
  offers(...sources: readonly [name: string, address: string][]): void
  /** Sets a number that what stands in reads: `takers`, `width`, `silent`, `processor`. */
  set(what: string, value: number): void
  /** Lines of what was done with it. */
  sent(): string[]
  remove(): void
}

/** @param name of the library's file; without one there is only the folder */
export function createNetwork(name?: string): Network {
  const folder = mkdtempSync(join(tmpdir(), 'headend-network-'))
  const library = join(folder, name ?? 'libndi.so.6')
  /** As one: whoever reads it finds what was or what is. */
  const put = (what: string, text: string) => {
    writeFileSync(join(folder, `${what}.new`), text)
    renameSync(join(folder, `${what}.new`), join(folder, what))
  }
  const network: Network = {
    folder,
    library,
    offers: (...sources) => put('sources', sources.map((source) => `${source.join('\t')}\n`).join('')),
    set: (what, value) => put(what, String(value)),
    sent() {
      const path = join(folder, 'sent')
      return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
  if (name !== undefined) install(library)
  return network
}

let built: Buffer | undefined

/** Puts the library where it is looked for, as its installer would. */
export function install(library: string): void {
  built ??= build()
  writeFileSync(`${library}.new`, built)
  renameSync(`${library}.new`, library)
}

function build(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'headend-runtime-'))
  try {
    const source = join(import.meta.dirname, 'ndi-stand-in.c')
    const path = join(folder, 'libndi.so')
    const made = spawnSync('cc', ['-std=gnu11', '-O2', '-Wall', '-shared', '-fPIC', source, '-o', path, '-lm'])
    if (made.status !== 0) throw new Error(`the stand-in of the NDI runtime cannot be built: ${made.stderr}`)
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
