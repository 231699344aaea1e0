// Starts and stops channels according to their schedules. A channel is switched only at the times of its schedule, so a
// manual start or stop lasts until the next of them, also when the hub starts again, and a manual start also when the
// schedule changes.
import { LOG_WARNING } from '../../contract/log.ts'
import type { CalendarEntry } from '../../contract/stream/channel-calendar.ts'
import type { Schedule } from '../../contract/stream/schedule.ts'
import type { Period } from '../../contract/stream/schedule-periods.ts'
import { type ChannelRow, channelSetting } from '../store/channels.ts'
import { countLicenseUsage, findLicenseExcess } from '../store/license-usage.ts'
import type { Store } from '../store/store.ts'
import type { TimelineRecorder } from '../timeline/timeline-recorder.ts'
import {
  evaluateSchedule,
  isStoppedByChange,
  removeEndedEvents,
  type ScheduleState,
  type ScheduleSwitch
} from './schedule.ts'

/** Longest time in milliseconds between checks of the clock, because it may be set. */
const CHECK_INTERVAL = 30_000
/** Milliseconds after which a schedule without a next switch is evaluated again. */
const DAY = 86_400_000

/** From now to the next switch: the channel runs or does not run, unlike its schedule. */
export interface ManualPeriod extends Period {
  manual: NonNullable<CalendarEntry['manual']>
}

interface SchedulerOptions {
  store: Pick<Store, 'database' | 'channels' | 'settings' | 'logEvent'>
  timeline: Pick<TimelineRecorder, 'recordSchedule'>
  /** A channel reached a switch time: it may have been started or stopped, and its next switch changed. */
  onSwitch(id: number): void
  /** Milliseconds since the epoch. */
  clock?: (() => number) | undefined
}

/** The result of an evaluation, valid until the next switch. */
interface Evaluation extends ScheduleState {
  /** The schedule as stored. */
  schedule: string
  evaluatedAt: number
}

export class Scheduler {
  readonly #store: SchedulerOptions['store']
  readonly #timeline: SchedulerOptions['timeline']
  readonly #onSwitch: (id: number) => void
  readonly #clock: () => number
  readonly #evaluations = new Map<number, Evaluation>()
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor({ store, timeline, onSwitch, clock = Date.now }: SchedulerOptions) {
    this.#timeline = timeline
    this.#store = store
    this.#onSwitch = onSwitch
    this.#clock = clock
  }

  /**
   * Switches the channels whose last scheduled start or stop was missed, without calling `onSwitch`, and starts to
   * watch the clock.
   */
  start(): void {
    const kept = this.#store.settings.get('schedules-kept')
    for (const row of this.#store.channels.all()) {
      const evaluation = this.#evaluate(row)
      const isMissed = evaluation?.last !== undefined && evaluation.last > kept
      if (isMissed && evaluation.isRequired) this.#switchChannel(row, evaluation.enable)
      this.#removeEndedEvents(row)
    }
    this.#noteKept()
    this.checkClock()
  }

