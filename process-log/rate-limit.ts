// Limits log lines per minute, for each key and for all keys together, so that outsiders cannot wear out the disk.

/** Milliseconds. */
const MINUTE = 60_000

export interface RateLimit {
  /** Counts a line. @returns `last` for the last line of its minute that may be written */
  take(key: string): 'write' | 'last' | 'drop'
}

/**
 * @param perKey lines a minute of one key
 * @param total lines a minute of all keys together, so that invented keys do not raise the limit
 */
export function createRateLimit(perKey: number, total: number, now: () => number = Date.now): RateLimit {
  let minute = 0
  let totalCount = 0
  const countByKey = new Map<string, number>()
  return {
    take(key) {
      const currentMinute = Math.floor(now() / MINUTE)
      if (currentMinute !== minute) {
        minute = currentMinute
        totalCount = 0
        countByKey.clear()
      }
      const count = (countByKey.get(key) ?? 0) + 1
      if (count > perKey || totalCount >= total) return 'drop'
      totalCount++
      countByKey.set(key, count)
      return count === perKey || totalCount === total ? 'last' : 'write'
    }
  }
}
