// Asking again and again, at the paces of specification 9.
import { PACE } from '../../contract/limits.ts'
import { unheard } from './failure.ts'

/** A wait is so many times what the last look took, up to the slowest pace: asking takes a tenth of a line at most. */
const RESTS = 10

/** A refresh interval by its name. */
export type Pace = keyof typeof PACE

/**
 * Calls `look` now, and again `pace` after each time it ended; so it never overlaps itself. Rests while the tab is hidden and looks
 * at once on return. Where answers take long, looks are rarer. As long as the hub is not heard the waits double, up to the slowest pace.
 * @param look answers a result code; its signal ends when the polling does
 * @returns how to stop it
 */
export function poll(pace: Pace, look: (signal: AbortSignal) => Promise<number>): () => void {
  const over = new AbortController()
  const { signal } = over
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait: number = PACE[pace]
  /** What the look before took: one that stalled says nothing of the line. */
  let before = 0
  let busy = false

  async function tick(): Promise<void> {
    if (busy || document.hidden) return
    busy = true
    try {
      const began = performance.now()
      const missed = unheard(await look(signal))
      const took = performance.now() - began
      wait = Math.max(PACE[pace], Math.min(missed ? wait * 2 : Math.min(took, before) * RESTS, PACE.slowest))
      before = took
    } catch (error) {
      // Ended in mid-request by the signal above, which is all that rejects.
      if (!signal.aborted) throw error
    } finally {
      busy = false
      if (!signal.aborted) timer = setTimeout(tick, wait)
    }
  }

  function wake(): void {
    clearTimeout(timer)
    void tick()
  }

  document.addEventListener('visibilitychange', wake, { signal })
  void tick()
  return () => {
    clearTimeout(timer)
    over.abort()
  }
}
