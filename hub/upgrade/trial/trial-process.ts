// The process of a hub on trial: started again when it ends, with the last lines of its log.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { type HubMessage, TRIAL_VARIABLE, type TrialMessage } from './trial-messages.ts'

/** Lines of the log that are kept, and characters of each. */
const LINES_KEPT = 40
const LINE_MAX = 400
/** Milliseconds between SIGTERM and SIGKILL. */
const STOP_TIMEOUT = 8000
/** Milliseconds before the hub is started again after it has ended. */
const RESTART_PAUSE = 250

interface TrialProcessOptions {
  /** Folder of the release. */
  folder: string
  /** Seconds of the trial. */
  seconds: number
  onMessage(message: HubMessage): void
  /** The process has ended. @returns whether it is started again */
  onExit(status: number | null, signal: NodeJS.Signals | null): boolean
}

export class TrialProcess {
  readonly #options: TrialProcessOptions
  #child: ChildProcess | undefined
  #timer: NodeJS.Timeout | undefined
  /** The last lines of the log. */
  readonly lines: string[] = []

  constructor(options: TrialProcessOptions) {
    this.#options = options
  }

  start(): void {
    const { folder, seconds } = this.#options
    // A release has its own console.
    const { DIST: _, ...inherited } = process.env
    const child = spawn(join(folder, 'bin/node'), ['hub/main.ts'], {
      cwd: folder,
      env: { ...inherited, [TRIAL_VARIABLE]: String(seconds) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc']
    })
    this.#child = child
    this.#passLines(child.stdout, process.stdout)
    this.#passLines(child.stderr, process.stderr)
    child.on('message', (message) => this.#options.onMessage(message as HubMessage))
    child.once('error', (error) => this.#addLine(error.message))
    child.once('close', (status, signal) => this.#handleExit(status, signal))
  }

  send(message: TrialMessage): void {
    // A process that is ending has closed its end.
    if (this.#child?.connected) this.#child.send(message, () => {})
  }

  kill(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** Ends the process for good. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    clearTimeout(this.#timer)
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const closed = once(child, 'close')
    child.kill(signal)
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT)
    await closed
    clearTimeout(timer)
  }

  #handleExit(status: number | null, signal: NodeJS.Signals | null): void {
    this.#child = undefined
    if (this.#options.onExit(status, signal)) this.#timer = setTimeout(() => this.start(), RESTART_PAUSE)
  }

  #passLines(from: Readable | null, to: NodeJS.WriteStream): void {
    if (!from) return
    createInterface({ input: from }).on('line', (line) => {
      to.write(`${line}\n`)
      this.#addLine(line)
    })
  }

  #addLine(line: string): void {
    this.lines.push(line.slice(0, LINE_MAX))
    if (this.lines.length > LINES_KEPT) this.lines.shift()
  }
}
