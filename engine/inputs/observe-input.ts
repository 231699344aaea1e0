// The observed state of an input that receives no media.
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import { observeWaiting } from '../access/refused-callers.ts'
import type { ObservedLeg, WantedInput } from '../interfaces/channel.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { SharedPortInputs, ShownRefusal } from '../interfaces/leg-parts.ts'
import type { InputCommand } from '../interfaces/legs.ts'
import { failure, PROGRAM_STUCK } from '../process/failure.ts'

/**
 * Milliseconds for which a failure is shown while the next attempt has no result; less for a listener, which is soon
 * ready again.
 */
const FAILURE_SHOWN = 5000
const LISTENER_FAILURE_SHOWN = 1000

interface InactiveInput {
  wanted: WantedInput
  /** The command of the last run. */
  command: InputCommand | undefined
  isDevice: boolean
  /** Why the last attempt failed. */
  failure: Failure | undefined
  /** Milliseconds since the run started; undefined if none is running. */
  runMs: number | undefined
  /** The last caller that was refused. */
  refusal: ShownRefusal | undefined
  /** Whether the run had media. */
  hadMedia: boolean
  /** Whether bytes arrive that are not MPEG-TS. */
  isInvalid: boolean
  /** Whether it is restarting with other push settings. */
  isReconfiguring: boolean
  /** Whether a program of it does not run although it has not ended. */
  isStuck: boolean
}

/** The state of an input whose device is offline, or whose publisher is not connected. */
export function observeUnavailable(wanted: WantedInput, { lastRefusal, portFailure }: SharedPortInputs): ObservedLeg {
  const idle = { kbps: 0, livingTimeS: 0 }
  if (wanted.kind !== 'pushed')
    return { ...idle, state: SOURCE_STATE.offline, connState: CONNECTION_STATE.disconnected, reason: 'device-offline' }
  // The fault of this machine comes first.
  const fault = portFailure(wanted.channel)
  return {
    ...idle,
    ...(fault === undefined
      ? observeWaiting(lastRefusal(wanted.channel))
      : failure(CONNECTION_STATE.creationFailed, fault))
  }
}

export function observeInactive(input: InactiveInput): Pick<ObservedLeg, 'state' | 'connState' | 'reason' | 'refusal'> {
  const { wanted, command, failure: lastFailure, runMs, isInvalid } = input
  if (input.isStuck) return PROGRAM_STUCK
  const isRunning = runMs !== undefined
  const machineFault = isRunning ? command?.machineFault?.() : undefined
  if (machineFault) return machineFault
  if (input.isReconfiguring && !lastFailure)
    return { state: SOURCE_STATE.configuring, connState: CONNECTION_STATE.connecting }
  // A sender that was started again with another stream ID is refused before its previous connection has ended.
  const isOnlyEnded = lastFailure === undefined || lastFailure.reason === 'other-end'
  if (command?.isListener && !isInvalid && isOnlyEnded && input.refusal) return observeWaiting(input.refusal)
  const shownFor = command?.isListener && wanted.kind === 'url' ? LISTENER_FAILURE_SHOWN : FAILURE_SHOWN
  if (lastFailure && !(isRunning && runMs > shownFor)) return lastFailure
  if (input.refusal?.isAlarm) return observeWaiting(input.refusal)
  if (isRunning && (input.hadMedia || isInvalid))
    return {
      state: SOURCE_STATE.running,
      connState: CONNECTION_STATE.waitingForData,
      reason: isInvalid ? 'not-mpeg-ts' : 'no-data'
    }
  const problem = isRunning ? command?.problem?.() : undefined
  if (problem) return problem
  if (command?.isConnectionless) return { state: SOURCE_STATE.running, connState: CONNECTION_STATE.waitingForData }
  if (command?.isListener && !input.isDevice) return observeWaiting(input.refusal)
  return { state: SOURCE_STATE.adding, connState: CONNECTION_STATE.connecting }
}
