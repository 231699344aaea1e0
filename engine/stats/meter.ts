// Counts what one leg carries. Times are milliseconds of a clock that never goes back.
import { CONNECTION, SOURCE } from '../../contract/stream/protocols.ts'

const WINDOW = 2000
const SPACING = 250
/** Outputs are heard of twice a second: a byte less old than this is not yet a gap. */
const REPORT = 600
/** Milliseconds by which `settled` is behind. */
export const LAG = REPORT
/** A run younger than this says nothing of a rate. */
const YOUNG = 500
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
  /** What had been counted `LAG` ago, when all of it had been heard of: in between two reports as much as fits their times. */
  settled(now: number): number
  /** The run is over: what comes next counts as a new one. `total` goes on. */
  reset(): void
}

export function createMeter(): Meter {
  /** What had been counted when; the first one lies at or before the beginning of the window. */
  let samples: { at: number; total: number }[] = []
  let first: number | undefined
  let last: number | undefined
  let total = 0
  const carrying = (now: number) => last !== undefined && now - last < CARRYING
  return {
    add(bytes, now) {
      if (bytes <= 0) return
      if (!carrying(now)) {
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
      if (!carrying(now) || last === undefined) return 0
      const end = Math.max(last, now - REPORT)
      const base = samples.findLast((sample) => sample.at <= end - WINDOW) ?? samples[0]
      return base ? Math.round(((total - base.total) * 8) / Math.max(YOUNG, end - base.at)) : 0
    },
    carrying,
    living: (now) => (carrying(now) && first !== undefined ? now - first : 0),
    ran: () => (first === undefined || last === undefined ? 0 : last - first),
    last: () => last,
    total: () => total,
    settled(now) {
      const at = now - LAG
      const newest = samples.at(-1)
      if (!newest || last === undefined || at >= last) return total
      const after = at < newest.at ? samples.findIndex((sample) => sample.at > at) : samples.length
      const [from, to] = [samples[after - 1], samples[after] ?? { at: last, total }]
      if (!from) return samples[0]?.total ?? total
      return from.total + ((to.total - from.total) * (at - from.at)) / (to.at - from.at)
    },
    reset() {
      samples = []
      first = undefined
      last = undefined
    }
  }
}

/** What is shown of a leg that carries. */
export function carrying(meter: Meter, now: number) {
  return {
    state: SOURCE.running,
    connState: CONNECTION.connected,
    kbps: meter.kbps(now),
    livingTimeS: Math.floor(meter.living(now) / 1000)
  }
}
