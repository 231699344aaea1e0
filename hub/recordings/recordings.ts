// Recordings of channels: which ones run, by hand or by the rules of channels, and what is on disk
// (docs/architecture/recording.md).
import { LOG_ERROR } from '../../contract/log.ts'
import type { ChannelRecording } from '../../contract/recording/recording.ts'
import type { RecordingRule } from '../../contract/stream/channel-settings.schema.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { ObservedChannel } from '../../engine/interfaces/channel.ts'
import type { WantedRecording } from '../../engine/interfaces/recording.ts'
import { logger } from '../../process-log/logger.ts'
import { Emitter } from '../emitter.ts'
import type { Language } from '../messages/language.ts'
import { appendReason, reasonText } from '../messages/reasons.ts'
import { channelSetting } from '../store/channels.ts'
import type { RecordingKind, RecordingRow } from '../store/recordings.ts'
import type { Store } from '../store/store.ts'
import { AlarmRecordings } from './alarms.ts'
import { RecordingLibrary, type StoredRecording } from './library.ts'
import { FREE_MIN, Retention } from './retention.ts'
import { isChangeNeeded, recordingByRule } from './rules.ts'

/** Length of a segment in seconds, and the size at which it ends earlier. */
const SEGMENT_SECONDS = 10
const SEGMENT_BYTES = 256 << 20
/** Milliseconds between checks of rules and of the disk. */
const CHECK_INTERVAL = 10_000
/** Milliseconds after the end of a recording in which its last segment is completed. */
const COMPLETION_TIME = 60_000
/** Hours for which the disk must suffice. */
const HOURS_MIN = 24

/** The rule of a channel that was deleted. */
const RULE_OF_DELETED: RecordingRule = { mode: 'manual', 'keep-days': 30, 'keep-gb': 0, 'when-full': 'delete' }

interface RecordingsOptions {
  store: Store
  /** Absolute path. Undefined: nothing can be recorded. */
  folder: string | undefined
  observe(channel: number): ObservedChannel
  /** Since when a channel is down or degraded, in milliseconds since the epoch; undefined: it is neither. */
  badSince(channel: number): number | undefined
  /** Milliseconds since the epoch. */
  now: () => number
  /** As in `Retention`. */
  freeSpace?: (folder: string) => Promise<number>
}

/** A recording that is known, whether it has files or not. */
export interface KnownRecording {
  id: number
  channel: number
  row: RecordingRow | undefined
  stored: StoredRecording | undefined
}

