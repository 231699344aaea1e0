// The port for files: opened at the start of the hub, and retried while another program has it. The hub works without it, because the web
// server serves the same files.
import type { Reason } from '../../../contract/stream/reason.ts'
import { logger } from '../../../process-log/logger.ts'
import type { HttpServer } from '../server.ts'

/** Milliseconds between attempts to open the port. */
const RETRY_INTERVAL = 5000

/** The open port, or why it is closed. Neither is set before `open`. */
export interface FilesPortState {
  port?: number
  reason?: Reason
}

export class FilesPort {
  readonly #onChange: () => void
  readonly #retryInterval: number
  #start: (() => Promise<HttpServer>) | undefined
  #server: HttpServer | undefined
  #reason: Reason | undefined
  #attempt: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  /** @param onChange called when the port was opened, or could not be opened for another reason than before */
  constructor(onChange: () => void, retryInterval = RETRY_INTERVAL) {
    this.#onChange = onChange
    this.#retryInterval = retryInterval
  }

  /**
   * Opens the port. Resolves after the first attempt, also if it failed.
   * @param start starts the server
   */
  open(start: () => Promise<HttpServer>): Promise<void> {
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

  observe(): FilesPortState {
    if (this.#server) return { port: this.#server.port }
    return this.#reason === undefined ? {} : { reason: this.#reason }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#attempt
    await this.#server?.close()
  }

  async #try(): Promise<void> {
    clearTimeout(this.#timer)
    if (!this.#start || this.#server || this.#isClosed) return
    const before = this.#reason
    try {
      this.#server = await this.#start()
      this.#reason = undefined
    } catch (error) {
      this.#reason = reasonOf(error as NodeJS.ErrnoException & { port?: number })
      this.#timer = setTimeout(() => void this.retry(), this.#retryInterval).unref()
    }
    if (this.#reason !== undefined && before === this.#reason) return
    if (this.#reason !== undefined) logger.warn('The port for files could not be opened', { reason: this.#reason })
    this.#onChange()
  }
}

function reasonOf({ code, port, message }: NodeJS.ErrnoException & { port?: number }): Reason {
  return code === 'EADDRINUSE' && port !== undefined ? `port-taken ${port}` : `not-started ${message}`
}
