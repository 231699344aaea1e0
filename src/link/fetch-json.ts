// One request and its answer: the time limit, and what to make of an answer that is none. Everything above gets a result code.
import { atom } from 'nanostores'
import { NOT_LOGGED_IN, NOT_PERMITTED, TOO_LARGE, UNKNOWN_ERROR, UNSUPPORTED } from '../../contract/codes.ts'
import { REQUEST_TIMEOUT } from '../../contract/limits.ts'
import { NO_CONNECTION, REQUEST_TIMED_OUT } from './failure.ts'

/** The way to the hub. */
export interface Door {
  fetch: typeof fetch
  socket(url: string): WebSocket
  /** What comes before `/api` and `/socket`: nothing, or an origin. */
  base: string
  /** Cloud variant: the serial number of the hub behind the relay. */
  hub?: string
}

export const door: Door = {
  fetch: (input, init) => fetch(input, init),
  socket: (url) => new WebSocket(url),
  base: ''
}

/** Replaces parts of the door: the cloud variant gives `hub`, tests give the rest. */
export function setDoor(parts: Partial<Door>): void {
  Object.assign(door, parts)
}

/** When the hub last said anything: milliseconds since the epoch, 0 = never. */
export const $heard = atom(0)

/** Notes a word of the hub. */
export function hear(): void {
  $heard.set(Date.now())
}

/**
 * When what the hub last refused since nobody is signed in (result 37) was asked, on the clock of `performance.now()`: what was asked
 * before a sign-in says nothing about the session after it.
 */
export const $refused = atom(0)

/** Announces that nobody is signed in. */
export function refuse(asked = performance.now()): void {
  $refused.set(asked)
}

export interface SendOptions {
  /** Ends the request; the promise is then rejected with the signal's reason. */
  signal?: AbortSignal
  /** Milliseconds until the answer must be complete. */
  timeout?: number
}

/** Codes for answers without one. The 502 and 503 are a front server's whose hub is not there. */
const CODE_OF_STATUS: Readonly<Record<number, number>> = {
  403: NOT_PERMITTED,
  404: UNSUPPORTED,
  405: UNSUPPORTED,
  413: TOO_LARGE,
  502: NO_CONNECTION,
  503: NO_CONNECTION,
  504: REQUEST_TIMED_OUT
}

/** The fields of an answer. */
type Fields = Record<string, unknown>

/** The answer's JSON object; nothing where it is none. */
function fieldsOf(text: string): Fields {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/**
 * Sends a request and reads its answer.
 * @returns the answer's fields, with its code in `result`. Rejected only when the caller's signal ends it.
 */
export async function exchange(
  url: string,
  init: RequestInit,
  { signal, timeout = REQUEST_TIMEOUT }: SendOptions = {}
): Promise<{ result: number }> {
  const asked = performance.now()
  const limit = AbortSignal.timeout(timeout)
  try {
    const response = await door.fetch(url, {
      cache: 'no-store',
      ...init,
      signal: signal ? AbortSignal.any([signal, limit]) : limit
    })
    const fields = fieldsOf(await response.text())
    signal?.throwIfAborted()
    const { result } = fields
    if (typeof result !== 'number') return { result: CODE_OF_STATUS[response.status] ?? UNKNOWN_ERROR }
    hear()
    if (result === NOT_LOGGED_IN) refuse(asked)
    return { ...fields, result }
  } catch {
    signal?.throwIfAborted()
    return { result: limit.aborted ? REQUEST_TIMED_OUT : NO_CONNECTION }
  }
}
