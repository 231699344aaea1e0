// Keeps what was on air around an alarm. A channel that asks for it is recorded all the time, into a ring of which the
// hub keeps the last seconds; an alarm is a recording of its own, to which the segments of the ring are moved.
import type { RecordingRow, RecordingStore } from '../store/recordings.ts'
import type { RecordingLibrary } from './library.ts'
import { ALARM_MARGIN } from './rules.ts'

/**
 * Milliseconds of the ring that are kept: those before an alarm, the longest time until an alarm is noticed, and a
 * segment.
 */
const RING_TIME = ALARM_MARGIN + 30_000

interface AlarmOptions {
  library: RecordingLibrary
  recordings: RecordingStore
  /** Runs a change of the store, which is made later if the storage has a fault. */
  change(run: () => void): void
  /** Since when a channel is down or degraded; undefined: it is neither. */
  badSince(channel: number): number | undefined
}

export class AlarmRecordings {
  readonly #options: AlarmOptions
  /** By channel: when it was first seen without an alarm again. */
  readonly #goodSince = new Map<number, number>()

  constructor(options: AlarmOptions) {
    this.#options = options
  }

  /** The recording of an alarm that lasts. */
  find(channel: number): RecordingRow | undefined {
    return this.#options.recordings.ofChannel(channel).find(({ kind, ended }) => kind === 'alarm' && ended === null)
  }

  /** Begins, continues or ends the recording of an alarm, and shortens the ring. @param ring of the channel */
  async update({ channel_id: channel, id: ring }: RecordingRow, now: number): Promise<void> {
    const { library, recordings, change, badSince } = this.#options
    const since = badSince(channel)
    if (since !== undefined && !this.find(channel)) change(() => void recordings.start(channel, 'alarm', '', now))
    const alarm = this.find(channel)
    const stored = library.find(ring)
    if (!alarm) {
      if (stored) await library.removeOldest(stored, stored.segments.countUntil(now - RING_TIME))
      return
    }
    if (stored) {
      await library.removeOldest(
        stored,
        stored.segments.countUntil(Math.min(since ?? alarm.id, alarm.id) - ALARM_MARGIN)
      )
      await library.moveOldest(stored, stored.segments.count, alarm.id)
    }
    if (since !== undefined) this.#goodSince.delete(channel)
    else if (!this.#goodSince.has(channel)) this.#goodSince.set(channel, now)
    if (now - (this.#goodSince.get(channel) ?? now) >= ALARM_MARGIN) this.end(channel, now)
  }

  /** Ends the recording of an alarm, if there is one. */
  end(channel: number, now: number): void {
    const alarm = this.find(channel)
    this.#goodSince.delete(channel)
    if (alarm) this.#options.change(() => this.#options.recordings.end(alarm.id, now))
  }
}
