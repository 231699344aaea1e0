// Phases of the system's monotonic clock, at whose multiples the programs of the engine report and send batches.
import { until } from './until.ts'

/** Milliseconds since the last multiple of an interval. */
export const clockPhase = (interval: number): number => Number(process.hrtime.bigint() / 1_000_000n) % interval

/** Waits until the clock is in a third of an interval: 0, 1 or 2. */
export const untilThird = (third: number, interval: number): Promise<void> =>
  until(() => Math.floor((3 * clockPhase(interval)) / interval) === third, `third ${third} of the interval has begun`)