  /**
   * Applies the changed schedule of a channel at once. Called after the change is committed.
   * @param previous its schedule before the change; undefined if the channel is new
   */
  scheduleChanged(id: number, previous?: Schedule): void {
    const row = this.#store.channels.byId(id)
    // Events of a new schedule that have ended stop nothing.
    if (row) this.#removeEndedEvents(row)
    const current = this.#store.channels.byId(id)
    const evaluation = current && this.#evaluate(current)
    const isApplied =
      evaluation?.enable ||
      !previous ||
      (current && isStoppedByChange(previous, channelSetting(current, 'schedule'), this.#clock()))
    if (current && isApplied && evaluation?.isRequired && this.#switchChannel(current, evaluation.enable))
      this.#onSwitch(id)
    this.#noteKept()
    this.checkClock()
  }

  /** The next scheduled start or stop of a channel. */
  nextSwitch(row: ChannelRow): ScheduleSwitch | undefined {
    const { rules, events } = channelSetting(row, 'schedule')
    return rules.length > 0 || events ? this.#evaluate(row)?.next : undefined
  }

  /** @returns undefined if the channel is in the state that its schedule requires. `to` can be infinite. */
  manualPeriod(row: ChannelRow): ManualPeriod | undefined {
    const state = this.#evaluate(row)
    const isOn = row.enable === 1
    if (!state || state.enable === isOn) return undefined
    const to = state.next?.time ?? Number.POSITIVE_INFINITY
    return { from: this.#clock(), to, manual: isOn ? 'start' : 'stop' }
  }

  /** Switches the channels that are due. Runs on a timer. */
  checkClock(): void {
    if (this.#closed) return
    clearTimeout(this.#timer)
    let wait = CHECK_INTERVAL
    const rows = this.#store.channels.all()
    for (const row of rows) {
      const next = this.#checkChannel(row)
      if (next) wait = Math.min(wait, Math.max(next.time - this.#clock(), 0))
    }
    const ids = new Set(rows.map(({ id }) => id))
    for (const id of this.#evaluations.keys()) if (!ids.has(id)) this.#evaluations.delete(id)
    this.#timer = setTimeout(() => this.checkClock(), wait)
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  /** Switches a channel if it is due. @returns the next switch */
  #checkChannel(row: ChannelRow): ScheduleSwitch | undefined {
    const due = this.#evaluations.get(row.id)?.next
    const evaluation = this.#evaluate(row)
    if (evaluation && due && this.#clock() >= due.time) {
      this.#switchChannel(row, evaluation.enable)
      this.#removeEndedEvents(row)
      this.#noteKept()
      this.#onSwitch(row.id)
    }
    return evaluation?.next
  }

  /** Stores that all starts and stops until now were made. After a restart, the hub makes only later ones. */
  #noteKept(): void {
    if (this.#evaluations.size === 0) return
    const { database, settings } = this.#store
    database.transactionOrLater(() => settings.set('schedules-kept', this.#clock()))
  }

  /**
   * Evaluates a channel's schedule if the last result is no longer valid. @returns undefined for a channel without a
   * schedule
   */
  #evaluate({ id, schedule }: ChannelRow): Evaluation | undefined {
    const now = this.#clock()
    const last = this.#evaluations.get(id)
    const isValid = last?.schedule === schedule && now >= last.evaluatedAt
    if (isValid && now < (last.next?.time ?? last.evaluatedAt + DAY)) return last
    const result = schedule === '' ? undefined : evaluateSchedule(JSON.parse(schedule) as Schedule, now)
    if (!result) {
      this.#evaluations.delete(id)
      return undefined
    }
    const evaluation = { ...result, schedule, evaluatedAt: now }
    this.#evaluations.set(id, evaluation)
    return evaluation
  }

  /** An event that has ended must not stop the channel again after a restart of the hub. */
  #removeEndedEvents(row: ChannelRow): void {
    const previous = channelSetting(row, 'schedule')
    const schedule = removeEndedEvents(previous, this.#clock())
    if (schedule.events?.length === previous.events?.length) return
    const { channels, database } = this.#store
    database.essentialTransaction(() => channels.setSettings(row.id, { schedule }))
  }

  /** @returns whether the channel was switched; a start beyond the limits of the licence is refused */
  #switchChannel(row: ChannelRow, enable: boolean): boolean {
    if ((row.enable === 1) === enable) return false
    const { channels, database, settings } = this.#store
    return database.essentialTransaction(() => {
      const before = countLicenseUsage(database)
      channels.setEnable(row.id, enable)
      if (findLicenseExcess(settings.get('license-limits'), before, countLicenseUsage(database))) {
        channels.setEnable(row.id, false)
        this.#store.logEvent({ event: 'schedule-refused', detail: row.name, level: LOG_WARNING, channel: row.id })
        this.#timeline.recordSchedule(row.id, 'schedule-refused')
        return false
      }
      const event = enable ? 'schedule-start' : 'schedule-stop'
      this.#store.logEvent({ event, detail: row.name, channel: row.id })
      this.#timeline.recordSchedule(row.id, event)
      return true
    })
  }
}
