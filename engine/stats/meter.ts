// Measures the rate of one leg. Times are milliseconds of a monotonic clock.
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'

/** The rate is averaged over this window. */
const WINDOW = 2000
/** Minimum distance of two samples. */
const SPACING = 250
/** Outputs report their bytes twice a second, so a pause shorter than this is not a gap. */
const REPORT_INTERVAL = 600
/** Milliseconds by which `settledBytes` is behind. */
export const SETTLE_DELAY = REPORT_INTERVAL
/** Minimum length of the interval from which a rate is computed. */
const RATE_MIN = 500
/** A leg without a byte for this long is inactive. */
const ACTIVE_WINDOW = 3000

export interface Meter {
  add(bytes: number, now: number): void
  /** Rate over the last 2 seconds; 0 if nothing was counted in the last 3. */
  kbps(now: number): number
  /** Whether bytes were counted in the last 3 seconds. */
  isActive(now: number): boolean
  /** Milliseconds since the last gap of 3 seconds; 0 if inactive. */
  uptimeMs(now: number): number
  /** Length of the current or last run without a gap. */
  lastRunMs(): number
  /** When bytes were last counted; undefined before the first. */
  lastByteAt(): number | undefined
  totalBytes(): number
  /** The total of `SETTLE_DELAY` ago, when all reports have arrived; interpolated between two reports. */
  settledBytes(now: number): number
  /** Ends the run. `totalBytes` is kept. */
  reset(): void
}

export function createMeter(): Meter {
  /** The first sample is at or before the start of the window. */
  let samples: { at: number; total: number }[] = []
  let first: number | undefined
  let last: number | undefined
  let total = 0
  const isActive = (now: number) => last !== undefined && now - last < ACTIVE_WINDOW
  return {
    add(bytes, now) {
      if (bytes <= 0) return
      if (!isActive(now)) {
        first = now
        samples = [{ at: now, total }]
      }
      last = now
      total += bytes
      const newest = samples.at(-1)
      if (!newest || now - newest.at >= SPACING) samples.push({ at: now, total })
      while (samples[1] && samples[1].at <= now - WINDOW) samples.shift()
    },
    kbps(now) {
      if (!isActive(now) || last === undefined) return 0
      const end = Math.max(last, now - REPORT_INTERVAL)
      const base = samples.findLast((sample) => sample.at <= end - WINDOW) ?? samples[0]
      return base ? Math.round(((total - base.total) * 8) / Math.max(RATE_MIN, end - base.at)) : 0
    },
    isActive,
    uptimeMs: (now) => (isActive(now) && first !== undefined ? now - first : 0),
    lastRunMs: () => (first === undefined || last === undefined ? 0 : last - first),
    lastByteAt: () => last,
    totalBytes: () => total,
    settledBytes(now) {
      const settledAt = now - SETTLE_DELAY
      const newest = samples.at(-1)
      if (!newest || last === undefined || settledAt >= last) return total
      const after = settledAt < newest.at ? samples.findIndex((sample) => sample.at > settledAt) : samples.length
      const [from, to] = [samples[after - 1], samples[after] ?? { at: last, total }]
      if (!from) return samples[0]?.total ?? total
      return from.total + ((to.total - from.total) * (settledAt - from.at)) / (to.at - from.at)
    },
    reset() {
      samples = []
      first = undefined
      last = undefined
    }
  }
}

/** The observed values of an active leg. */
export function observeActive(meter: Meter, now: number) {
  return {
    state: SOURCE_STATE.running,
    connState: CONNECTION_STATE.connected,
    kbps: meter.kbps(now),
    livingTimeS: Math.floor(meter.uptimeMs(now) / 1000)
  }
}
