// Repeats a request at a refresh interval.
import { REFRESH_INTERVAL } from '../../contract/limits.ts'
import { isUnreachable } from './failure.ts'

/**
 * The wait is at least this many times the duration of the last request, so that polling uses at most a tenth of a slow
 * connection.
 */
const DURATION_FACTOR = 10

/** A refresh interval by its name. */
export type Pace = keyof typeof REFRESH_INTERVAL

/**
 * Sends a request now, and again one interval after each response, so that requests never overlap. Pauses while the tab
 * is hidden, and sends at once when it becomes visible. The waits become longer while responses are slow, and double
 * while the hub is unreachable; both up to the slowest interval.
 * @param request returns the result code. Its signal aborts when the polling stops.
 * @returns stops the polling
 */
export function poll(pace: Pace, request: (signal: AbortSignal) => Promise<number>): () => void {
  const abort = new AbortController()
  const { signal } = abort
  const interval = REFRESH_INTERVAL[pace]
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait: number = interval
  /**
   * Milliseconds that the previous request took. The shorter of two counts, because a single slow one says nothing
   * about the connection.
   */
  let previousDuration = 0
  let isRunning = false

  async function run(): Promise<void> {
    if (isRunning || document.hidden) return
    isRunning = true
    try {
      const start = performance.now()
      const failed = isUnreachable(await request(signal))
      const duration = performance.now() - start
      const nextWait = failed ? wait * 2 : Math.min(duration, previousDuration) * DURATION_FACTOR
      wait = Math.max(interval, Math.min(nextWait, REFRESH_INTERVAL.slowest))
      previousDuration = duration
    } catch (error) {
      // A request rejects only when the signal above aborts it.
      if (!signal.aborted) throw error
    } finally {
      isRunning = false
      if (!signal.aborted) timer = setTimeout(run, wait)
    }
  }

  function runNow(): void {
    clearTimeout(timer)
    void run()
  }

  document.addEventListener('visibilitychange', runNow, { signal })
  void run()
  return () => {
    clearTimeout(timer)
    abort.abort()
  }
}
