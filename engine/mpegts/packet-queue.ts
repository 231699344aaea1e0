// Gives one output its share: whole packets from a key frame on, and none when it is too slow, so that it alone suffers.
import type { Writable } from 'node:stream'
import { NULL_PACKETS } from './packets.ts'

/** Bytes. */
const QUEUE_MIN = 256 << 10
const QUEUE_MAX = 4 << 20
/** Seconds of the stream that may wait in the queue. */
const QUEUE_SECONDS = 2

export interface Feed {
  /** @param tables PAT and PMT, given before the first packet */
  take(data: Buffer, starts: readonly number[], tables: Buffer): void
  /** The stream begins, or begins anew: what follows starts at a key frame. */
  seek(): void
  /** Null packets, for what must be kept moving while there is no stream. */
  pad(): void
  /** Bytes that wait. */
  queued(): number
  /** Bytes of null packets so far. */
  padded(): number
  /** Bytes left out because the output was too slow. */
  dropped(): number
}

/** @param kbps of the stream now, for the length of the queue */
export function createFeed(pipe: Writable, kbps: () => number): Feed {
  let phase: 'shut' | 'seeking' | 'flowing' | 'draining' = 'shut'
  let padded = 0
  let dropped = 0
  const limit = () => Math.min(QUEUE_MAX, Math.max(QUEUE_MIN, kbps() * 125 * QUEUE_SECONDS))
  return {
    take(data, starts, tables) {
      if (!pipe.writable || phase === 'shut') return
      if (phase === 'draining' && pipe.writableLength === 0) phase = 'seeking'
      if (phase === 'flowing' && pipe.writableLength + data.length > limit()) phase = 'draining'
      if (phase === 'flowing') {
        pipe.write(data)
      } else if (phase === 'seeking' && starts[0] !== undefined) {
        phase = 'flowing'
        pipe.write(tables)
        pipe.write(data.subarray(starts[0]))
      } else if (phase === 'draining') {
        dropped += data.length
      }
    },
    seek() {
      if (phase !== 'draining') phase = 'seeking'
    },
    pad() {
      if (!pipe.writable || pipe.writableLength > 0) return
      padded += NULL_PACKETS.length
      pipe.write(NULL_PACKETS)
    },
    queued: () => pipe.writableLength,
    padded: () => padded,
    dropped: () => dropped
  }
}
