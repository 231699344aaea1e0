// History of all channels: a sample each second, combined into intervals of 10 s and 5 min, in one file for each
// channel (docs/architecture/history.md). No other part of the hub waits for its writes. While the disk is full or
// fails, recording pauses.
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { HISTORY_CHANNELS_MAX, type HistoryPause } from '../../contract/stream/channel-series.ts'
import type { StorageFault } from '../../contract/system.ts'
import { readFreeSpace } from '../../data-files/free-space.ts'
import { logger } from '../../process-log/logger.ts'
import { storageFaultOf } from '../storage-fault/storage-fault.ts'
import { ChannelSlots } from './channel-slots.ts'
import { RINGS, type Ring, readRing, readSlotsSync, writeRings } from './ring-file.ts'
import { mergeSlots, type Slot } from './slot.ts'

const SAMPLE_INTERVAL = 1000
/** Samples between two writes of all files. A hub that is killed loses as many seconds. */
const WRITE_INTERVAL = 60
/** Samples between searches for files of channels that the trash no longer keeps. */
const ORPHANS_INTERVAL = 3600
/** Free bytes of the disk below which nothing is written, so that the database keeps its space. */
export const FREE_MIN = 64 << 20

const FILE_NAME = /^(\d+)\.rings$/

interface HistoryOptions {
  /** Folder of the files. Undefined: nothing is stored. */
  folder: string | undefined
  /** IDs of all channels. */
  channels(): readonly number[]
  /** Whether the history of a channel is kept, although the channel may not be among `channels`. */
  isKept(id: number): boolean
  /** Whether channels can be measured now. */
  isObserving(): boolean
  /** The values of a channel; `seconds` is the time since the last sample. */
  sample(id: number, seconds: number): Slot | undefined
  /** The fault of the hub's storage. */
  storageFault(): StorageFault | undefined
  /** Milliseconds since the epoch. */
  now?(): number
  /** Free bytes of the file system of a folder. */
  freeSpace?(folder: string): Promise<number>
}

/** A part of a history. */
export interface HistoryPart {
  /** Start of the first interval, and length of each, in seconds. */
  start: number
  step: number
  /** Oldest first; undefined: nothing was recorded. */
  slots: (Slot | undefined)[]
}

const pauseOfFault = (fault: StorageFault | undefined): HistoryPause => (fault === 'full' ? 'disk-full' : 'disk-failed')

/** The ring with the longest intervals that reaches back to `from` and is fine enough, or else the finest that does. */
function chooseRing(from: number, wantedStep: number, now: number): Ring {
  const reaching = RINGS.filter(({ step, count }) => from >= now - step * count)
  return reaching.findLast(({ step }) => step <= wantedStep) ?? reaching[0] ?? RINGS[RINGS.length - 1] ?? RINGS[0]
}

/** The length of intervals, a multiple of `ringStep`, with which a span has at most `points` of them. */
function stepFor(from: number, to: number, points: number, ringStep: number): number {
  const countWith = (step: number) => Math.ceil(to / step) - Math.floor(from / step)
  let step = Math.max(1, Math.ceil((to - from) / points / ringStep)) * ringStep
  // The first interval begins before `from`, unless that is a multiple of the step.
  while (countWith(step) > points) step += ringStep
  return step
}

