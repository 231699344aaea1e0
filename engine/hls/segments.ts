// Cuts MPEG-TS into HLS segments at key frames.
import { SEGMENT_DEFAULT } from '../../contract/limits.ts'
import type { HlsOutput } from '../../contract/stream/source.ts'
import type { Tap } from '../interfaces/relay.ts'
import { headerLength, TS_PACKET_SIZE } from '../mpegts/packet.ts'
import { readTimestamp, TICKS_PER_SECOND } from '../mpegts/timestamps.ts'
import type { SegmentStore } from './segment-store.ts'

/**
 * Collects the bytes of a segment in one buffer, because many small ones cost more processor time than the rest of the
 * output.
 */
class SegmentBuffer {
  #memory: Buffer
  #length = 0

  /** @param memory for the bytes; more is allocated if they do not fit */
  constructor(memory: Buffer) {
    this.#memory = memory
  }

  /** Copies bytes. */
  append(part: Buffer): void {
    const length = this.#length + part.length
    if (length > this.#memory.length) {
      const larger = Buffer.allocUnsafeSlow(2 * length)
      this.#memory.copy(larger, 0, 0, this.#length)
      this.#memory = larger
    }
    part.copy(this.#memory, this.#length)
    this.#length = length
  }

  /** The segment, and the memory that it is in. */
  finish(): { bytes: Buffer; memory: Buffer } {
    return { bytes: this.#memory.subarray(0, this.#length), memory: this.#memory }
  }
}

/** Timestamps further apart than this many seconds belong to different clocks. */
const JUMP = 60
/** Timestamps are modulo this value. */
const WRAP = 2 ** 33
/** Seconds: minimum duration of a segment that the end of the stream cuts off. */
const DURATION_MIN = 0.1

/** The segment being recorded. */
interface OpenSegment {
  buffer: SegmentBuffer
  startedAt: number
  /** Timestamp of its first frame. */
  timestamp: number | undefined
}

class SegmentRecorder implements Tap {
  readonly #now: () => number
  readonly #store: SegmentStore
  /** Wanted seconds of a segment. */
  readonly #duration: number
  #open: OpenSegment | undefined
  /** Bytes of the newest segment. */
  #lastLength = 0

  constructor(config: HlsOutput, now: () => number, store: SegmentStore) {
    this.#now = now
    this.#store = store
    this.#duration = config['seg-duration'] ?? SEGMENT_DEFAULT
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
        buffer: new SegmentBuffer(this.#store.takeMemory(this.#lastLength)),
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
    this.#store.markDiscontinuity()
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
    const segment = this.#open.buffer.finish()
    this.#open = undefined
    this.#lastLength = segment.bytes.length
    this.#store.add({ ...segment, duration })
  }
}

/** @param now milliseconds of a monotonic clock, for streams without timestamps */
export const createSegmentRecorder = (config: HlsOutput, now: () => number, store: SegmentStore): Tap =>
  new SegmentRecorder(config, now, store)

/**
 * The presentation timestamp of the frame that starts in the packet at an offset, in 90 kHz units; undefined if it has
 * none.
 */
export function timestampAt(data: Buffer, offset: number): number | undefined {
  const packet = data.subarray(offset, offset + TS_PACKET_SIZE)
  if (packet.length < TS_PACKET_SIZE || ((packet[3] ?? 0) & 0x10) === 0) return undefined
  const payload = headerLength(packet)
  if (payload + 14 > TS_PACKET_SIZE || packet.readUIntBE(payload, 3) !== 1) return undefined
  if (((packet[payload + 7] ?? 0) & 0x80) === 0) return undefined
  return readTimestamp(packet, payload + 9)
}
