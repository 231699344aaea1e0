// History of a leg since its start, which its current state does not show: whether it had media, and why it failed
// last. A leg that is tried again after a failure is down, and not starting.
import type { HealthReason } from '../../contract/health.ts'
import { isConnected, type LegFacts } from '../../contract/stream/channel-health.ts'

import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { ObservedLeg } from '../../engine/interfaces/channel.ts'
import { causeOf } from './causes.ts'

/**
 * Milliseconds for which a leg without media and without a failure is starting: at its first start, and when the engine
 * restarts it.
 */
const START_TIME = 10_000
const RESTART_TIME = 4000
/** Milliseconds after a restart of the engine within which peers connect again. */
const RECONNECT_TIME = 15_000

/** State, connection state and reason of a leg, and the caller that it refused, as the engine observed them. */
export type LegState = Pick<ObservedLeg, 'state' | 'connState' | 'reason' | 'refusal'>

export type LegKind = 'input' | 'output'

/** A leg as its verdict sees it. */
export interface KnownLeg extends LegFacts {
  /** The failure that explains the verdict; the state of now if there is none. */
  failure: LegState
}

/** What the engine found wrong with the tracks of an input that has media. */
function trackFault(reason: Reason | undefined): Pick<LegFacts, 'cause' | 'audio-track'> {
  const cause = causeOf(reason)
  const [code, value] = reason?.split(' ', 2) ?? []
  return { ...(cause && { cause }), ...(code === 'audio-track-lost' && { 'audio-track': Number(value) }) }
}

/** Why a leg still waits: a caller was refused. */
function waitingCause({ reason, refusal }: LegState): Pick<LegFacts, 'cause'> {
  const cause = refusal && causeOf(reason)
  return cause ? { cause } : {}
}

const hasFailed = ({ state, connState }: LegState) =>
  state === SOURCE_STATE.addFailed ||
  (state >= SOURCE_STATE.unsupported && state <= SOURCE_STATE.failed) ||
  connState >= CONNECTION_STATE.failed

export class LegHistory {
  readonly #kind: LegKind
  #startsUntil: number
  /** Whether it is past its start: it had media, or failed, or the time is over. */
  #isStarted = false
  #hadMedia = false
  /** Whether it has media now, as far as the engine has told. */
  #isCarrying = false
  #failure: LegState | undefined
  /** When the engine was restarted while it had media, until it has media again. */
  #engineRestartedAt: number | undefined

  /** @param now milliseconds since the epoch, as in all methods */
  constructor(kind: LegKind, now: number) {
    this.#kind = kind
    this.#startsUntil = now + START_TIME
  }

  /**
   * It was started before this hub. @param start milliseconds since the epoch @param hadMedia whether it has had media
   * since then
   */
  assumeStart(start: number, hadMedia: boolean): void {
    this.#startsUntil = Math.min(this.#startsUntil, start + START_TIME)
    this.#hadMedia ||= hadMedia
  }

  /** It starts again, with other settings. */
  restart(now: number): void {
    this.#start(now, START_TIME)
    this.#failure = undefined
    this.#engineRestartedAt = undefined
  }

  /** It starts again in another engine. */
  restartInEngine(now: number): void {
    const hadMedia = this.#isCarrying || this.#engineRestartedAt !== undefined
    this.restart(now)
    if (hadMedia) this.#engineRestartedAt = now
  }

  /** @param isFed for an output: whether there is media to send */
  update(observed: LegState, now: number, isFed = true): KnownLeg {
    const { state, connState, reason } = observed
    const leg: LegFacts = { state, 'conn-state': connState }
    // It says nothing about the leg itself.
    if (reason === 'engine-away') return { ...leg, cause: 'engine-away', failure: observed }
    this.#isCarrying = isConnected(leg)
    if (isConnected(leg)) {
      this.#isStarted = true
      this.#hadMedia = true
      this.#failure = undefined
      this.#engineRestartedAt = undefined
      return { ...leg, ...trackFault(reason), failure: observed }
    }
    if (hasFailed(observed)) return this.#fail(observed)
    const isOutput = this.#kind === 'output'
    if (isOutput && (!isFed || reason === 'input-silent')) {
      // Without media no failure can be told from a silent input.
      this.#start(now, START_TIME)
      return { ...leg, cause: 'input-silent', failure: observed }
    }
    if (connState === CONNECTION_STATE.waiting && state === SOURCE_STATE.running)
      return isOutput || !this.#hadMedia
        ? { ...leg, ...waitingCause(observed), failure: observed }
        : this.#fail(observed, this.#restartCause(now) ?? 'input-lost')
    // The engine restarts a leg that has not failed, for example an output whose stream has other codecs.
    if (this.#isStarted && !this.#failure && connState === CONNECTION_STATE.connecting && !reason)
      this.#start(now, RESTART_TIME)
    if (!this.#isStarted && now < this.#startsUntil) {
      const restartCause = this.#restartCause(now)
      return { ...leg, ...(restartCause && { cause: restartCause }), failure: observed }
    }
    return this.#fail(reason || !this.#failure ? observed : this.#failure, this.#silenceCause(connState))
  }

  #start(now: number, time: number): void {
    this.#isStarted = false
    this.#startsUntil = now + time
  }

  /** The fault of this hub comes before that of a peer. */
  #restartCause(now: number): HealthReason | undefined {
    const at = this.#engineRestartedAt
    return at === undefined ? undefined : now - at < RECONNECT_TIME ? 'engine-restarted' : 'not-reconnected'
  }

  #silenceCause(connState: number): HealthReason {
    if (connState === CONNECTION_STATE.connecting && !this.#hadMedia) return 'unreachable'
    return this.#kind === 'output' ? 'unreachable' : this.#hadMedia ? 'input-lost' : 'no-data'
  }

  /** @param cause if neither reason nor connection state tells it */
  #fail(failure: LegState, cause?: HealthReason): KnownLeg {
    this.#isStarted = true
    this.#failure = failure
    const { connState, reason } = failure
    const isLost = connState === CONNECTION_STATE.disconnected && this.#hadMedia && this.#kind === 'input'
    const known = causeOf(reason) ?? (isLost ? 'input-lost' : undefined)
    const finalCause = known ?? (connState < CONNECTION_STATE.failed ? cause : undefined)
    return {
      state: SOURCE_STATE.failed,
      'conn-state': Math.max(connState, CONNECTION_STATE.failed),
      ...(finalCause && { cause: finalCause }),
      failure
    }
  }
}
