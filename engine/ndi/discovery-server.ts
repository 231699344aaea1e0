// The discovery server of the hub: the program of the vendor, where it is installed. It is started again when it ends, after a pause that grows
// from one second to half a minute. Its licence does not allow shipping it.
import { connect } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { NdiServerSettings } from '../../contract/ndi/settings.ts'
import type { Launcher, Process } from '../interfaces/launcher.ts'
import type { NdiServerReport } from '../interfaces/ndi.ts'
import { findProgram } from '../process/find-program.ts'

/** Names of the program: of version 5.5 and later, and of earlier ones. */
const PROGRAMS = ['ndi-discovery-server', 'ndi-directory-service']
const MACHINES: Readonly<Partial<Record<NodeJS.Architecture, string>>> = {
  x64: 'x86_64-linux-gnu',
  arm64: 'aarch64-rpi4-linux-gnueabi',
  arm: 'arm-rpi4-linux-gnueabihf'
}
/** Where the SDK of the vendor is unpacked. */
const SDK_FOLDERS = [
  process.env.NDI_SDK_DIR,
  '/usr/share/NDI SDK for Linux',
  '/opt/ndi',
  join(homedir(), 'NDI SDK for Linux')
]

/** Milliseconds between two attempts to connect to the port of a server that starts. */
const CHECK_INTERVAL = 500
/** Milliseconds of the first and the longest pause before the program is started again. */
const FIRST_PAUSE = 1000
const LONGEST_PAUSE = 30_000
/** Milliseconds after which a server that ends is started again without a longer pause. */
const STABLE_AFTER = 60_000

export interface NdiDiscoveryServerOptions {
  launcher: Pick<Launcher, 'run'>
  /** Names or paths of the program. Default: those of the vendor, in PATH and in the folders of the SDK. */
  programs?: readonly string[] | undefined
  /** Milliseconds of a monotonic clock. */
  now(): number
  onChange(): void
}

export class NdiDiscoveryServer {
  readonly #options: NdiDiscoveryServerOptions
  #settings: NdiServerSettings = { enable: false, port: 0 }
  #process: Process | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #state: NdiServerReport['state'] = 'not-enabled'
  #error: string | undefined
  #startedAt = 0
  #pause = FIRST_PAUSE
  #retryAt = 0
  /** Number of starts and stops, so that late results of an earlier process are ignored. */
  #run = 0

  constructor(options: NdiDiscoveryServerOptions) {
    this.#options = options
  }

  /** Starts, moves or stops the server. Unchanged settings do nothing. */
  configure(settings: NdiServerSettings): void {
    const { enable, port } = this.#settings
    if (settings.enable === enable && settings.port === port && this.#state !== 'not-installed') return
    this.#settings = settings
    this.#pause = FIRST_PAUSE
    this.#error = undefined
    const stopped = this.stop()
    this.#setState(settings.enable ? 'starting' : 'not-enabled')
    const run = this.#run
    // The port must be free.
    void stopped.then(() => {
      if (settings.enable && run === this.#run) this.#start()
    })
  }

  observe(): NdiServerReport {
    const isRunning = this.#state === 'started' || this.#state === 'starting'
    return {
      state: this.#state,
      ...(isRunning && { port: this.#settings.port }),
      ...(this.#error !== undefined && { error: this.#error }),
      ...(this.#state === 'retry' && { retryInS: Math.max(0, Math.ceil((this.#retryAt - this.#options.now()) / 1000)) })
    }
  }

  async stop(): Promise<void> {
    this.#run++
    clearTimeout(this.#timer)
    const process = this.#process
    this.#process = undefined
    await process?.stop()
  }

  #start(): void {
    const { launcher, now } = this.#options
    const run = ++this.#run
    const program = this.#findProgram()
    if (program === undefined) {
      // It can be installed without a restart of the hub.
      this.#timer = setTimeout(() => this.#start(), LONGEST_PAUSE).unref()
      this.#setState('not-installed')
      return
    }
    this.#startedAt = now()
    this.#setState('starting')
    this.#timer = setTimeout(() => this.#checkPort(run), CHECK_INTERVAL).unref()
    try {
      this.#process = launcher.run({
        program,
        args: ['-port', String(this.#settings.port)],
        onEnd: (lines) => {
          if (run === this.#run) this.#retry(lines.at(-1))
        }
      })
    } catch (error) {
      this.#retry((error as Error).message)
    }
  }

  /** The server has started when it accepts connections. */
  #checkPort(run: number): void {
    const socket = connect({ host: '127.0.0.1', port: this.#settings.port })
    socket.setTimeout(CHECK_INTERVAL, () => socket.destroy())
    socket.once('connect', () => {
      socket.destroy()
      if (run === this.#run) this.#setState('started')
    })
    socket.on('error', () => {})
    socket.once('close', () => {
      if (run !== this.#run || this.#state !== 'starting') return
      this.#timer = setTimeout(() => this.#checkPort(run), CHECK_INTERVAL).unref()
    })
  }

  #retry(error: string | undefined): void {
    const { now } = this.#options
    const run = ++this.#run
    clearTimeout(this.#timer)
    this.#process = undefined
    if (now() - this.#startedAt > STABLE_AFTER) this.#pause = FIRST_PAUSE
    this.#error = error
    this.#retryAt = now() + this.#pause
    this.#timer = setTimeout(() => {
      if (run === this.#run) this.#start()
    }, this.#pause).unref()
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE)
    this.#setState('retry')
  }

  #findProgram(): string | undefined {
    const { programs } = this.#options
    const machine = MACHINES[process.arch] ?? ''
    const folders = SDK_FOLDERS.flatMap((folder) => (folder ? [join(folder, 'bin', machine)] : []))
    const candidates = programs ?? [
      ...PROGRAMS,
      ...folders.flatMap((folder) => PROGRAMS.map((name) => join(folder, name)))
    ]
    return candidates.map(findProgram).find(Boolean)
  }

  #setState(state: NdiServerReport['state']): void {
    if (state === this.#state) return
    this.#state = state
    this.#options.onChange()
  }
}
