// Keeps a flood of lines from wearing out the disk: so many a minute for each who causes them, and so many for all of them together.

/** Milliseconds. */
const MINUTE = 60_000

export interface Flood {
  /** Counts one more. @returns whether it may be written, and is the last one of its minute that may */
  take(key: string): 'write' | 'last' | 'drop'
}

/**
 * @param each lines a minute of one key
 * @param all lines a minute of all keys together: who makes up keys gains nothing
 */
export function createFlood(each: number, all: number, now: () => number = Date.now): Flood {
  let minute = 0
  let total = 0
  const counts = new Map<string, number>()
  return {
    take(key) {
      const present = Math.floor(now() / MINUTE)
      if (present !== minute) {
        minute = present
        total = 0
        counts.clear()
      }
      const mine = (counts.get(key) ?? 0) + 1
      if (mine > each || total >= all) return 'drop'
      total++
      counts.set(key, mine)
      return mine === each || total === all ? 'last' : 'write'
    }
  }
}
