// Notices that the clock of the machine was set, by a user or by a step of its synchronisation. Sessions, which
// last for a time by that clock, must neither end nor last longer because of it.
import { machineUptimeMs } from '../machine-uptime.ts'

/** Milliseconds. Smaller steps do not matter for sessions, which last for minutes. */
const STEP_MIN = 1000
const CHECK_INTERVAL = 1000
/** Milliseconds by which the measured time before a step may be wrong: the uptime has a resolution of 10 ms. */
const ACCURACY = 1000

interface Clocks {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds of a monotonic clock, which costs little to read. It may stand still while the machine sleeps. */
  monotonic(): number
  /** Milliseconds since the machine started, with the time that it slept. */
  uptime(): number
}

const SYSTEM_CLOCKS: Clocks = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  uptime: machineUptimeMs
}

/**
 * Called after a step.
 * @param step milliseconds by which the clock was set forward; negative: back
 * @param before the time that the clock had before, or up to a second later
 */
type StepListener = (step: number, before: number) => void

export class ClockWatch {
  readonly #onStep: StepListener
  readonly #clocks: Clocks
  readonly #timer: NodeJS.Timeout
  /** The clock less each of the two others, at the last step. */
  #aheadOfMonotonic: number
  #aheadOfUptime: number

  constructor(onStep: StepListener, clocks = SYSTEM_CLOCKS) {
    this.#onStep = onStep
    this.#clocks = clocks
    this.#aheadOfMonotonic = clocks.now() - clocks.monotonic()
    this.#aheadOfUptime = clocks.now() - clocks.uptime()
    this.#timer = setInterval(() => this.check(), CHECK_INTERVAL).unref()
  }

  /** The time. A step is handled before the first caller sees the new time. */
  now(): number {
    this.check()
    return this.#clocks.now()
  }

  check(): void {
    const now = this.#clocks.now()
    const aheadOfMonotonic = now - this.#clocks.monotonic()
    if (Math.abs(aheadOfMonotonic - this.#aheadOfMonotonic) < STEP_MIN) return
    this.#aheadOfMonotonic = aheadOfMonotonic
    const aheadOfUptime = now - this.#clocks.uptime()
    const step = aheadOfUptime - this.#aheadOfUptime
    // After sleep only the monotonic clock is behind.
    if (Math.abs(step) < STEP_MIN) return
    this.#aheadOfUptime = aheadOfUptime
    this.#onStep(Math.round(step), now - step + ACCURACY)
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
