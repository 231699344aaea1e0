// Runs a check once a day, at a random minute, so that not all hubs ask a server at the same time.
import { logger } from '../../process-log/logger.ts'
import { StorageFaultError } from '../storage-fault/storage-fault.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

export interface CheckSchedule {
  /** Minute of the day in UTC. */
  minute: number
  /** When the last check began, in milliseconds since the epoch. */
  last: number
}

interface DailyCheckOptions {
  check(): Promise<unknown>
  /** Reads the stored schedule; null before it was first stored. */
  read(): CheckSchedule | null
  write(schedule: CheckSchedule): void
  /** Milliseconds since the epoch. */
  now(): number
  /** For tests: a number from 0 to less than 1. */
  random?: () => number
}

export class DailyCheck {
  readonly #options: DailyCheckOptions
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined

  constructor(options: DailyCheckOptions) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => this.tick(), MINUTE).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Runs the check if it is due: also one that was missed while the hub was stopped. */
  tick(): void {
    const { read, write, now, random = Math.random } = this.#options
    const time = now()
    const stored = read()
    const schedule = stored ?? { minute: Math.floor(random() * (DAY / MINUTE)), last: time }
    // After the clock was set back, the last check is in the future.
    const isDue = schedule.last < lastMinuteOfDay(schedule.minute, time) || schedule.last > time
    if (this.#running || (stored && !isDue)) return
    try {
      // Stored first: a check that cannot be recorded would run again each minute.
      write({ ...schedule, last: time })
    } catch (error) {
      if (error instanceof StorageFaultError) return
      throw error
    }
    if (!stored) return
    this.#running = this.#options
      .check()
      .then(
        () => {},
        (error) => logger.error('The daily check failed', error)
      )
      .finally(() => {
        this.#running = undefined
      })
  }
}

/** The last time before `now`, or at `now`, at which a day had this minute in UTC. */
function lastMinuteOfDay(minute: number, now: number): number {
  const time = Math.floor(now / DAY) * DAY + minute * MINUTE
  return time > now ? time - DAY : time
}
