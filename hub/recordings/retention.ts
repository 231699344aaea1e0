// Deletes what is too old or too much of a channel, and the oldest segments while the disk has too little free space.
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { RecordingRule } from '../../contract/stream/channel-settings.schema.ts'
import type { RecordingLibrary, StoredRecording } from './library.ts'

/** Free bytes of the disk below which nothing is recorded, so that the hub and the machine keep theirs. */
export const FREE_MIN = 2 ** 30
/** Free bytes below which the oldest segments of all recordings are deleted. */
export const FREE_WANTED = 3 * 2 ** 30
/** Segments that are deleted before the free space is measured again. */
const DELETED_AT_ONCE = 8
const DAY = 86_400_000
const GB = 1e9

interface RetentionOptions {
  library: RecordingLibrary
  /** The rule of a channel, also of one that was deleted. */
  ruleOf(channel: number): RecordingRule
  /** A recording has no segments any more. */
  onEmpty(recording: StoredRecording): Promise<void>
  /** Free bytes of the file system of a folder that may not exist yet. */
  freeSpace?: ((folder: string) => Promise<number>) | undefined
}

export class Retention {
  readonly #options: RetentionOptions
  #free: number | undefined

  constructor(options: RetentionOptions) {
    this.#options = options
  }

  /** Free bytes that recordings may use; undefined until they were measured. */
  get free(): number | undefined {
    return this.#free === undefined ? undefined : Math.max(0, this.#free - FREE_MIN)
  }

  /** Bytes of the segments that are deleted when the disk is almost full. */
  deletableBytes(): number {
    return this.#deletable().reduce((sum, { segments }) => sum + segments.bytes, 0)
  }

  /** @param now milliseconds since the epoch */
  async apply(now: number): Promise<void> {
    await this.#limitChannels(now)
    await this.#keepFree()
  }

  async #limitChannels(now: number): Promise<void> {
    const { library, ruleOf } = this.#options
    for (const recordings of Map.groupBy(library.all(), ({ channel }) => channel).values()) {
      const { 'keep-days': days, 'keep-gb': gb } = ruleOf(recordings[0]?.channel ?? 0)
      if (days > 0)
        for (const recording of recordings)
          await this.#remove(recording, recording.segments.countUntil(now - days * DAY))
      const excess = () => recordings.reduce((sum, { segments }) => sum + segments.bytes, 0) - gb * GB
      while (gb > 0 && excess() > 0) {
        const oldest = findOldest(recordings)
        if (!oldest) break
        await this.#remove(oldest, 1)
      }
    }
  }

  async #keepFree(): Promise<void> {
    const { library, freeSpace = readFree } = this.#options
    for (;;) {
      this.#free = await freeSpace(library.root)
      const oldest = this.#free < FREE_WANTED ? findOldest(this.#deletable()) : undefined
      if (!oldest) return
      await this.#remove(oldest, DELETED_AT_ONCE)
    }
  }

  #deletable(): StoredRecording[] {
    const { library, ruleOf } = this.#options
    return library.all().filter(({ channel }) => ruleOf(channel)['when-full'] === 'delete')
  }

  async #remove(recording: StoredRecording, count: number): Promise<void> {
    if (count === 0) return
    await this.#options.library.removeOldest(recording, count)
    if (recording.segments.count === 0) await this.#options.onEmpty(recording)
  }
}

/** The recording with the oldest segment. */
function findOldest(recordings: readonly StoredRecording[]): StoredRecording | undefined {
  const startOf = ({ segments }: StoredRecording) => segments.first?.start ?? Number.POSITIVE_INFINITY
  return recordings
    .filter(({ segments }) => segments.count > 0)
    .reduce<StoredRecording | undefined>(
      (oldest, each) => (oldest && startOf(oldest) <= startOf(each) ? oldest : each),
      undefined
    )
}

/** Free bytes of the file system of a folder, or of the first folder above it that exists. */
async function readFree(folder: string): Promise<number> {
  for (let existing = folder; ; existing = dirname(existing)) {
    try {
      const { bavail, bsize } = await statfs(existing)
      return bavail * bsize
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || existing === dirname(existing)) throw error
    }
  }
}
