// Cuts MPEG-TS into HLS segments (RFC 8216) and keeps the newest in memory. Nothing is written to disk, and no URL maps to a file.
import { randomInt } from 'node:crypto'
import { SEGMENT_DEFAULT, SEGMENTS_DEFAULT } from '../../contract/limits.ts'
import type { HlsOutput } from '../../contract/stream/source.ts'
import { headerLength, TS_PACKET_SIZE } from '../mpegts/packet.ts'
import { readTimestamp, TICKS_PER_SECOND } from '../mpegts/timestamps.ts'
import { SegmentBuffer } from './segment-buffer.ts'

/** Bytes of all segments of an output. Above it the oldest are dropped, but a minimum number is kept for the playlist. */
const BYTES_MAX = 96 << 20
const SEGMENTS_MIN = 3
/** Timestamps further apart than this many seconds belong to different clocks. */
const JUMP = 60
/** Timestamps are modulo this value. */
const WRAP = 2 ** 33
/** Seconds: minimum duration of a segment that the end of the stream cuts off. */
const DURATION_MIN = 0.1
/** The smallest number with the digits of a run. */
const RUN_MIN = 1000

interface Segment {
  name: string
  sequence: number
  bytes: Buffer
  /** Seconds. */
  duration: number
  /** Whether it belongs to another stream than the segment before. */
  discontinuity: boolean
  /** Number of discontinuities before this segment. */
  discontinuitySequence: number
}

/** The segment being recorded. */
interface OpenSegment {
  buffer: SegmentBuffer
  startedAt: number
  /** Timestamp of its first frame. */
  timestamp: number | undefined
}

export interface HlsSegments {
  /** Adds packets; the parameters are those of `Tap.media`. */
  media(data: Buffer, starts: readonly number[], tables: Buffer): void
  /** Ends the stream. Later data belongs to another stream. */
  end(): void
  /** The playlist; undefined until there is a segment. */
  playlist(): string | undefined
  segment(name: string): Buffer | undefined
  /** The target duration of the playlist in seconds. */
  targetDuration(): number
}

class SegmentRecorder implements HlsSegments {
  readonly #now: () => number
  /** Segments in the playlist. */
  readonly #count: number
  /** Wanted seconds of a segment. */
  readonly #duration: number
  readonly #segments: Segment[] = []
  #sequence: number
  #discontinuitySequence: number
  /** Digits at the end of the name of each segment. */
  readonly #run: string
  #targetDuration: number
  /** Bytes of all segments. */
  #size = 0
  #open: OpenSegment | undefined
  /** Whether the next segment belongs to another stream than the one before. The first one follows those before a restart. */
  #discontinuity = true

  constructor(config: HlsOutput, now: () => number, { sequence, run }: HlsStart) {
    this.#now = now
    this.#count = config['seg-count'] ?? SEGMENTS_DEFAULT
    this.#duration = config['seg-duration'] ?? SEGMENT_DEFAULT
    this.#targetDuration = this.#duration
    this.#sequence = sequence
    this.#discontinuitySequence = sequence
    this.#run = run
  }

