// Follows the hub through a restart: asks until another hub process answers than the one that accepted the restart.
import { NOT_LOGGED_IN, SUCCESS } from '../../../contract/codes.ts'
import { getPower } from '../../../contract/machine/power.ts'
import { isUnreachable } from '../../link/failure.ts'
import { send } from '../../link/send.ts'

/** Milliseconds between two requests, and in which a response must be complete. */
const INTERVAL = 1000
const TIMEOUT = 4000

/**
 * - `running`: the hub that accepted the restart still answers
 * - `away`: no hub answers
 * - `back`: a hub that was started since answers, or one that does not know the session
 * - `failed`: the hub says why the restart did not happen
 */
export type HubProgress =
  | { state: 'running' }
  | { state: 'away' }
  | { state: 'back' }
  | { state: 'failed'; reason: string }

const pause = () => new Promise((resolve) => setTimeout(resolve, INTERVAL))

async function ask(startTime: number, signal: AbortSignal): Promise<HubProgress> {
  const response = await send(getPower, {}, { timeout: TIMEOUT, signal })
  if (isUnreachable(response.result)) return { state: 'away' }
  if (response.result === NOT_LOGGED_IN) return { state: 'back' }
  if (response.result !== SUCCESS) return { state: 'running' }
  if (response['start-time'] !== startTime) return { state: 'back' }
  return response.failure ? { state: 'failed', reason: response.failure } : { state: 'running' }
}

/** Reports the progress until the hub is back or has failed, or the signal aborts. */
export async function followRestart(
  startTime: number,
  onProgress: (progress: HubProgress) => void,
  signal: AbortSignal
): Promise<void> {
  while (!signal.aborted) {
    await pause()
    const progress = await ask(startTime, signal).catch((): undefined => undefined)
    if (signal.aborted || !progress) return
    onProgress(progress)
    if (progress.state === 'back' || progress.state === 'failed') return
  }
}
