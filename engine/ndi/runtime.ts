// Access to NDI. The NDI runtime may not be distributed, so it is searched in the folders where its installers put it.
// `headend-ndi` (engine/native/ndi) loads it, so that no third-party code runs in the engine process. It is searched on
// each use, so that it can be installed without a restart.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { MissingPartDetail } from '../../contract/stream/missing-part.ts'
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { NdiUnavailableError } from '../interfaces/errors.ts'
import type { Launcher } from '../interfaces/launcher.ts'
import type { Ndi, NdiProcessConfig, NdiProcessOptions, NdiRuntime } from '../interfaces/ndi.ts'
import { failure } from '../process/failure.ts'
import { findProgram } from '../process/find-program.ts'
import type { NdiConfig } from './config.ts'

/** Path of `headend-ndi`, where `make native` puts it. */
const NDI_PROGRAM = join(import.meta.dirname, '../../build/headend-ndi')
const INSTALL_NDI = 'apt-get install -y gcc libc6-dev && make native'

/** File names of the library, newest first. */
const LIBRARY_NAMES = ['libndi.so.6', 'libndi.so.5', 'libndi.so.4'] as const
/** Environment variables in which the installers store its folder. */
const FOLDER_VARIABLES = ['NDI_RUNTIME_DIR_V6', 'NDI_RUNTIME_DIR_V5', 'NDI_RUNTIME_DIR_V4']
const MACHINES = ['x86_64-linux-gnu', 'aarch64-linux-gnu', 'arm-linux-gnueabihf', 'i386-linux-gnu']
const FOLDERS = ['/usr/local', '/usr'].flatMap((prefix) => [
  `${prefix}/lib`,
  `${prefix}/lib64`,
  `${prefix}/lib/ndi`,
  ...MACHINES.map((machine) => `${prefix}/lib/${machine}`)
])

/** Milliseconds that a library has to report its version. */
const PROBE_TIMEOUT = 5000
/** Milliseconds after which a library that failed is probed again. */
const PROBE_AGAIN = 10_000

export interface NdiOptions {
  launcher: Pick<Launcher, 'run'>
  config: NdiConfig
  /** Name or path of ffmpeg. */
  ffmpeg?: string | undefined
  /** Path of `headend-ndi`. */
  program?: string | undefined
  /** Folders to search for the library instead of the usual ones. */
  folders?: readonly string[] | undefined
  /** Milliseconds of a monotonic clock. */
  now(): number
}

interface Library {
  path: string
  /** Identifies the file, which changes when another version is installed. */
  file: string
}

interface ProbeResult {
  file: string
  at: number
  version?: string
  canRoute?: boolean
  /** Why the library cannot be used. */
  reason?: Reason
}

class InstalledNdi implements Ndi {
  readonly #launcher: Pick<Launcher, 'run'>
  readonly #config: NdiConfig
  readonly #ffmpeg: string
  readonly #program: string
  readonly #folders: readonly string[] | undefined
  readonly #now: () => number
  /** By path of the library. */
  readonly #probes = new Map<string, Promise<ProbeResult>>()

  constructor({ launcher, config, ffmpeg = 'ffmpeg', program = NDI_PROGRAM, folders, now }: NdiOptions) {
    this.#launcher = launcher
    this.#config = config
    this.#ffmpeg = ffmpeg
    this.#program = program
    this.#folders = folders
    this.#now = now
  }

  async findRuntime(): Promise<NdiRuntime> {
    const libraries = this.#findLibraries()
    if (libraries.length === 0) throw unavailable('ndi-missing')
    const program = findProgram(this.#program)
    if (program === undefined) throw unavailable(`install-with ${INSTALL_NDI}`)
    const ffmpeg = findProgram(this.#ffmpeg)
    if (ffmpeg === undefined) throw unavailable(`not-installed ${this.#ffmpeg}`)
    let reason: Reason | undefined
    for (const library of libraries) {
      const result = await this.#getProbe(program, library)
      const { version, canRoute = false } = result
      if (version !== undefined) {
        await this.#config.prepare()
        return { library: library.path, version, canRoute, program, ffmpeg }
      }
      reason ??= result.reason
    }
    throw unavailable(reason ?? 'ndi-missing')
  }

  listMissing(): MissingPartDetail[] {
    if (this.#findLibraries().length === 0) return [`no-ndi-runtime ${LIBRARY_NAMES[0]}`]
    return findProgram(this.#program) ? [] : [`no-ndi ${INSTALL_NDI}`]
  }

  openConfig(options: NdiProcessOptions): NdiProcessConfig {
    return this.#config.open(options)
  }

  machineName(): string {
    return this.#config.machineName()
  }

  defaultMachineName(): string {
    return this.#config.defaultMachineName()
  }

  /** The installed libraries, newest first. */
  #findLibraries(): Library[] {
    const installed = FOLDER_VARIABLES.flatMap((name) => process.env[name] || [])
    const folders = this.#folders ?? [...installed, ...FOLDERS]
    const paths = LIBRARY_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
    return paths.flatMap((path) => {
      const stat = statSync(path, { throwIfNoEntry: false })
      return stat?.isFile() ? [{ path, file: `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs}` }] : []
    })
  }

  /** The result of an earlier probe if it is still valid, otherwise of a new one. */
  async #getProbe(program: string, library: Library): Promise<ProbeResult> {
    // A probe that could not start is repeated.
    const last = await this.#probes.get(library.path)?.catch(() => undefined)
    const isValid = last?.file === library.file && (last.version !== undefined || this.#now() - last.at < PROBE_AGAIN)
    if (last && isValid) return last
    const probe = this.#probe(program, library)
    this.#probes.set(library.path, probe)
    return probe
  }

  #probe(program: string, { path, file }: Library): Promise<ProbeResult> {
    return new Promise((resolve) => {
      const result: ProbeResult = { file, at: this.#now() }
      const finish = (message?: string) => {
        clearTimeout(timer)
        const reason: Reason = message === undefined ? 'ndi-silent' : `ndi-unusable ${message}`
        resolve(result.version === undefined ? { reason, ...result } : result)
      }
      const process = this.#launcher.run({
        program,
        args: ['probe', path],
        onMessage(text) {
          const message = JSON.parse(text)
          if (message.version) result.version = message.version
          if (message.routing) result.canRoute = true
          if (message.failed === 'processor') result.reason = 'ndi-processor'
        },
        onEnd: (lines) => finish(lines.at(-1))
      })
      const timer = setTimeout(() => {
        process.stop()
        finish()
      }, PROBE_TIMEOUT).unref()
    })
  }
}

export const createNdi = (options: NdiOptions): Ndi => new InstalledNdi(options)

const unavailable = (reason: Reason) =>
  new NdiUnavailableError(failure(CONNECTION_STATE.creationFailed, reason, SOURCE_STATE.unsupported))
