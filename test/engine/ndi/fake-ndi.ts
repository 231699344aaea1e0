// Installs a fake NDI runtime (fake-ndi-runtime.c) for the tests. It is built into a separate folder, and the files in
// that folder stand for the network.
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface FakeNdi {
  folder: string
  /** Path of the library. */
  library: string
  /** Sets the sources that the network announces. */
  announce(...sources: readonly [name: string, address: string][]): void
  /** Sets a number that the fake runtime reads: `receivers`, `width`, `silent` or `processor`. */
  setNumber(name: 'receivers' | 'width' | 'silent' | 'processor', value: number): void
  /** Returns the calls of the engine's NDI program, one line each. */
  readLog(): string[]
  remove(): void
}

/** @param libraryName file name of the library. Without it no library is installed. */
export function createFakeNdi(libraryName?: string): FakeNdi {
  const folder = mkdtempSync(join(tmpdir(), 'headend-network-'))
  const library = join(folder, libraryName ?? 'libndi.so.6')
  /** Replaces a file atomically, so that the runtime never reads an incomplete one. */
  const writeFile = (name: string, text: string) => {
    writeFileSync(join(folder, `${name}.new`), text)
    renameSync(join(folder, `${name}.new`), join(folder, name))
  }
  const fakeNdi: FakeNdi = {
    folder,
    library,
    announce: (...sources) => writeFile('sources', sources.map((source) => `${source.join('\t')}\n`).join('')),
    setNumber: (name, value) => writeFile(name, String(value)),
    readLog() {
      const path = join(folder, 'log')
      return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
  if (libraryName !== undefined) installLibrary(library)
  return fakeNdi
}

/**
 * Has a machine of 127.0.0.0/8 answer no more, as one without a cable: a port with a program gets no answer.
 * @param port at which machines are asked, `machinePort`
 * @returns a function that has it answer again
 */
export async function silenceMachine(address: string, port: number): Promise<() => Promise<void>> {
  const socket = createSocket('udp4').bind(port, address)
  await once(socket, 'listening')
  return async () => {
    const closed = once(socket, 'close')
    socket.close()
    await closed
  }
}

let builtLibrary: Buffer | undefined

/** Writes the library to a path, as the installer of the NDI runtime would. */
export function installLibrary(path: string): void {
  builtLibrary ??= buildLibrary()
  writeFileSync(`${path}.new`, builtLibrary)
  renameSync(`${path}.new`, path)
}

function buildLibrary(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'headend-runtime-'))
  try {
    const source = join(import.meta.dirname, 'fake-ndi-runtime.c')
    const path = join(folder, 'libndi.so')
    const compiler = spawnSync('cc', ['-std=gnu11', '-O2', '-Wall', '-shared', '-fPIC', source, '-o', path, '-lm'])
    if (compiler.status !== 0) throw new Error(`Cannot build the fake NDI runtime: ${compiler.stderr}`)
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
