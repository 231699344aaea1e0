// The engine of a newer release, which this one starts beside it, and to which it hands its channels over
// (docs/architecture/upgrade.md).
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { EngineHello } from '../interfaces/wire.ts'
import { isInUse } from './private-socket.ts'

/** Milliseconds until the next engine listens, and between two looks. */
const START_TIMEOUT = 10_000
const CHECK_INTERVAL = 50

interface SuccessorOptions {
  /** Path of the socket of this engine, and that at which hubs look for an engine. */
  socket: string
  place: string
  /** The shell script that starts a program of the newest release; undefined where there is none. */
  launcher: string | undefined
  /** The next engine has ended although this one goes on. */
  onEnd(): void
}

export class Successor {
  readonly #options: SuccessorOptions
  #child: ChildProcess | undefined
  #isListening = false
  /** The channels that were handed over to it. */
  readonly #channels = new Set<number>()
  #hasPorts = false

  constructor(options: SuccessorOptions) {
    this.#options = options
  }

  get isPossible(): boolean {
    return this.#options.launcher !== undefined
  }

  /** The next engine, if it runs, and what it has. */
  get state(): EngineHello['successor'] {
    if (!this.#isListening) return undefined
    return { socket: this.#socket, channels: [...this.#channels], ...(this.#hasPorts && { hasPorts: true }) }
  }

  get #socket(): string {
    return join(dirname(resolve(this.#options.socket)), `engine-${process.pid}.sock`)
  }

  /** Starts the next engine, unless it runs. Resolves with its socket. */
  async start(): Promise<string> {
    const { launcher, place, onEnd } = this.#options
    if (launcher === undefined) throw new Error('There is no script that starts the newest release')
    const socket = this.#socket
    if (!this.#child) {
      rmSync(socket, { force: true })
      const child = spawn('/bin/sh', [launcher, 'engine/main.ts'], {
        // A group of its own, because this process may end before it.
        detached: true,
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, ENGINE_SOCKET: socket, ENGINE_BEFORE: resolve(place) }
      })
      child.on('error', () => {})
      child.once('exit', () => {
        this.#child = undefined
        this.#isListening = false
        this.#channels.clear()
        this.#hasPorts = false
        onEnd()
      })
      this.#child = child
    }
    for (const end = performance.now() + START_TIMEOUT; this.#child && !(await isInUse(socket)); ) {
      if (performance.now() > end) throw new Error('The engine of the newest release does not start')
      await new Promise((wake) => setTimeout(wake, CHECK_INTERVAL))
    }
    if (!this.#child) throw new Error('The engine of the newest release has ended')
    this.#isListening = true
    return socket
  }

  /** Channels were handed over to it. */
  addChannels(ids: readonly number[]): void {
    for (const id of ids) this.#channels.add(id)
  }

  /** The shared ports are closed here, and opened by it. */
  addPorts(): void {
    this.#hasPorts = true
  }

  /** Lets the next engine replace this one, which is about to end. @returns the next engine's process ID */
  appoint(): number {
    const pid = this.#child?.pid
    if (pid === undefined || !this.#isListening) throw new Error('There is no next engine')
    this.#child?.removeAllListeners('exit').unref()
    return pid
  }

  /** Ends the next engine, unless it replaces this one. */
  async stop(): Promise<void> {
    const child = this.#child
    if (!child || child.listenerCount('exit') === 0) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}
