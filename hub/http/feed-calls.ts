// The calls that one console makes over its change feed socket. A call counts until its response has left the process,
// so that a client that asks and does not read occupies a bounded amount of memory.
import type { WebSocket } from 'ws'
import { logger } from '../../process-log/logger.ts'
import type { RequestHeaders } from '../../web-server/credentials.ts'
import type { Reply } from '../../web-server/reply.ts'
import { createGetRequest, type HubRequest, parseTarget } from '../../web-server/request.ts'

/** Calls whose response has not left the process. The console has fewer; one more closes the socket. */
export const CALLS_MAX = 32
/** Calls handled at a time. */
const RUNNING_MAX = 4
/** Calls started per second, and at once after a pause. */
export const CALL_RATE = { perSecond: 50, burst: 100 }
/** Bytes in the socket's buffer above which no message is added. */
export const BUFFER_MAX = 64 * 1024

/** RFC 6455, 7.4.1: the endpoint received data that it cannot accept. */
export const CLOSE_UNSUPPORTED_DATA = 1003

/** Handles a call. @returns its response; only JSON can be sent over the socket */
export type HandleCall = (request: HubRequest) => Promise<Reply | Response>

interface FeedCall {
  turn: number
  path: string
}

export class FeedCalls {
  readonly #socket: WebSocket
  readonly #headers: RequestHeaders
  readonly #handle: HandleCall
  readonly #onSent: () => void
  readonly #waiting: FeedCall[] = []
  #running = 0
  /** Calls that wait, run, or whose response has not been sent. */
  #open = 0
  /** Calls that may start now. It grows with time. */
  #allowance = CALL_RATE.burst
  #allowanceAt = performance.now()
  #timer: NodeJS.Timeout | undefined

  /**
   * @param headers of the upgrade request
   * @param onSent called when a response has left the process
   */
  constructor(socket: WebSocket, headers: RequestHeaders, handle: HandleCall, onSent: () => void) {
    this.#socket = socket
    this.#headers = headers
    this.#handle = handle
    this.#onSent = onSent
    socket.on('close', () => clearTimeout(this.#timer))
  }

  /** Makes a call as soon as the limits allow. @returns false if the client has too many */
  add(turn: number, path: string): boolean {
    if (!path.startsWith('/') || this.#open >= CALLS_MAX) return false
    this.#open++
    this.#waiting.push({ turn, path })
    this.#startNext()
    return true
  }

  /** Starts waiting calls. Called when a call has ended, and when a response has been sent. */
  #startNext(): void {
    const socket = this.#socket
    while (this.#waiting.length > 0 && this.#running < RUNNING_MAX && socket.bufferedAmount < BUFFER_MAX) {
      if (socket.readyState !== socket.OPEN) return
      if (!this.#takeAllowance()) return
      const call = this.#waiting.shift()
      if (call) void this.#run(call)
    }
  }

  #takeAllowance(): boolean {
    const now = performance.now()
    const earned = ((now - this.#allowanceAt) * CALL_RATE.perSecond) / 1000
    this.#allowance = Math.min(CALL_RATE.burst, this.#allowance + earned)
    this.#allowanceAt = now
    if (this.#allowance >= 1) {
      this.#allowance--
      return true
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#startNext()
    }, 1000 / CALL_RATE.perSecond)
    return false
  }

  /** Makes a call. Closes the socket if it is not a call with a JSON response. */
  async #run({ turn, path }: FeedCall): Promise<void> {
    this.#running++
    const body = await this.#requestJson(path)
    this.#running--
    if (body === undefined) return this.#socket.close(CLOSE_UNSUPPORTED_DATA)
    this.#socket.send(`{"turn":${turn},"reply":${body}}`, () => {
      this.#open--
      this.#onSent()
      this.#startNext()
    })
    this.#startNext()
  }

  async #requestJson(path: string): Promise<string | undefined> {
    try {
      const target = parseTarget(`/api${path}`, this.#headers.get('host') ?? 'hub')
      if (!target) return undefined
      const answer = await this.#handle(createGetRequest(target, this.#headers))
      if (!(answer instanceof Response)) return typeof answer.body === 'string' ? answer.body : undefined
      await answer.body?.cancel()
    } catch (error) {
      logger.error('Call over a change feed socket failed', error)
    }
    return undefined
  }
}
