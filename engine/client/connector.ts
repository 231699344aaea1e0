// Connects to the socket of the engine, again and again until it is closed.
import { connect } from 'node:net'
import { WebSocket } from 'ws'
import { MESSAGE_MAX } from '../connection/peer.ts'
import { CONTROL_PATH } from '../interfaces/wire.ts'

/**
 * Milliseconds until the next attempt: the first delay and the longest. An engine that has died is running again within
 * a second.
 */
const RETRY_DELAY = { first: 50, longest: 500 } as const
/** Milliseconds for an attempt, which an engine that is stopped does not answer. */
const ATTEMPT_TIMEOUT = 3000

export class Connector {
  readonly #socket: () => string
  readonly #onOpen: (socket: WebSocket) => void
  #delay: number = RETRY_DELAY.first
  #timer: ReturnType<typeof setTimeout> | undefined
  #attempt: WebSocket | undefined
  #isClosed = false

  /**
   * @param socket path of the engine's socket, which can change
   * @param onOpen receives an open connection; call `retry` when it ends
   */
  constructor(socket: () => string, onOpen: (socket: WebSocket) => void) {
    this.#socket = socket
    this.#onOpen = onOpen
  }

  connect(): void {
    if (this.#isClosed) return
    const attempt = new WebSocket(`ws://engine${CONTROL_PATH}`, {
      createConnection: () => connect(this.#socket()),
      handshakeTimeout: ATTEMPT_TIMEOUT,
      maxPayload: MESSAGE_MAX,
      perMessageDeflate: false
    })
    this.#attempt = attempt
    const handleEnd = () => this.retry()
    attempt.on('error', () => {})
    attempt.once('close', handleEnd)
    attempt.once('open', () => {
      attempt.off('close', handleEnd)
      this.#attempt = undefined
      this.#onOpen(attempt)
    })
  }

  /** The connection is of use: the next attempt after its end is made at once. */
  confirm(): void {
    this.#delay = RETRY_DELAY.first
  }

  /** Connects after a delay. */
  retry(): void {
    if (this.#isClosed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.connect(), this.#delay)
    this.#delay = Math.min(RETRY_DELAY.longest, this.#delay * 2)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#attempt?.terminate()
  }
}