export class ChannelHistories {
  readonly #options: HistoryOptions
  readonly #now: () => number
  readonly #channels = new Map<number, ChannelSlots>()
  /** Resolves when all file operations have ended. */
  #work: Promise<void> = Promise.resolve()
  #samples = 0
  #pause: HistoryPause | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: HistoryOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /** Begins to record. */
  start(): void {
    if (this.#isClosed) return
    this.#enqueue(() => this.#removeOrphans())
    this.#timer = setInterval(() => this.sampleAll(), SAMPLE_INTERVAL).unref()
  }

  /** Why the history of a channel is not stored; undefined if it is. */
  pauseOf(id: number): HistoryPause | undefined {
    const isFull = !this.#channels.has(id) && this.#channels.size >= HISTORY_CHANNELS_MAX
    return isFull ? 'too-many-channels' : this.#pause
  }

  /** Records this second of all channels. Call once a second. */
  sampleAll(): void {
    const second = Math.floor(this.#now() / 1000)
    if (this.#options.isObserving())
      for (const id of this.#options.channels()) {
        const slots = this.#channels.get(id) ?? this.#open(id, second)
        const seconds = slots?.secondsSince(second) ?? 0
        // The timer is a little early or late: two samples can be in one second.
        const slot = seconds > 0 ? this.#options.sample(id, seconds) : undefined
        if (slot) slots?.add(second, slot)
      }
    this.#samples++
    if (this.#samples % ORPHANS_INTERVAL === 0) this.#enqueue(() => this.#removeOrphans())
    if (this.#samples % WRITE_INTERVAL === 0) void this.write()
  }

  /** Writes what is not in the files yet. Resolves when that is done, or has failed. */
  write(): Promise<void> {
    return this.#enqueue(() => this.#writeAll())
  }

  /** Removes the history of a channel that was deleted. If it is kept in the trash, the last seconds are written. */
  channelRemoved(id: number): void {
    const { folder, channels, isKept } = this.#options
    if (isKept(id)) {
      this.#enqueue(async () => {
        await this.#writeAll()
        // It may have been restored meanwhile.
        if (!channels().includes(id)) this.#channels.delete(id)
      })
      return
    }
    this.#channels.delete(id)
    if (folder !== undefined) this.#enqueue(() => rm(this.#pathOf(folder, id), { force: true }))
  }

  /**
   * The history of a channel in at most `points` intervals, which are multiples of their length since the epoch.
   * @param from seconds since the epoch
   * @param to the same; greater than `from`
   */
  async read(id: number, from: number, to: number, points: number): Promise<HistoryPart> {
    const ring = chooseRing(from, (to - from) / points, Math.floor(this.#now() / 1000))
    const step = stepFor(from, to, points, ring.step)
    const start = Math.floor(from / step) * step
    const count = Math.ceil(to / step) - start / step
    const [first, end] = [start / ring.step, (start + count * step) / ring.step]
    const slots: (Slot | undefined)[] = Array.from({ length: count }, () => undefined)
    await this.#visit(id, ring, { first, end }, (stamp, slot) => {
      const index = Math.floor(((stamp - first) * ring.step) / step)
      const before = slots[index]
      slots[index] = before ? mergeSlots(before, slot) : slot
    })
    return { start, step, slots }
  }

  /** Writes what is not in the files yet, and ends. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.write()
  }

  #pathOf(folder: string, id: number): string {
    return join(folder, `${id}.rings`)
  }

  /** Begins to record a channel, and continues the intervals of an earlier run of the hub. */
  #open(id: number, second: number): ChannelSlots | undefined {
    if (this.#channels.size >= HISTORY_CHANNELS_MAX) return undefined
    const { folder } = this.#options
    const stamps = RINGS.map(({ step }) => Math.floor(second / step))
    const stored = folder === undefined ? [] : readSlotsSync(this.#pathOf(folder, id), stamps)
    const slots = new ChannelSlots(stored.map((slot, index) => slot && { stamp: stamps[index] ?? 0, slot }))
    this.#channels.set(id, slots)
    return slots
  }

  /** Visits the intervals of a ring from `first` to before `end`. */
  async #visit(
    id: number,
    ring: Ring,
    { first, end }: { first: number; end: number },
    visit: (stamp: number, slot: Slot) => void
  ): Promise<void> {
    const { folder } = this.#options
    // Before the file is read: a write that ends meanwhile removes them from memory.
    const unwritten = this.#channels.get(id)?.unwritten(RINGS.indexOf(ring)) ?? new Map<number, Slot>()
    const visitStored = (stamp: number, slot: Slot) => unwritten.has(stamp) || visit(stamp, slot)
    if (folder !== undefined) await readRing(this.#pathOf(folder, id), ring, { first, end }, visitStored)
    for (const [stamp, slot] of unwritten) if (stamp >= first && stamp < end) visit(stamp, slot)
  }

  /** Runs a file operation after those that are queued. A failure does not stop the queue. */
  #enqueue(work: () => Promise<unknown>): Promise<void> {
    const done = this.#work.then(async () => {
      try {
        await work()
      } catch (error) {
        logger.error('The history of channels has failed', error)
      }
    })
    this.#work = done
    return done
  }

  async #removeOrphans(): Promise<void> {
    const { folder, channels, isKept } = this.#options
    if (folder === undefined) return
    const names = await readdir(folder).catch(() => [])
    const known = new Set(channels())
    for (const name of names) {
      const id = Number(FILE_NAME.exec(name)?.[1] ?? Number.NaN)
      if (!Number.isNaN(id) && !known.has(id) && !isKept(id)) await rm(join(folder, name), { force: true })
    }
  }

  async #writeAll(): Promise<void> {
    const { folder, storageFault, freeSpace = readFreeSpace } = this.#options
    if (folder === undefined || this.#channels.size === 0) return
    try {
      const fault = storageFault()
      if (fault) return this.#setPause(pauseOfFault(fault))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      if ((await freeSpace(folder)) < FREE_MIN) return this.#setPause('disk-full')
      for (const [id, slots] of [...this.#channels])
        if (this.#channels.get(id) === slots) await this.#writeOne(folder, id, slots)
      this.#setPause(undefined)
    } catch (error) {
      this.#setPause(pauseOfFault(storageFaultOf(error)), error)
    }
  }

  async #writeOne(folder: string, id: number, slots: ChannelSlots): Promise<void> {
    let isStored = false
    try {
      await writeRings(this.#pathOf(folder, id), slots.takePending())
      isStored = true
    } finally {
      slots.writeEnded(isStored)
    }
  }

  #setPause(pause: HistoryPause | undefined, error?: unknown): void {
    if (pause === this.#pause) return
    this.#pause = pause
    if (error) logger.error('The history of channels cannot be stored', error)
    else if (pause) logger.warn('The history of channels is not stored', { pause })
    else logger.info('The history of channels is stored again')
  }
}
