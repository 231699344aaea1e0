// Limits how many devices of a process connect to the hub at the same time. Real devices have a processor each. Shared
// processes would not be able to respond if thousands of their devices connected at once.

/** Maximum number of concurrent attempts. */
const SLOTS = 40

let used = 0
const queue: (() => void)[] = []

/**
 * Waits for a slot.
 * @param onAcquired called when the slot is acquired, with a function that releases it. Further calls of that function
 * have no effect
 * @returns function that stops waiting
 */
export function acquireDialSlot(onAcquired: (release: () => void) => void): () => void {
  const acquire = () => {
    let isReleased = false
    used++
    onAcquired(() => {
      if (isReleased) return
      isReleased = true
      used--
      queue.shift()?.()
    })
  }
  if (used < SLOTS) {
    acquire()
    return () => {}
  }
  queue.push(acquire)
  return () => {
    const index = queue.indexOf(acquire)
    if (index >= 0) queue.splice(index, 1)
  }
}
