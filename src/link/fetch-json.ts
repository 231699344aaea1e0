// A single request with its response: timeout, and result codes for responses without one.
import { atom } from 'nanostores'
import { NOT_LOGGED_IN, NOT_PERMITTED, TOO_LARGE, UNKNOWN_ERROR, UNSUPPORTED } from '../../contract/codes.ts'
import { REQUEST_TIMEOUT } from '../../contract/limits.ts'
import { NO_CONNECTION, REQUEST_TIMED_OUT } from './failure.ts'

/** How the console reaches the hub. */
export interface Transport {
  fetch: typeof fetch
  socket(url: string): WebSocket
  /** Prefix of `/api` and `/socket`: empty, or an origin. */
  base: string
  /** Cloud variant: serial number of the hub behind the relay. */
  relayedHub?: string
  /** The pages are those of the cloud itself: paths of its calls, below `/api`. */
  cloudCalls?: ReadonlySet<string>
}

export const transport: Transport = {
  fetch: (input, init) => fetch(input, init),
  socket: (url) => new WebSocket(url),
  base: ''
}

/** Replaces parts of the transport: `relayedHub` in the cloud variant, anything in tests. */
export function setTransport(parts: Partial<Transport>): void {
  Object.assign(transport, parts)
}

/** Time of the last message of the hub in milliseconds since the epoch; 0 = none yet. */
export const $lastResponseAt = atom(0)

/** Records that the hub has sent a message. */
export function markAlive(): void {
  $lastResponseAt.set(Date.now())
}

/**
 * When the request was sent to which the hub last responded that nobody is signed in (result 37), on the clock of
 * `performance.now()`. A request that was sent before a sign-in is not about the session after it.
 */
export const $unauthorizedAt = atom(0)

/** Records that nobody is signed in. */
export function markUnauthorized(requestedAt = performance.now()): void {
  $unauthorizedAt.set(requestedAt)
}

export interface SendOptions {
  /** Aborts the request. The promise is then rejected with the signal's reason. */
  signal?: AbortSignal
  /** Milliseconds in which the response must be complete. */
  timeout?: number
  /** Extends the session, although the call is one of those that the console makes by itself. */
  isUse?: boolean
}

/**
 * Result codes by HTTP status, for responses without a result. 502 and 503 come from a reverse proxy that does not
 * reach its hub.
 */
const CODE_OF_STATUS: Readonly<Record<number, number>> = {
  403: NOT_PERMITTED,
  404: UNSUPPORTED,
  405: UNSUPPORTED,
  413: TOO_LARGE,
  502: NO_CONNECTION,
  503: NO_CONNECTION,
  504: REQUEST_TIMED_OUT
}

/** Parses a JSON object. @returns an object without fields when the text is not one */
function parseFields(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/**
 * Sends a request and reads its JSON response.
 * @returns the fields of the response. `result` is always set. Rejected only when the caller's signal aborts the
 * request.
 */
export async function fetchJson(
  url: string,
  init: RequestInit,
  { signal, timeout = REQUEST_TIMEOUT }: SendOptions = {}
): Promise<{ result: number }> {
  const requestedAt = performance.now()
  const timeoutSignal = AbortSignal.timeout(timeout)
  try {
    const response = await transport.fetch(url, {
      cache: 'no-store',
      ...init,
      signal: signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal
    })
    const fields = parseFields(await response.text())
    signal?.throwIfAborted()
    const { result } = fields
    // Some devices, whose responses a hub passes on, have their result code in `status`. A gateway, such as the cloud,
    // has a code of its own if it does not reach the hub: the hub has not answered.
    if (typeof result !== 'number' || response.status > 501)
      return { ...('status' in fields && fields), result: CODE_OF_STATUS[response.status] ?? UNKNOWN_ERROR }
    markAlive()
    if (result === NOT_LOGGED_IN) markUnauthorized(requestedAt)
    return { ...fields, result }
  } catch {
    signal?.throwIfAborted()
    return { result: timeoutSignal.aborted ? REQUEST_TIMED_OUT : NO_CONNECTION }
  }
}
