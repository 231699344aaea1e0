// Notices that the clock of the machine was set, by a user or by a step of its synchronisation. Sessions, which
// last for a time by that clock, must neither end nor last longer because of it.
import { Emitter } from '../../emitter.ts'
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

export class ClockWatch {
  /**
   * The clock was set. `step`: milliseconds by which it was set forward; negative: back. `before`: the time that it had
   * before, or up to a second later. No caller of `now` has seen the new time.
   */
  readonly stepped = new Emitter<[step: number, before: number]>()
  /** The clock was set, and the request in which that was noticed is done: it may have a transaction open. */
  readonly settled = new Emitter<[step: number]>()
  readonly #clocks: Clocks
  readonly #timer: NodeJS.Timeout
  /** The clock less each of the two others, at the last step. */
  #aheadOfMonotonic: number
  #aheadOfUptime: number
  #isClosed = false

  constructor(clocks = SYSTEM_CLOCKS) {
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
    this.stepped.emit(Math.round(step), now - step + ACCURACY)
    setImmediate(() => {
      if (!this.#isClosed) this.settled.emit(Math.round(step))
    })
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
  }
}
