// The observed state of a process output that sends no media.
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { ObservedOutput } from '../interfaces/channel.ts'
import type { Failure } from '../interfaces/errors.ts'
import { PROGRAM_STUCK } from '../process/failure.ts'
import type { Supervisor } from '../process/supervisor.ts'

/**
 * Milliseconds for which a failure is shown while the next attempt has no result; less for a listener, which is soon
 * ready again.
 */
const FAILURE_SHOWN = 5000
const LISTENER_FAILURE_SHOWN = 1000

interface InactiveOutput {
  /** Whether the target is open. */
  isOpen: boolean
  isListener: boolean
  /** Whether media waits for the target. */
  isStuck: boolean
  /** Whether the process does not run although it has not ended. */
  isProgramStuck: boolean
  /** Whether it is an SRT connection, whose receiver acknowledges nothing while it is stuck. */
  isSrtCall: boolean
  /** Whether the port of the receiver has been found closed. */
  isPortClosed: boolean
  isInputActive: boolean
  phase: ReturnType<Supervisor['phase']>
  /** Why the last attempt failed. */
  failure: Failure | undefined
  /** Milliseconds since the attempt started. */
  runMs: number
}

type State = Pick<ObservedOutput, 'state' | 'connState' | 'reason'>

export function observeInactive(output: InactiveOutput): State {
  if (output.isProgramStuck) return PROGRAM_STUCK
  if (!output.isOpen) return observeClosed(output)
  if (output.isInputActive && output.isStuck && output.isPortClosed)
    return { state: SOURCE_STATE.failed, connState: CONNECTION_STATE.refused, reason: 'no-one-there' }
  const reason: Reason | undefined = !output.isInputActive
    ? 'input-silent'
    : output.isStuck
      ? output.isSrtCall
        ? 'target-silent'
        : 'target-stuck'
      : undefined
  return {
    state: SOURCE_STATE.running,
    connState: CONNECTION_STATE.waitingForData,
    ...(reason && { reason })
  }
}

function observeClosed({ isListener, isInputActive, phase, failure, runMs }: InactiveOutput): State {
  const shownFor = isListener ? LISTENER_FAILURE_SHOWN : FAILURE_SHOWN
  if (failure && !(phase === 'running' && runMs > shownFor)) return failure
  if (isListener) return { state: SOURCE_STATE.running, connState: CONNECTION_STATE.waiting }
  if (phase !== 'parked') return { state: SOURCE_STATE.adding, connState: CONNECTION_STATE.connecting }
  // It starts when there is media.
  return {
    ...(!isInputActive && { reason: 'input-silent' as const }),
    state: SOURCE_STATE.initializing,
    connState: CONNECTION_STATE.waiting
  }
}