export class Recordings {
  /** The recording of a channel was started or stopped by its rule. */
  readonly changed = new Emitter<[channel: number]>()
  readonly #options: RecordingsOptions
  readonly #library: RecordingLibrary | undefined
  readonly #retention: Retention | undefined
  readonly #alarms: AlarmRecordings | undefined
  /** When the newest complete segment of each recording ended, when its folder was last read. */
  readonly #readUntil = new Map<number, number>()
  /** The fault of each recording that was logged. */
  readonly #loggedFaults = new Map<number, Reason>()
  /** Resolves when all file operations have ended. */
  #work: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(options: RecordingsOptions) {
    const { store, folder, freeSpace, badSince } = options
    this.#options = options
    if (folder === undefined) return
    const library = new RecordingLibrary(folder)
    const { recordings, database } = store
    const onEmpty = (recording: StoredRecording) => this.#forget(library, recording)
    this.#library = library
    this.#retention = new Retention({ library, ruleOf: (channel) => this.ruleOf(channel), onEmpty, freeSpace })
    const change = (run: () => void) => database.transactionOrLater(run)
    this.#alarms = new AlarmRecordings({ library, recordings, change, badSince })
  }

  /** Reads the recordings, and begins to check rules and disk. */
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

  /** When and how long a channel is recorded. */
  ruleOf(channel: number): RecordingRule {
    const row = this.#options.store.channels.byId(channel)
    return row ? channelSetting(row, 'recording') : RULE_OF_DELETED
  }

  /** Starts to record a channel by hand, or finds that it is being recorded; in the transaction of the caller. */
  begin(channel: number, user: string): number {
    const { recordings } = this.#options.store
    const now = this.#options.now()
    const running = recordings.running(channel)
    if (running && running.kind !== 'ring') return running.id
    if (running) recordings.end(running.id, now)
    return recordings.start(channel, 'manual', user, now)
  }

  /** @returns the recording that has ended, in the transaction of the caller; undefined: there was none */
  end(channel: number): number | undefined {
    const { recordings } = this.#options.store
    const running = recordings.running(channel)
    if (!running || running.kind === 'ring') return undefined
    recordings.end(running.id, this.#options.now())
    return running.id
  }

  /** Free bytes that recordings may use; undefined until they were measured. */
  get free(): number | undefined {
    return this.#retention?.free
  }

  /** Hours until the free bytes are used at the present bit rate; undefined if nothing is recorded. */
  get hoursLeft(): number | undefined {
    return this.free === undefined ? undefined : this.#hoursFor(this.free)
  }

  /** Whether the disk does not suffice for a day, although old segments are deleted. */
  get isSpaceShort(): boolean {
    const { free = 0 } = this
    const hours = this.#hoursFor(free + (this.#retention?.deletableBytes() ?? 0))
    return hours !== undefined && hours < HOURS_MIN
  }

  /** The channels that are to be recorded and are not. */
  faults(): { channel: number; reason: Reason }[] {
    return this.#running().flatMap(({ channel_id: channel }) => {
      const { reason } = this.#options.observe(channel).recording ?? {}
      return reason ? [{ channel, reason }] : []
    })
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
    const running = this.#options.store.recordings.running(channel)
    const row = running?.kind === 'ring' ? this.#alarms?.find(channel) : running
    if (!row) return undefined
    const { openBytes = 0, openSince, reason: known } = this.#options.observe(channel).recording ?? {}
    const reason: Reason | undefined = known ?? (openSince === undefined ? 'no-data' : undefined)
    const bytes = (this.#library?.find(row.id)?.segments.bytes ?? 0) + openBytes
    return { id: row.id, since: row.id, bytes, ...(reason && { fault: reasonText(language, reason) }) }
  }

  /** Newest first, without rings. */
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
    return channel === undefined || row?.kind === 'ring' ? undefined : { id, channel, row, stored }
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

  /** Applies the rules of channels, reads new segments, and deletes what is too much. Resolves when that is done. */
  check(): Promise<void> {
    for (const { id } of this.#options.store.channels.all()) this.#applyRule(id)
    return this.#enqueue(async () => {
      const library = this.#library
      if (!library) return
      const now = this.#options.now()
      const rows = [...this.#options.store.recordings.all().values()]
      for (const { id, channel_id: channel, ended } of rows)
        if (ended === null || now - ended < COMPLETION_TIME) await library.refresh(channel, id)
      for (const row of rows) if (row.kind === 'ring') await this.#keepRing(library, row, now)
      for (const { id, channel_id: channel } of listEmpty(library, rows, now))
        await this.#forget(library, { id, channel })
      await this.#retention?.apply(now)
    })
  }

  /** Resolves when no file operation runs. */
  whenIdle = (): Promise<void> => this.#work

  #running(): RecordingRow[] {
    return [...this.#options.store.recordings.all().values()].filter(
      ({ ended, kind }) => ended === null && kind !== 'alarm'
    )
  }

  /** Hours for which bytes suffice at the present bit rate; undefined if nothing is recorded. */
  #hoursFor(bytes: number): number | undefined {
    const kbps = this.#running().reduce((sum, { channel_id: channel }) => {
      const observed = this.#options.observe(channel)
      return sum + (observed.recording ? observed.kbps : 0)
    }, 0)
    return kbps === 0 ? undefined : bytes / ((kbps * 1000) / 8) / 3600
  }

  /** Starts or stops the recording of a channel as its rule asks for. */
  #applyRule(channel: number): void {
    const { store, now } = this.#options
    const { recordings, database } = store
    const running = recordings.running(channel)
    const wanted = recordingByRule(this.ruleOf(channel), recordings.ofChannel(channel), now())
    if (!this.#library || !isChangeNeeded(running, wanted)) return
    database.transactionOrLater(() => {
      if (running) recordings.end(running.id, now())
      if (wanted) recordings.start(channel, wanted, '', now())
    })
    this.#logRule(channel, running?.kind, wanted)
    this.changed.emit(channel)
  }

  #logRule(channel: number, before: RecordingKind | undefined, wanted: RecordingKind | undefined): void {
    const event = wanted === 'rule' ? 'recording-started' : before === 'rule' ? 'recording-stopped' : undefined
    const detail = this.#options.store.channels.byId(channel)?.name ?? String(channel)
    if (event) this.#options.store.logEvent({ event, detail, channel })
  }

  /** Moves what belongs to an alarm out of a ring, and removes a ring that has ended. */
  async #keepRing(library: RecordingLibrary, row: RecordingRow, now: number): Promise<void> {
    const { channel_id: channel, id, ended } = row
    if (ended === null) return this.#alarms?.update(row, now)
    if (this.#options.store.recordings.running(channel)?.kind !== 'ring') this.#alarms?.end(channel, now)
    if (now - ended < COMPLETION_TIME) return
    await library.remove({ channel, id })
    this.#options.store.database.transactionOrLater(() => this.#options.store.recordings.remove(id))
  }

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

  /** Removes a recording without segments, unless it goes on. */
  async #forget(library: RecordingLibrary, recording: Pick<StoredRecording, 'id' | 'channel'>): Promise<void> {
    const { recordings, database } = this.#options.store
    const row = recordings.all().get(recording.id)
    if (row?.ended === null) return
    await library.remove(recording)
    if (row) database.transactionOrLater(() => recordings.remove(recording.id))
  }

  /** Runs a file operation after those that are queued. A failure does not stop the queue. */
  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work).catch((error) => logger.error('A recording cannot be read or deleted', error))
    this.#work = done
    return done
  }
}

/**
 * Recordings that have ended without a segment, as those of a channel without media. The last one of a rule is none of
 * them: it says that it was stopped by hand.
 */
function listEmpty(library: RecordingLibrary, rows: readonly RecordingRow[], now: number): RecordingRow[] {
  const isLastOfRule = ({ id, kind, channel_id: channel }: RecordingRow) =>
    kind === 'rule' && !rows.some((row) => row.channel_id === channel && row.kind === 'rule' && row.id > id)
  return rows.filter(
    (row) =>
      row.kind !== 'ring' &&
      row.ended !== null &&
      now - row.ended >= COMPLETION_TIME &&
      !library.find(row.id)?.segments.count &&
      !isLastOfRule(row)
  )
}