  media(data: Buffer, starts: readonly number[], tables: Buffer): void {
    let from = this.#open ? 0 : data.length
    for (const start of starts) {
      const timestamp = timestampAt(data, start)
      const seconds = this.#elapsedSeconds(timestamp)
      if (this.#open && seconds < this.#duration) continue
      if (this.#open) {
        this.#append(data.subarray(from, start))
        this.#finish(seconds)
      }
      this.#open = {
        buffer: new SegmentBuffer(this.#segments.at(-1)?.bytes.length ?? 0),
        startedAt: this.#now(),
        timestamp
      }
      this.#open.buffer.append(tables)
      from = start
    }
    this.#append(data.subarray(from))
  }

  end(): void {
    if (this.#open) this.#finish(Math.max(DURATION_MIN, (this.#now() - this.#open.startedAt) / 1000))
    this.#discontinuity = true
  }

  playlist(): string | undefined {
    const listed = this.#segments.slice(-this.#count)
    const [oldest] = listed
    if (!oldest) return undefined
    const lines = listed.flatMap(({ duration, name, discontinuity }) => [
      ...(discontinuity ? ['#EXT-X-DISCONTINUITY'] : []),
      `#EXTINF:${duration.toFixed(3)},`,
      name
    ])
    return `${[
      '#EXTM3U',
      '#EXT-X-VERSION:3',
      `#EXT-X-TARGETDURATION:${this.#targetDuration}`,
      `#EXT-X-MEDIA-SEQUENCE:${oldest.sequence}`,
      `#EXT-X-DISCONTINUITY-SEQUENCE:${oldest.discontinuitySequence}`,
      ...lines
    ].join('\n')}\n`
  }

  segment(name: string): Buffer | undefined {
    return this.#segments.find((segment) => segment.name === name)?.bytes
  }

  targetDuration(): number {
    return this.#targetDuration
  }

  /** Seconds since the start of the open segment: by timestamps, or by the clock if there are none or they jump. */
  #elapsedSeconds(timestamp: number | undefined): number {
    if (!this.#open) return 0
    const { startedAt, timestamp: first } = this.#open
    const ticks = timestamp === undefined || first === undefined ? undefined : (timestamp - first + WRAP) % WRAP
    return ticks === undefined || ticks > JUMP * TICKS_PER_SECOND
      ? (this.#now() - startedAt) / 1000
      : ticks / TICKS_PER_SECOND
  }

  #append(part: Buffer): void {
    this.#open?.buffer.append(part)
  }

  #finish(duration: number): void {
    if (!this.#open) return
    const bytes = this.#open.buffer.bytes()
    this.#segments.push({
      name: `${this.#sequence}${this.#run}.ts`,
      sequence: this.#sequence,
      bytes,
      duration,
      discontinuity: this.#discontinuity,
      discontinuitySequence: this.#discontinuitySequence
    })
    this.#sequence++
    if (this.#discontinuity) this.#discontinuitySequence++
    this.#open = undefined
    this.#discontinuity = false
    this.#size += bytes.length
    this.#targetDuration = Math.max(this.#targetDuration, Math.round(duration))
    this.#dropOldest()
  }

  /** Segments stay available for a while after they have left the playlist (RFC 8216, 6.2.2). */
  #dropOldest(): void {
    const segments = this.#segments
    while (segments.length > 2 * this.#count + 1 || (this.#size > BYTES_MAX && segments.length > SEGMENTS_MIN)) {
      const oldest = segments.shift()
      if (!oldest) return
      this.#size -= oldest.bytes.length
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
 * Returns a start after all earlier ones. No segment is shorter than the wanted duration, except at a discontinuity, so the number of
 * durations since the epoch stays ahead of the numbers of an output that runs.
 */
export function hlsStartAt(config: HlsOutput, epochMs: number): HlsStart {
  const sequence = Math.floor(epochMs / 1000 / (config['seg-duration'] ?? SEGMENT_DEFAULT))
  return { sequence, run: String(randomInt(RUN_MIN, 10 * RUN_MIN)) }
}

/** @param now milliseconds of a monotonic clock, for streams without timestamps */
export const createHlsSegments = (config: HlsOutput, now: () => number, start: HlsStart): HlsSegments =>
  new SegmentRecorder(config, now, start)

/** The presentation timestamp of the frame that starts in the packet at an offset, in 90 kHz units; undefined if it has none. */
export function timestampAt(data: Buffer, offset: number): number | undefined {
  const packet = data.subarray(offset, offset + TS_PACKET_SIZE)
  if (packet.length < TS_PACKET_SIZE || ((packet[3] ?? 0) & 0x10) === 0) return undefined
  const payload = headerLength(packet)
  if (payload + 14 > TS_PACKET_SIZE || packet.readUIntBE(payload, 3) !== 1) return undefined
  if (((packet[payload + 7] ?? 0) & 0x80) === 0) return undefined
  return readTimestamp(packet, payload + 9)
}
