// Opens the port of a matrix, and tries again while it is in use.
import type { Reason } from '../../contract/stream/reason.ts'
import type { VideohubServer } from './videohub-server.ts'

/** Milliseconds between attempts to open a port. */
const RETRY_INTERVAL = 1000

export class PanelPort {
  readonly port: number
  readonly server: VideohubServer
  readonly #onChange: (state: PanelPort) => void
  #isOpen = false
  #hasFailed = false
  #reason: Reason | undefined
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  /** @param onChange called when the port was opened, and when it could not be opened for another reason than before */
  constructor(port: number, server: VideohubServer, onChange: (state: PanelPort) => void) {
    this.port = port
    this.server = server
    this.#onChange = onChange
    void this.#open()
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Whether the port could not be opened at first. */
  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** Why the port cannot be opened. */
  get reason(): Reason | undefined {
    return this.#reason
  }

  /** Closes the port and disconnects its clients. Resolves when it is closed. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.server.close()
  }

  async #open(): Promise<void> {
    const before = this.#reason
    try {
      await this.server.listen(this.port)
      this.#isOpen = true
      this.#reason = undefined
    } catch (error) {
      this.#hasFailed = true
      this.#reason = reasonOf(error as NodeJS.ErrnoException, this.port)
    }
    if (this.#isClosed) return void this.server.close()
    if (!this.#isOpen) this.#timer = setTimeout(() => void this.#open(), RETRY_INTERVAL).unref()
    if (this.#isOpen || this.#reason !== before) this.#onChange(this)
  }
}

const reasonOf = ({ code, message }: NodeJS.ErrnoException, port: number): Reason =>
  code === 'EADDRINUSE' ? `port-taken ${port}` : `not-started ${message}`
