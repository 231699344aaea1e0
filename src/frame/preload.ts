// Loads the later script before it is needed.

import { $dataSaver } from '../state/previews.ts'
import { $system } from '../state/system.ts'
import { preloadLater } from '../ui/lazy/later-script.ts'

/** Milliseconds after which the script is loaded although the browser is not idle. */
const IDLE_TIMEOUT = 5_000

/** Runs a function when the browser has nothing else to do. Safari does not offer that. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: IDLE_TIMEOUT })
  else setTimeout(run, IDLE_TIMEOUT)
}

/**
 * Loads the later script when the first screen has its data and the browser is idle. With the data saver it is loaded
 * when it is needed. A failure is not reported: the script is requested again when it is needed.
 * @returns stops waiting
 */
export function preloadWhenIdle(): () => void {
  const stop = $system.subscribe(({ value }) => {
    if (!value || $dataSaver.get()) return
    queueMicrotask(() => stop())
    whenIdle(() => void preloadLater(() => import('../screens/profile/profile.tsx')).catch(() => undefined))
  })
  return stop
}
