// Queue of whole MPEG-TS packets to one receiver. It starts at a key frame and drops packets while the receiver is too
// slow, so that a slow receiver does not affect others.
import type { Writable } from 'node:stream'
import { NULL_PACKETS } from './packet.ts'

/** Limits of the queue in bytes. */
const QUEUE_MIN = 256 << 10
const QUEUE_MAX = 4 << 20
/** Seconds of the stream that the queue holds, within these limits. */
const QUEUE_SECONDS = 2

export interface PacketQueue {
  /**
   * Queues a copy of the packets, or drops them.
   * @param starts offsets in `data` of packets at which a decoder can start
   * @param tables PAT and PMT, written before the first packet
   */
  push(data: Buffer, starts: readonly number[], tables: Buffer): void
  /** Drops packets until the next key frame, at the start of a stream or when another stream follows. */
  waitForKeyFrame(): void
  /** Writes null packets if the queue is empty, to keep a connection active without a stream. */
  sendNullPackets(): void
  /** Bytes in the queue. */
  queuedBytes(): number
  /** Bytes of null packets written so far. */
  nullPacketBytes(): number
  /** Bytes dropped because the receiver was too slow. */
  droppedBytes(): number
}

/**
 * @param kbps current rate of the stream, which determines the length of the queue
 * @param pipeCopies whether `pipe`, when it is idle, copies the data during `write`
 */
export function createPacketQueue(pipe: Writable, kbps: () => number, pipeCopies = false): PacketQueue {
  let phase: 'closed' | 'seeking' | 'flowing' | 'draining' = 'closed'
  let nullPacketBytes = 0
  let droppedBytes = 0
  const limit = () => Math.min(QUEUE_MAX, Math.max(QUEUE_MIN, kbps() * 125 * QUEUE_SECONDS))
  const write = (data: Buffer) => pipe.write(pipeCopies && pipe.writableLength === 0 ? data : Buffer.from(data))
  return {
    push(data, starts, tables) {
      if (!pipe.writable || phase === 'closed') return
      if (phase === 'draining' && pipe.writableLength === 0) phase = 'seeking'
      if (phase === 'flowing' && pipe.writableLength + data.length > limit()) phase = 'draining'
      if (phase === 'flowing') {
        write(data)
      } else if (phase === 'seeking' && starts[0] !== undefined) {
        phase = 'flowing'
        pipe.write(tables)
        write(data.subarray(starts[0]))
      } else if (phase === 'draining') {
        droppedBytes += data.length
      }
    },
    waitForKeyFrame() {
      if (phase !== 'draining') phase = 'seeking'
    },
    sendNullPackets() {
      if (!pipe.writable || pipe.writableLength > 0) return
      nullPacketBytes += NULL_PACKETS.length
      pipe.write(NULL_PACKETS)
    },
    queuedBytes: () => pipe.writableLength,
    nullPacketBytes: () => nullPacketBytes,
    droppedBytes: () => droppedBytes
  }
}
