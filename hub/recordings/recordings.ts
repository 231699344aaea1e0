// Recordings of channels: which ones run, what is on disk, and what is deleted so that the disk keeps free space
// (docs/architecture/recording.md).
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LOG_ERROR } from '../../contract/log.ts'
import type { ChannelRecording } from '../../contract/recording/recording.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { ObservedChannel } from '../../engine/interfaces/channel.ts'
import type { WantedRecording } from '../../engine/interfaces/recording.ts'
import { logger } from '../../process-log/logger.ts'
import type { Language } from '../messages/language.ts'
import { appendReason, reasonText } from '../messages/reasons.ts'
import type { RecordingRow } from '../store/recordings.ts'
import type { Store } from '../store/store.ts'
import { RecordingLibrary, type StoredRecording } from './library.ts'

/** Length of a segment in seconds, and the size at which it ends earlier. */
const SEGMENT_SECONDS = 10
const SEGMENT_BYTES = 256 << 20
/** Free bytes of the disk below which nothing is recorded, so that the hub and the machine keep theirs. */
export const FREE_MIN = 2 ** 30
/** Free bytes below which the oldest segments of all recordings are deleted. */
export const FREE_WANTED = 3 * 2 ** 30
/** Milliseconds between checks of the disk. */
const CHECK_INTERVAL = 10_000
/** Segments that are deleted before the free space is measured again. */
const DELETED_AT_ONCE = 8

interface RecordingsOptions {
  store: Store
  /** Absolute path. Undefined: nothing can be recorded. */
  folder: string | undefined
  observe(channel: number): ObservedChannel
  /** Milliseconds since the epoch. */
  now: () => number
  /** Free bytes of the file system of a folder that may not exist yet. */
  freeSpace?(folder: string): Promise<number>
}

/** A recording that is known, whether it has files or not. */
export interface KnownRecording {
  id: number
  channel: number
  row: RecordingRow | undefined
  stored: StoredRecording | undefined
}

