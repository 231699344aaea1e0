// The last caller that a listening leg has refused. The leg says why, until a caller is accepted or ten minutes are
// over. Strangers can call as often as they like: only one refusal is kept, and it changes at most once a second.
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { ObservedLeg, ObservedRefusal } from '../interfaces/channel.ts'
import type { ShownRefusal } from '../interfaces/leg-parts.ts'

/** Milliseconds for which a refusal is shown. */
const SHOWN = 10 * 60_000
/** Milliseconds for which a leg counts as failed because of a refusal; afterwards it waits for the next caller. */
const ALARM = 10_000
/** Reasons of callers that know a stream ID or key. Everybody can call without, so that is no alarm. */
const ALARMING: readonly Reason[] = ['wrong-passphrase', 'from-elsewhere', 'key-other-way']
/** Milliseconds between two changes of what is shown; more for the same caller that calls again. */
const CHANGE_INTERVAL = 1000
const REPEAT_INTERVAL = 5000
/** Characters of a stream ID that are shown. */
const STREAM_ID_SHOWN = 48
/** Length from which the first characters of a secret are shown. */
const MASKED_LENGTH = 8

export class RefusedCallers {
  readonly #now: () => number
  #last: { refusal: ObservedRefusal; changedAt: number; lastAt: number } | undefined

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number) {
    this.#now = now
  }

  /** @param address IP address; empty if it is unknown. @returns whether what is shown has changed */
  record(reason: Reason, address: string): boolean {
    const now = this.#now()
    const last = this.#last
    const isSame = last?.refusal.reason === reason && (last.refusal.address ?? '') === address
    if (last && now - last.changedAt < (isSame ? REPEAT_INTERVAL : CHANGE_INTERVAL)) {
      last.lastAt = now
      return false
    }
    this.#last = { refusal: { reason, at: Date.now(), ...(address && { address }) }, changedAt: now, lastAt: now }
    return true
  }

  /** A caller was accepted. */
  clear(): void {
    this.#last = undefined
  }

  last(): ShownRefusal | undefined {
    const last = this.#last
    const age = last ? this.#now() - last.lastAt : SHOWN
    if (!last || age >= SHOWN) return undefined
    const { refusal, lastAt } = last
    return { refusal, lastAt, isAlarm: age < ALARM && ALARMING.includes(refusal.reason) }
  }
}

/** The state of a leg that waits for a caller. */
export function observeWaiting(
  shown: ShownRefusal | undefined
): Pick<ObservedLeg, 'state' | 'connState' | 'reason' | 'refusal'> {
  const connState = shown?.isAlarm ? CONNECTION_STATE.notAuthorized : CONNECTION_STATE.waiting
  const { refusal } = shown ?? {}
  return { state: SOURCE_STATE.running, connState, ...(refusal && { reason: refusal.reason, refusal }) }
}

/** A secret of which only so much is shown that its owner recognizes it: `PU…`, or `…` if it is short. */
export const maskSecret = (text: string): string =>
  `${text.length >= MASKED_LENGTH ? printable(text).slice(0, 2) : ''}…`

/**
 * The reason for refusing a stream ID.
 * @param isSecret whether it is a stream key of this hub, which is then masked
 */
export function refusedStreamId(streamId: string, isSecret: boolean): Reason {
  const text = isSecret ? maskSecret(streamId) : printable(streamId)
  return text === ''
    ? 'stream-id-absent'
    : `stream-id-refused ${text.length > STREAM_ID_SHOWN ? `${text.slice(0, STREAM_ID_SHOWN)}…` : text}`
}

/** Replaces control characters, invalid bytes and marks that change the direction of text. */
const printable = (text: string): string => text.replace(/[\p{C}\p{Z}\ufffd]/gu, '?').trim()
