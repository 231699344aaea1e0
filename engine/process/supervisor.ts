// Keeps one process running for as long as it is wanted: starts it, starts it again after a failure, and never runs two.
import { CONNECTION, SOURCE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { createBackOff } from './back-off.ts'
import { type Failure, failure } from './failure.ts'
import { NotInstalled, type Process } from './launcher.ts'

/** One try. What an earlier one says late is ignored. */
export interface Attempt {
  alive(): boolean
  /** The process is over. With a failure the next try waits; without one it starts at once. */
  over(why?: Failure): void
}

export interface Supervisor {
  /** Starts what is parked; with `now`, also what waits for its next try. */
  wake(now?: boolean): void
  /** Ends what runs and forgets its failure until `wake`. Resolves when it is gone. */
  park(): Promise<void>
  /** Ends what runs and tries again: after a pause with a failure, at once without. */
  again(why?: Failure): void
  /** It works: the last failure no longer stands. */
  works(): void
  phase(): 'parked' | 'pausing' | 'starting' | 'running'
  /** Why the last try failed, until something works. */
  failure(): Failure | undefined
  /** When the present try began. */
  since(): number
}

export interface Supervised {
  /** Starts the process. An error is a creation that failed. */
  begin(attempt: Attempt): Promise<Process | undefined>
  /** Milliseconds for which the last run carried. */
  carried(): number
  changed(): void
  /** Resolves when ended processes have freed their ports. */
  quiet(): Promise<void>
  now(): number
}

/** Why nothing could be started. */
function reasonOf(error: unknown): Reason {
  if (!(error instanceof NotInstalled)) return `not-started ${(error as Error).message}`
  return error.install === undefined ? `not-installed ${error.program}` : `install-with ${error.install}`
}

export function createSupervisor({ begin, carried, changed, quiet, now }: Supervised): Supervisor {
  const backOff = createBackOff()
  let phase: ReturnType<Supervisor['phase']> = 'parked'
  let turn = 0
  let process: Process | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let why: Failure | undefined
  let since = 0

  function end(): Promise<void> {
    turn++
    clearTimeout(timer)
    const old = process
    process = undefined
    return old?.stop() ?? Promise.resolve()
  }

  async function start(): Promise<void> {
    clearTimeout(timer)
    phase = 'starting'
    since = now()
    const mine = ++turn
    const alive = () => turn === mine
    await quiet()
    if (!alive()) return
    since = now()
    try {
      const begun = await begin({
        alive,
        over(reason) {
          if (alive()) again(reason)
        }
      })
      if (!alive()) {
        begun?.stop()
        return
      }
      process = begun
      phase = 'running'
      changed()
    } catch (error) {
      if (alive()) again(failure(CONNECTION.creationFailed, reasonOf(error), SOURCE.addFailed))
    }
  }

  function again(reason?: Failure): void {
    end()
    why = reason
    phase = 'pausing'
    timer = setTimeout(start, reason ? backOff.failed(carried()) : 0)
    changed()
  }

  return {
    wake(force = false) {
      if (force && phase === 'pausing') {
        backOff.reset()
        end()
        phase = 'parked'
      }
      if (phase === 'parked') start()
    },
    park() {
      const gone = end()
      if (phase !== 'parked') changed()
      phase = 'parked'
      why = undefined
      return gone
    },
    again,
    works() {
      why = undefined
    },
    phase: () => phase,
    failure: () => why,
    since: () => since
  }
}
