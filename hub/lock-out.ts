// Slows down guessing: after repeated failures a user name, and an address, has to wait. Unknown names wait like known ones, so that
// waiting tells nothing. Kept in memory: a restart forgives.

/** Failures before the first wait. An address may be a whole campus behind one router, so it has more. */
const FREE = { user: 5, address: 20 }
/** Milliseconds: the first wait, doubled by each further failure, and the longest. */
const FIRST_WAIT = 10_000
const LONGEST_WAIT = 15 * 60_000
/** Milliseconds without a failure after which all is forgotten. */
const FORGET = 30 * 60_000
const KEYS_MAX = 10_000

interface Count {
  failures: number
  last: number
  until: number
}

export interface LockOut {
  /** Seconds that this name or address still has to wait; 0 = it may try. */
  wait(user: string, address: string): number
  /** Counts a failure. @returns whether a wait began with it */
  failed(user: string, address: string): boolean
  succeeded(user: string, address: string): void
}

export function createLockOut(now: () => number = Date.now): LockOut {
  const counts = new Map<string, Count>()
  const keysOf = (user: string, address: string) =>
    [
      [`user ${user}`, FREE.user],
      [`address ${address}`, FREE.address]
    ] as const
  return {
    wait(user, address) {
      const until = Math.max(...keysOf(user, address).map(([key]) => counts.get(key)?.until ?? 0))
      return Math.max(0, Math.ceil((until - now()) / 1000))
    },
    failed(user, address) {
      let began = false
      for (const [key, free] of keysOf(user, address)) {
        let count = counts.get(key)
        if (!count || now() - count.last > FORGET) count = { failures: 0, last: 0, until: 0 }
        count.failures++
        count.last = now()
        if (count.failures >= free) {
          count.until = now() + Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(10, count.failures - free))
          began = true
        }
        counts.delete(key)
        counts.set(key, count)
        if (counts.size > KEYS_MAX) counts.delete(counts.keys().next().value ?? '')
      }
      return began
    },
    succeeded(user) {
      counts.delete(`user ${user}`)
    }
  }
}
