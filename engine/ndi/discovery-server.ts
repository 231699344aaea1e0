// The discovery server of the hub: the program of the vendor, where it is installed. It is started again when it ends,
// after a pause that grows from one second to half a minute. Its licence does not allow shipping it.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
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

/** Milliseconds between two checks of a server that starts. */
const CHECK_INTERVAL = 500
/** Milliseconds between two checks of a running server, and the number of them that fail before it is started again. */
const WATCH_INTERVAL = 5000
const FAILURES_MAX = 2
/** Milliseconds of the first and the longest pause before the program is started again. */
const FIRST_PAUSE = 1000
const LONGEST_PAUSE = 30_000
/** Milliseconds after which a server that ends is started again without a longer pause. */
const STABLE_AFTER = 60_000

interface NdiDiscoveryServerOptions {
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
  /** Checks in a row that have failed. */
  #failures = 0
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
    // The earlier process must have left the port.
    void stopped.then(() => {
      if (settings.enable && run === this.#run) void this.#start()
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

  async #start(): Promise<void> {
    const { launcher, now } = this.#options
    const run = ++this.#run
    const program = this.#findProgram()
    if (program === undefined) {
      // It can be installed without a restart of the hub.
      this.#timer = setTimeout(() => void this.#start(), LONGEST_PAUSE).unref()
      this.#setState('not-installed')
      return
    }
    this.#startedAt = now()
    this.#failures = 0
    this.#setState('starting')
    try {
      // Otherwise the program of somebody else would pass for the server.
      await requireFreePort(this.#settings.port)
      if (run !== this.#run) return
      this.#timer = setTimeout(() => void this.#check(run), CHECK_INTERVAL).unref()
      this.#process = launcher.run({
        program,
        args: ['-port', String(this.#settings.port)],
        onEnd: (lines) => {
          if (run === this.#run) this.#retry(lines.at(-1))
        }
      })
    } catch (error) {
      if (run === this.#run) this.#retry((error as Error).message)
    }
  }

  /**
   * The server has started when it listens. One that leaves its clients waiting is stopped, and started again. Nothing
   * connects to it for that: programs of the vendor can end when a connection is closed without a word.
   */
  async #check(run: number): Promise<void> {
    const { port } = this.#settings
    const waiting = await countWaiting(port)
    if (run !== this.#run) return
    const code = waiting === undefined ? 'ECONNREFUSED' : waiting > 0 ? 'ETIMEDOUT' : undefined
    const error = code && `accept ${code} 0.0.0.0:${port}`
    this.#failures = error === undefined ? 0 : this.#failures + 1
    if (error === undefined) this.#setState('started')
    const isWatched = this.#state === 'started'
    if (isWatched && this.#failures >= FAILURES_MAX) {
      await this.stop()
      if (run + 1 === this.#run) this.#retry(error)
      return
    }
    this.#timer = setTimeout(() => void this.#check(run), isWatched ? WATCH_INTERVAL : CHECK_INTERVAL).unref()
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
      if (run === this.#run) void this.#start()
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

/** @throws Error with a system code if another program has the port */
async function requireFreePort(port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const probe = createServer().once('error', reject)
  probe.listen(port, '0.0.0.0', () => probe.close(() => resolve()))
  await promise
}

/**
 * The connections to a port of this machine that wait for the program that listens there, by the tables of the kernel
 * (proc_pid_net(5)). @returns undefined if no program listens
 */
async function countWaiting(port: number): Promise<number | undefined> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')))
  const listening = new RegExp(`:${port.toString(16).toUpperCase().padStart(4, '0')} \\S+ 0A \\S+:(\\S+)`, 'g')
  const queues = tables.flatMap((table) =>
    [...table.matchAll(listening)].map(([, queue = '']) => Number.parseInt(queue, 16))
  )
  return queues.length ? Math.max(...queues) : undefined
}
