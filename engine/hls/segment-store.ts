// The newest segments of an HLS output (RFC 8216), in memory, and their playlist. Nothing is written to disk, and no
// URL maps to a file.
import { randomInt } from 'node:crypto'
import { SEGMENT_DEFAULT, SEGMENTS_DEFAULT } from '../../contract/limits.ts'
import type { HlsOutput } from '../../contract/stream/source.ts'
import type { LentSegment } from '../interfaces/leg-parts.ts'

/**
 * Bytes of all segments of an output. Above it the oldest are dropped, but a minimum number is kept for the playlist.
 */
export const BYTES_MAX = 96 << 20
const SEGMENTS_MIN = 3
/** Bytes of memory for a segment whose length is unknown. */
const MEMORY_MIN = 64 << 10
/** Memory that is allocated per byte of the previous segment, so that it rarely has to grow. */
const MEMORY_RESERVE = 1.2
/** Memory with more bytes per byte of the previous segment is not used again. */
const MEMORY_EXCESS = 3
/** The smallest number with the digits of a run. */
const RUN_MIN = 1000

/** Media of one segment. */
interface SegmentMedia {
  bytes: Buffer
  /** The memory that holds the bytes, which a later segment may use. Absent: none may. */
  memory?: Buffer
  /** Seconds. */
  duration: number
  /**
   * Initialization segment (ftyp and moov) of fragmented MP4; absent for MPEG-TS. Segments of one run share one buffer.
   */
  init?: Buffer
}

interface Segment extends SegmentMedia {
  name: string
  /** Number of responses that are being sent from its bytes. */
  readers: number
  initName?: string
  sequence: number
  /** Whether it belongs to another stream than the segment before. */
  discontinuity: boolean
  /** Number of discontinuities before this segment. */
  discontinuitySequence: number
}

export class SegmentStore {
  /** Segments in the playlist. */
  readonly #count: number
  readonly #segments: Segment[] = []
  #sequence: number
  #discontinuitySequence: number
  /** Digits at the end of the name of each segment. */
  readonly #run: string
  #targetDuration: number
  /** Bytes of all segments. */
  #size = 0
  /**
   * Memory of the last segment that was dropped. It is used again, because new memory makes garbage collection
   * frequent.
   */
  #freeMemory: Buffer | undefined
  /**
   * Whether the next segment belongs to another stream than the one before. The first one follows those before a
   * restart.
   */
  #discontinuity = true

  constructor(config: HlsOutput, { sequence, run }: HlsStart) {
    this.#count = config['seg-count'] ?? SEGMENTS_DEFAULT
    this.#targetDuration = config['seg-duration'] ?? SEGMENT_DEFAULT
    this.#sequence = sequence
    this.#discontinuitySequence = sequence
    this.#run = run
  }

  /**
   * Memory for the next segment, which may have more bytes.
   * @param expected length of the previous segment
   */
  takeMemory(expected: number): Buffer {
    const memory = this.#freeMemory
    this.#freeMemory = undefined
    const isSuitable = memory && memory.length >= expected && memory.length <= MEMORY_MIN + expected * MEMORY_EXCESS
    return isSuitable ? memory : Buffer.allocUnsafeSlow(Math.max(MEMORY_MIN, Math.ceil(expected * MEMORY_RESERVE)))
  }

