// The history of one channel in memory: the intervals that are not in its file yet, and those that are not complete.
import { RINGS, type RingSlots } from './ring-file.ts'
import { mergeSlots, type Slot } from './slot.ts'

/**
 * Seconds without a sample, up to this number, get the values of the sample after them: the timer of a busy hub is
 * late. Longer pauses are gaps.
 */
const LATE_MAX = 5

/** Intervals of a ring that wait to be written, at most. While the disk is full, the oldest are dropped. */
const PENDING_MAX = 180

export class ChannelSlots {
  /** The last interval of each ring, which further seconds are added to. */
  readonly #current: { stamp: number; slot: Slot }[] = []
  #pending: RingSlots[] = RINGS.map(() => new Map())
  /** Intervals that are being written. */
  #writing: readonly RingSlots[] = []
  #lastSecond: number | undefined

  /** @param stored the interval of each ring that is in the file already, and may not be complete */
  constructor(stored: readonly ({ stamp: number; slot: Slot } | undefined)[]) {
    for (const [index, entry] of stored.entries()) if (entry) this.#current[index] = entry
  }

  /** Seconds since the last one that was added, at most `LATE_MAX`; 1 after a longer pause. */
  secondsSince(second: number): number {
    const passed = second - (this.#lastSecond ?? second - 1)
    return passed >= 0 && passed <= LATE_MAX ? passed : 1
  }

  /** Adds a second, and those before it that were missed. @param second seconds since the epoch */
  add(second: number, slot: Slot): void {
    const passed = this.secondsSince(second)
    for (let at = second - passed + 1; at <= second; at++) this.#addOne(at, slot)
    this.#lastSecond = second
  }

  #addOne(second: number, slot: Slot): void {
    for (const [index, { step }] of RINGS.entries()) {
      const stamp = Math.floor(second / step)
      const current = this.#current[index]
      const merged = current?.stamp === stamp && step > 1 ? mergeSlots(current.slot, slot) : slot
      this.#current[index] = { stamp, slot: merged }
      this.#put(index, stamp, merged)
    }
  }

  #put(index: number, stamp: number, slot: Slot): void {
    const slots = this.#pending[index]
    if (!slots) return
    slots.set(stamp, slot)
    const [oldest] = slots.keys()
    if (slots.size > PENDING_MAX && oldest !== undefined) slots.delete(oldest)
  }

  /** Takes the intervals to be written. Call `writeEnded` when that is done. */
  takePending(): readonly RingSlots[] {
    this.#writing = this.#pending
    this.#pending = RINGS.map(() => new Map())
    return this.#writing
  }

  /** @param isStored whether the intervals are in the file; otherwise they are written next time */
  writeEnded(isStored: boolean): void {
    const unwritten = isStored ? [] : this.#writing
    const newer = this.#pending
    this.#writing = []
    if (isStored) return
    this.#pending = RINGS.map(() => new Map())
    for (const slotsOfRings of [unwritten, newer])
      for (const [index, slots] of slotsOfRings.entries())
        for (const [stamp, slot] of slots) this.#put(index, stamp, slot)
  }

  /** The intervals of a ring that may not be in the file yet. */
  unwritten(index: number): RingSlots {
    return new Map([...(this.#writing[index] ?? []), ...(this.#pending[index] ?? [])])
  }
}