export class Recordings {
  readonly #options: RecordingsOptions
  readonly #library: RecordingLibrary | undefined
  /** When the newest complete segment of each recording ended, when its folder was last read. */
  readonly #readUntil = new Map<number, number>()
  /** The fault of each recording that was logged. */
  readonly #loggedFaults = new Map<number, Reason>()
  /** Resolves when all file operations have ended. */
  #work: Promise<void> = Promise.resolve()
  #free: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: RecordingsOptions) {
    this.#options = options
    this.#library = options.folder === undefined ? undefined : new RecordingLibrary(options.folder)
  }

  /** Reads the recordings, and begins to check the disk. */
  start(): void {
    const library = this.#library
    if (!library) return
    this.#enqueue(() => library.load())
    void this.check()
    this.#timer = setInterval(() => void this.check(), CHECK_INTERVAL).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#work
  }

  /** Whether channels can be recorded. */
  get isAvailable(): boolean {
    return this.#library !== undefined
  }

  /** Starts to record a channel, or finds that it is being recorded; in the transaction of the caller. */
  begin(channel: number, user: string): number {
    const { store, now } = this.#options
    return store.recordings.running(channel)?.id ?? store.recordings.start(channel, user, now())
  }

  /** @returns the recording that has ended, in the transaction of the caller; undefined: there was none */
  end(channel: number): number | undefined {
    const { store, now } = this.#options
    const id = store.recordings.running(channel)?.id
    if (id !== undefined) store.recordings.end(id, now())
    return id
  }

  /** Free bytes that recordings may use; undefined until they were measured. */
  get free(): number | undefined {
    return this.#free === undefined ? undefined : Math.max(0, this.#free - FREE_MIN)
  }

  /** Hours until the free bytes are used at the present bit rate; undefined if nothing is recorded. */
  get hoursLeft(): number | undefined {
    const { store, observe } = this.#options
    const running = [...store.recordings.all().values()].filter(({ ended }) => ended === null)
    const kbps = running.reduce((sum, { channel_id: channel }) => {
      const observed = observe(channel)
      return sum + (observed.recording ? observed.kbps : 0)
    }, 0)
    return this.free === undefined || kbps === 0 ? undefined : this.free / ((kbps * 1000) / 8) / 3600
  }

  /** The recording that the engine should make of a channel. */
  readonly wantedOf = (channel: number): WantedRecording | undefined => {
    const row = this.#options.store.recordings.running(channel)
    if (!row || !this.#library) return undefined
    return {
      id: row.id,
      folder: this.#library.folderOf(channel, row.id),
      segmentS: SEGMENT_SECONDS,
      segmentBytes: SEGMENT_BYTES,
      freeMin: FREE_MIN
    }
  }

  /** The state of the recording of a channel that goes on. */
  describe(channel: number, language: Language): ChannelRecording | undefined {
    const row = this.#options.store.recordings.running(channel)
    if (!row) return undefined
    const { openBytes = 0, reason } = this.#options.observe(channel).recording ?? {}
    const bytes = (this.#library?.find(row.id)?.segments.bytes ?? 0) + openBytes
    return { id: row.id, since: row.id, bytes, ...(reason && { fault: reasonText(language, reason) }) }
  }

  /** Newest first. */
  all(): KnownRecording[] {
    const rows = this.#options.store.recordings.all()
    const stored = this.#library?.all() ?? []
    const ids = new Set([...rows.keys(), ...stored.map(({ id }) => id)])
    return [...ids].sort((a, b) => b - a).flatMap((id) => this.find(id) ?? [])
  }

  find(id: number): KnownRecording | undefined {
    const row = this.#options.store.recordings.all().get(id)
    const stored = this.#library?.find(id)
    const channel = row?.channel_id ?? stored?.channel
    return channel === undefined ? undefined : { id, channel, row, stored }
  }

  /** Paths and sizes of the complete segments with media of a period. */
  partsOf({ stored }: KnownRecording, from: number, to: number): { path: string; bytes: number }[] {
    const library = this.#library
    if (!stored || !library) return []
    return stored.segments.between(from, to).map((segment) => ({
      path: library.pathOf(stored, segment),
      bytes: segment.bytes
    }))
  }

  /** The engine has reported a channel: reads its new segments, and logs a new fault. */
  readonly channelChanged = (channel: number): void => {
    const { recording } = this.#options.observe(channel)
    if (!recording) return
    this.#logFault(channel, recording.id, recording.reason)
    const { id, completeUntil } = recording
    if (completeUntil === undefined || this.#readUntil.get(id) === completeUntil) return
    this.#readUntil.set(id, completeUntil)
    this.#refresh(channel, id)
  }

  /** Reads the segments of a recording that was stopped. */
  ended(channel: number, id: number): void {
    this.#refresh(channel, id)
    this.#loggedFaults.delete(id)
  }

  /** Deletes the files of recordings. */
  delete(recordings: readonly { channel: number; id: number }[]): Promise<void> {
    const library = this.#library
    return this.#enqueue(async () => {
      for (const recording of recordings) await library?.remove(recording)
    })
  }

  /** Reads new segments and measures the free space, and deletes what is too much. Resolves when that is done. */
  check(): Promise<void> {
    return this.#enqueue(async () => {
      const library = this.#library
      if (!library) return
      // The last segment of a recording is complete after the engine has stopped it.
      for (const { id, channel_id: channel } of this.#options.store.recordings.all().values())
        await library.refresh(channel, id)
      await this.#keepFree(library)
    })
  }

  /** Resolves when no file operation runs. */
  whenIdle = (): Promise<void> => this.#work

  #logFault(channel: number, id: number, reason: Reason | undefined): void {
    const { store } = this.#options
    if (this.#loggedFaults.get(id) === reason) return
    if (reason === undefined) this.#loggedFaults.delete(id)
    else {
      this.#loggedFaults.set(id, reason)
      const name = store.channels.byId(channel)?.name ?? String(channel)
      store.logEvent({ event: 'recording-failed', detail: appendReason(name, reason), level: LOG_ERROR, channel })
    }
  }

  #refresh(channel: number, id: number): void {
    const library = this.#library
    if (library) this.#enqueue(() => library.refresh(channel, id))
  }

  /** Deletes the oldest segments of all recordings while the disk has too little free space. */
  async #keepFree(library: RecordingLibrary): Promise<void> {
    const { freeSpace = readFree } = this.#options
    for (;;) {
      this.#free = await freeSpace(library.root)
      if (this.#free >= FREE_WANTED) return
      const oldest = library
        .all()
        .filter(({ segments }) => segments.count > 0)
        .sort((a, b) => (a.segments.first?.start ?? 0) - (b.segments.first?.start ?? 0))[0]
      if (!oldest) return
      await library.removeOldest(oldest, DELETED_AT_ONCE)
      if (oldest.segments.count === 0) await this.#forget(library, oldest)
    }
  }

  /** Removes a recording without segments, unless it goes on. */
  async #forget(library: RecordingLibrary, recording: StoredRecording): Promise<void> {
    const { recordings, database } = this.#options.store
    if (recordings.all().get(recording.id)?.ended === null) return
    await library.remove(recording)
    database.essentialTransaction(() => recordings.remove(recording.id))
  }

  /** Runs a file operation after those that are queued. A failure does not stop the queue. */
  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work).catch((error) => logger.error('A recording cannot be read or deleted', error))
    this.#work = done
    return done
  }
}

/** As `readFreeSpace`, of the first folder above that exists. */
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
