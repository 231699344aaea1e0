// Gives the output of one ffmpeg to all watchers: fragments since the last key frame at first, then each fragment. A
// watcher that reads too slowly misses fragments until the next key frame.
import { BoxReader, beginsWithKeyFrame } from '../hls/boxes.ts'
import { readTracks } from './track-codecs.ts'

/** Bytes of a box. */
const BOX_MAX = 16 << 20
/**
 * Bytes of fragments since the last key frame that are kept for new watchers. With more, they wait for the next key
 * frame.
 */
const CACHE_MAX = 16 << 20
/** Bytes that wait for a watcher, besides those it began with. */
const QUEUE_MAX = 4 << 20

interface Watcher {
  sink: WatchSink
  /** Whether it gets no fragment until the next key frame. */
  isSeeking: boolean
  /** Bytes that may wait for it. */
  limit: number
}

export class Broadcast {
  readonly #missingAudio: string | undefined
  readonly #watchers = new Map<WatchSink, Watcher>()
  readonly #reader = new BoxReader((type, box) => this.#take(type, box), BOX_MAX)
  #parts: Buffer[] = []
  #init: { head: WatchHead; bytes: Buffer; videoTrack: number | undefined } | undefined
  #isKey = false
  /** Fragments since the last key frame; undefined if there are too many. */
  #cache: Buffer[] | undefined
  #cachedBytes = 0

  /** @param missingAudio see `WatchHead` */
  constructor(missingAudio: string | undefined) {
    this.#missingAudio = missingAudio
  }

  /** Whether watchers can begin. */
  get isOpen(): boolean {
    return this.#init !== undefined
  }

  /** Takes output of ffmpeg. Returns false if it is invalid. */
  push(chunk: Buffer): boolean {
    return this.#reader.push(chunk)
  }

  add(sink: WatchSink): void {
    const watcher: Watcher = { sink, isSeeking: true, limit: QUEUE_MAX }
    this.#watchers.set(sink, watcher)
    if (this.#init) this.#begin(watcher, this.#init)
  }

  remove(sink: WatchSink): void {
    this.#watchers.delete(sink)
  }

  /** Ends all watchers. */
  end(): void {
    for (const { sink } of this.#watchers.values()) sink.end()
    this.#watchers.clear()
  }

  #take(type: string, box: Buffer): void {
    if (type === 'ftyp' || type === 'moof') this.#parts = []
    if (type === 'moof')
      this.#isKey = this.#init?.videoTrack === undefined || beginsWithKeyFrame(box, this.#init.videoTrack)
    this.#parts.push(box)
    if (type === 'moov') this.#open(box)
    if (type === 'mdat') this.#sendFragment(Buffer.concat(this.#parts))
  }

  #open(moov: Buffer): void {
    const tracks = readTracks(moov)
    const codecs = tracks.map(({ codec }) => codec).join()
    this.#init = {
      head: {
        type: `video/mp4; codecs="${codecs}"`,
        ...(this.#missingAudio !== undefined && { missingAudio: this.#missingAudio })
      },
      bytes: Buffer.concat(this.#parts),
      videoTrack: tracks.find(({ isVideo }) => isVideo)?.id
    }
    for (const watcher of this.#watchers.values()) this.#begin(watcher, this.#init)
  }

  #begin(watcher: Watcher, { head, bytes }: { head: WatchHead; bytes: Buffer }): void {
    const { sink } = watcher
    sink.open(head)
    sink.write(bytes)
    if (!this.#cache) return
    for (const fragment of this.#cache) sink.write(fragment)
    watcher.isSeeking = false
    watcher.limit += this.#cachedBytes
  }

  #sendFragment(fragment: Buffer): void {
    this.#parts = []
    this.#keep(fragment)
    for (const watcher of this.#watchers.values()) {
      const queued = watcher.sink.queuedBytes()
      if (queued === 0) watcher.limit = QUEUE_MAX
      if (queued + fragment.length > watcher.limit) watcher.isSeeking = true
      else if (this.#isKey) watcher.isSeeking = false
      if (!watcher.isSeeking) watcher.sink.write(fragment)
    }
  }

  #keep(fragment: Buffer): void {
    if (this.#isKey) {
      this.#cache = []
      this.#cachedBytes = 0
    }
    this.#cachedBytes += fragment.length
    if (this.#cachedBytes > CACHE_MAX) this.#cache = undefined
    this.#cache?.push(fragment)
  }
}

/** What a page needs to know before the first byte. */
export interface WatchHead {
  /** MIME type with the codecs of all tracks: `video/mp4; codecs="avc1.64001f,mp4a.40.2"`. */
  type: string
  /**
   * Name of the codec of audio that is left out, because it has no data, or can neither be played nor be made
   * AAC: `MPEG-H`.
   */
  missingAudio?: string
}

/** Receives the fragmented MP4 of one watcher, for example a response. */
export interface WatchSink {
  /** Called once, before anything is written. */
  open(head: WatchHead): void
  /** Takes an initialization segment, or a fragment. The bytes are not changed later. */
  write(bytes: Buffer): void
  /** Bytes that were written but not read yet. */
  queuedBytes(): number
  /**
   * The stream has ended or its format has changed; a new watcher gets what follows. Before `open`: there is no stream.
   */
  end(): void
}
