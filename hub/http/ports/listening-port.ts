// A port on which the hub listens: opened at the start of the hub, retried while another program has it, and moved to
// another number.

import type { Reason } from '../../../contract/stream/reason.ts'
import { logger } from '../../../process-log/logger.ts'
import type { HttpServer } from '../../../web-server/server.ts'

/** Milliseconds between attempts to open the port. */
const RETRY_INTERVAL = 5000

/** The open port, or why it is closed. Neither is set before `open`. */
export interface PortState {
  port?: number
  reason?: Reason
}

/** What listens on a port. */
export type Listener = Pick<HttpServer, 'port' | 'close'> & Partial<Pick<HttpServer, 'replaceIdentity'>>

/** Opens a port. @throws when it is in use, or the hub may not open it */
export type StartListener = (port: number) => Promise<Listener>

export class ListeningPort {
  readonly #name: string
  readonly #onChange: () => void
  readonly #retryInterval: number
  #start: (() => Promise<Listener>) | undefined
  #listener: Listener | undefined
  #trial: Listener | undefined
  #reason: Reason | undefined
  #attempt: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  /** @param onChange called when the port was opened or moved, or could not be opened for another reason than before */
  constructor(name: string, onChange: () => void, retryInterval = RETRY_INTERVAL) {
    this.#name = name
    this.#onChange = onChange
    this.#retryInterval = retryInterval
  }

  /**
   * Opens the port. Resolves after the first attempt, also if it failed.
   * @param start starts the server
   */
  open(start: () => Promise<Listener>): Promise<void> {
    this.#start = start
    return this.retry()
  }

  /** Tries at once to open a closed port. */
  retry(): Promise<void> {
    this.#attempt ??= this.#try().finally(() => {
      this.#attempt = undefined
    })
    return this.#attempt
  }

  observe(): PortState {
    if (this.#listener) return { port: this.#listener.port }
    return this.#reason === undefined ? {} : { reason: this.#reason }
  }

  /** The open listeners: the port itself, and the one beside it. */
  listeners(): Listener[] {
    return [this.#listener, this.#trial].flatMap((listener) => listener ?? [])
  }

  /** Adds a port that was opened beside this one. */
  addBeside(listener: Listener): void {
    this.#trial = listener
    this.#onChange()
  }

  /** Closes the port that was opened beside this one. */
  async closeBeside(): Promise<void> {
    const trial = this.#trial
    this.#trial = undefined
    await trial?.close()
    this.#onChange()
  }

  /** Lets the port that was opened beside this one take its place. Resolves when the former one is closed. */
  async moveBeside(): Promise<void> {
    if (!this.#trial) return
    const former = this.#listener
    this.#listener = this.#trial
    this.#trial = undefined
    this.#reason = undefined
    clearTimeout(this.#timer)
    this.#onChange()
    await former?.close()
  }

  /** Closes the port. It can be opened again. */
  async shut(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#attempt
    this.#start = undefined
    this.#reason = undefined
    const listeners = this.listeners()
    this.#listener = undefined
    this.#trial = undefined
    await Promise.all(listeners.map((listener) => listener.close()))
    if (!this.#isClosed) this.#onChange()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.shut()
  }

  async #try(): Promise<void> {
    clearTimeout(this.#timer)
    if (!this.#start || this.#listener || this.#isClosed) return
    const before = this.#reason
    try {
      this.#listener = await this.#start()
      this.#reason = undefined
    } catch (error) {
      this.#reason = reasonOf(error as NodeJS.ErrnoException & { port?: number })
      this.#timer = setTimeout(() => void this.retry(), this.#retryInterval).unref()
    }
    if (this.#reason !== undefined && before === this.#reason) return
    if (this.#reason !== undefined)
      logger.warn(`The port for ${this.#name} could not be opened`, { reason: this.#reason })
    this.#onChange()
  }
}

function reasonOf({ code, port, message }: NodeJS.ErrnoException & { port?: number }): Reason {
  return code === 'EADDRINUSE' && port !== undefined ? `port-taken ${port}` : `not-started ${message}`
}
