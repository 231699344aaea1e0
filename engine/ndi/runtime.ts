// The one door to NDI. Its runtime is not free to ship: it is looked for where it installs itself, and used by a program of ours
// (engines/ndi) that loads it, so that nothing foreign runs inside the hub. Installing it needs no restart: it is looked for anew each time.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { CONNECTION, SOURCE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { type Failure, failure } from '../process/failure.ts'
import { find, type Launcher } from '../process/launcher.ts'

/** Where `make engines` puts the program. */
export const NDI_PROGRAM = join(import.meta.dirname, '../../build/headend-ndi')
const INSTALL_NDI = 'apt-get install -y gcc libc6-dev && make engines'

/** The newest first. */
const NAMES = ['libndi.so.6', 'libndi.so.5', 'libndi.so.4']
/** Where its installers say that they put it. */
const VARIABLES = ['NDI_RUNTIME_DIR_V6', 'NDI_RUNTIME_DIR_V5', 'NDI_RUNTIME_DIR_V4']
const MACHINES = ['x86_64-linux-gnu', 'aarch64-linux-gnu', 'arm-linux-gnueabihf', 'i386-linux-gnu']
const FOLDERS = ['/usr/local', '/usr'].flatMap((at) => [
  `${at}/lib`,
  `${at}/lib64`,
  `${at}/lib/ndi`,
  ...MACHINES.map((machine) => `${at}/lib/${machine}`)
])

/** Milliseconds for which a library may take to say its version, and after which one that could not be used is tried again. */
const PATIENCE = 5000
const AGAIN = 10_000

/** What carries NDI. */
export interface NdiRuntime {
  /** Path of the library. */
  library: string
  /** As it calls itself. */
  version: string
  /** Paths of our program, and of the ffmpeg that codes and decodes for it. */
  program: string
  ffmpeg: string
}

/** NDI cannot be carried on this machine, as it is now. */
export class NdiUnavailable extends Error {
  readonly why: Failure
  constructor(reason: Reason) {
    super(reason)
    this.why = failure(CONNECTION.creationFailed, reason, SOURCE.unsupported)
  }
}

export interface Ndi {
  /**
   * What carries NDI now.
   * @throws NdiUnavailable with what is missing, or why what is there cannot be used
   */
  look(): Promise<NdiRuntime>
  /** A sentence for what is not there: what does not work, and what installs it. */
  missing(): string[]
}

export interface NdiOptions {
  launcher: Pick<Launcher, 'run'>
  /** Name or path. */
  ffmpeg?: string | undefined
  /** Path of our program. */
  program?: string | undefined
  /** Folders in which the library is looked for, in the place of the usual ones. */
  folders?: readonly string[] | undefined
  now(): number
}

/** What a library said, and the file it was: another one is asked anew. */
interface Probed {
  file: string
  at: number
  version?: string
  why?: Reason
}

export function createNdi({ launcher, ffmpeg = 'ffmpeg', program = NDI_PROGRAM, folders, now }: NdiOptions): Ndi {
  const probed = new Map<string, Promise<Probed>>()

  /** The libraries there are, the newest first. */
  function libraries(): { path: string; file: string }[] {
    const told = VARIABLES.flatMap((name) => process.env[name] || [])
    const places = folders ?? [...told, ...FOLDERS]
    return NAMES.flatMap((name) => places.map((folder) => join(folder, name))).flatMap((path) => {
      const stat = statSync(path, { throwIfNoEntry: false })
      return stat?.isFile() ? [{ path, file: `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs}` }] : []
    })
  }

  function probe(runs: string, path: string, file: string): Promise<Probed> {
    return new Promise((resolve) => {
      const answer: Probed = { file, at: now() }
      const done = (said = 'no answer') => {
        clearTimeout(timer)
        resolve(answer.version === undefined ? { why: `ndi-unusable ${said}`, ...answer } : answer)
      }
      const process = launcher.run({
        program: runs,
        args: ['probe', path],
        says(text) {
          const said = JSON.parse(text)
          if (said.version) answer.version = said.version
          if (said.failed === 'processor') answer.why = 'ndi-processor'
        },
        ended: (lines) => done(lines.at(-1))
      })
      const timer = setTimeout(() => {
        process.stop()
        done()
      }, PATIENCE).unref()
    })
  }

  async function ask(runs: string, path: string, file: string): Promise<Probed> {
    const before = await probed.get(path)
    if (before?.file === file && (before.version !== undefined || now() - before.at < AGAIN)) return before
    const asked = probe(runs, path, file)
    probed.set(path, asked)
    return asked
  }

  return {
    async look() {
      const there = libraries()
      if (there.length === 0) throw new NdiUnavailable('ndi-missing')
      const runs = find(program)
      if (runs === undefined) throw new NdiUnavailable(`install-with ${INSTALL_NDI}`)
      const codes = find(ffmpeg)
      if (codes === undefined) throw new NdiUnavailable(`not-installed ${ffmpeg}`)
      let why: Reason | undefined
      for (const { path, file } of there) {
        const said = await ask(runs, path, file)
        if (said.version !== undefined) return { library: path, version: said.version, program: runs, ffmpeg: codes }
        why ??= said.why
      }
      throw new NdiUnavailable(why ?? 'ndi-missing')
    },
    missing() {
      if (libraries().length === 0)
        return [
          `the NDI runtime is missing, so NDI is kept but not carried: install it from https://ndi.video (${NAMES[0]} in /usr/lib or where NDI_RUNTIME_DIR_V6 says)`
        ]
      return find(program) ? [] : [`the program of NDI is missing, so NDI is not carried: ${INSTALL_NDI}`]
    }
  }
}