  add(media: SegmentMedia): void {
    const previous = this.#segments.at(-1)
    const discontinuity = this.#discontinuity || media.init !== previous?.init
    const id = `${this.#sequence}${this.#run}`
    this.#segments.push({
      ...media,
      name: `${id}.${media.init ? 'm4s' : 'ts'}`,
      readers: 0,
      ...(media.init && { initName: (media.init === previous?.init && previous.initName) || `${id}.mp4` }),
      sequence: this.#sequence,
      discontinuity,
      discontinuitySequence: this.#discontinuitySequence
    })
    this.#sequence++
    if (discontinuity) this.#discontinuitySequence++
    this.#discontinuity = false
    this.#size += media.bytes.length
    this.#targetDuration = Math.max(this.#targetDuration, Math.round(media.duration))
    this.#dropOldest()
  }

  /** The next segment belongs to another stream. */
  markDiscontinuity(): void {
    this.#discontinuity = true
  }

  /**
   * The playlist; undefined until there is a segment. It lists only segments of the newest format, because no tag ends
   * the scope of EXT-X-MAP and not every player changes between MPEG-TS and fragmented MP4.
   */
  playlist(): string | undefined {
    const isFragmented = this.#segments.at(-1)?.init !== undefined
    const lastOther = this.#segments.findLastIndex(({ init }) => (init !== undefined) !== isFragmented)
    const listed = this.#segments.slice(lastOther + 1).slice(-this.#count)
    const [oldest] = listed
    if (!oldest) return undefined
    let map: string | undefined
    const lines = listed.flatMap(({ duration, name, initName, discontinuity }) => {
      const mapLines = initName === map ? [] : [`#EXT-X-MAP:URI="${initName}"`]
      map = initName
      return [...(discontinuity ? ['#EXT-X-DISCONTINUITY'] : []), ...mapLines, `#EXTINF:${duration.toFixed(3)},`, name]
    })
    return `${[
      '#EXTM3U',
      // Version 6 is the first with EXT-X-MAP in a playlist of media; Apple asks for 7 with fragmented MP4.
      `#EXT-X-VERSION:${isFragmented ? 7 : 3}`,
      `#EXT-X-TARGETDURATION:${this.#targetDuration}`,
      `#EXT-X-MEDIA-SEQUENCE:${oldest.sequence}`,
      `#EXT-X-DISCONTINUITY-SEQUENCE:${oldest.discontinuitySequence}`,
      ...(isFragmented ? ['#EXT-X-INDEPENDENT-SEGMENTS'] : []),
      ...lines
    ].join('\n')}\n`
  }

  /** As `HlsStore.segment`. */
  segment(name: string): LentSegment | undefined {
    const isInit = name.endsWith('.mp4')
    const found = this.#segments.find((segment) => name === (isInit ? segment.initName : segment.name))
    const bytes = isInit ? found?.init : found?.bytes
    if (!found || !bytes) return undefined
    found.readers++
    let isReleased = false
    return {
      bytes,
      release() {
        if (!isReleased) found.readers--
        isReleased = true
      }
    }
  }

  /** The target duration of the playlist in seconds. */
  targetDuration(): number {
    return this.#targetDuration
  }

  /** Segments stay available for a while after they have left the playlist (RFC 8216, 6.2.2). */
  #dropOldest(): void {
    const segments = this.#segments
    while (segments.length > 2 * this.#count + 1 || (this.#size > BYTES_MAX && segments.length > SEGMENTS_MIN)) {
      const oldest = segments.shift()
      if (!oldest) return
      this.#size -= oldest.bytes.length
      if (oldest.readers === 0) this.#freeMemory = oldest.memory
    }
  }
}

/** Where an output starts, so that players that fetched from it before a restart continue. */
export interface HlsStart {
  /** Number of the first segment, and of discontinuities before it: higher than all before the restart. */
  sequence: number
  /** Digits that distinguish the names of segments from those before the restart, even if the clock was set back. */
  run: string
}

/**
 * Returns a start after all earlier ones. No segment is shorter than the wanted duration, except at a discontinuity, so
 * the number of durations since the epoch stays ahead of the numbers of an output that runs.
 */
export function hlsStartAt(config: HlsOutput, epochMs: number): HlsStart {
  const sequence = Math.floor(epochMs / 1000 / (config['seg-duration'] ?? SEGMENT_DEFAULT))
  return { sequence, run: String(randomInt(RUN_MIN, 10 * RUN_MIN)) }
}
