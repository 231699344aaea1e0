// Counts what one leg carries. Times are milliseconds of a clock that never goes back.
const BUCKET = 250
const WINDOW = 2000
/** Without a byte for this long nothing is carried. */
export const CARRYING = 3000

export interface Meter {
  add(bytes: number, now: number): void
  /** Over the last 2 seconds; 0 when nothing was counted in the last 3. */
  kbps(now: number): number
  /** Whether bytes were counted in the last 3 seconds. */
  carrying(now: number): boolean
  /** Milliseconds without a break of 3 seconds; 0 when it does not carry. */
  living(now: number): number
  /** How long the last run lasted, whether or not it has ended. */
  ran(): number
  /** When the last byte was counted; undefined before the first one. */
  last(): number | undefined
  total(): number
  /** The run is over: what comes next counts as a new one. `total` goes on. */
  reset(): void
}

export function createMeter(): Meter {
  let buckets: { slot: number; bytes: number }[] = []
  let first: number | undefined
  let last: number | undefined
  let total = 0
  const carrying = (now: number) => last !== undefined && now - last < CARRYING
  return {
    add(bytes, now) {
      if (bytes <= 0) return
      if (!carrying(now)) first = now
      last = now
      total += bytes
      const slot = Math.floor(now / BUCKET)
      const newest = buckets.at(-1)
      if (newest?.slot === slot) newest.bytes += bytes
      else {
        buckets.push({ slot, bytes })
        if (buckets.length > WINDOW / BUCKET + 1) buckets.shift()
      }
    },
    kbps(now) {
      if (!carrying(now) || first === undefined) return 0
      const oldest = Math.floor((now - WINDOW) / BUCKET)
      let bytes = 0
      for (const bucket of buckets) if (bucket.slot > oldest) bytes += bucket.bytes
      // A run younger than the window is measured over its own age; below half a second that says nothing.
      return Math.round((bytes * 8) / Math.min(WINDOW, Math.max(500, now - first)))
    },
    carrying,
    living: (now) => (carrying(now) && first !== undefined ? now - first : 0),
    ran: () => (first === undefined || last === undefined ? 0 : last - first),
    last: () => last,
    total: () => total,
    reset() {
      buckets = []
      first = undefined
      last = undefined
    }
  }
}
