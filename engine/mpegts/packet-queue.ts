// Queue of whole MPEG-TS packets to one receiver. It starts at a key frame and drops packets while the receiver is too
// slow, so that a slow receiver does not affect others.
import type { Writable } from 'node:stream'
import { NULL_PACKETS } from './packet.ts'

/** Limits of the queue in bytes. */
const QUEUE_MIN = 256 << 10
const QUEUE_MAX = 4 << 20
/** Seconds of the stream that the queue holds, within these limits. */
const QUEUE_SECONDS = 2
/** Bytes of a group of pictures that receivers begin with, at most (GOP_MAX_BYTES in engine/native/relay). */
export const GROUP_MAX = 16 << 20
/** Milliseconds after its first packet in which a receiver gets the cached group of pictures. */
const GROUP_TIME = 3000

/** The packets since the last key frame, with which a receiver begins so that it shows a picture at once. */
export interface PacketGroup {
  /** PAT and PMT. */
  tables: Buffer
  /** They begin at the key frame, and are not changed later. */
  chunks: readonly Buffer[]
}

export interface PacketQueue {
  /**
   * Queues a copy of the packets, or drops them.
   * @param starts offsets in `data` of packets at which a decoder can start
   * @param tables PAT and PMT, written before the first packet
   */
  push(data: Buffer, starts: readonly number[], tables: Buffer): void
  /** Begins with a group of pictures, which the next packets continue. The chunks are not copied. */
  beginWith(group: PacketGroup): void
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

interface PacketQueueOptions {
  /** Whether `pipe`, when it is idle, copies the data during `write`. */
  pipeCopies?: boolean
  /** Bytes that the queue may hold besides, until the receiver has caught up with the group that it began with. */
  groupBytes?: number
}

/** @param kbps current rate of the stream, which determines the length of the queue */
export function createPacketQueue(
  pipe: Writable,
  kbps: () => number,
  { pipeCopies = false, groupBytes = 0 }: PacketQueueOptions = {}
): PacketQueue {
  let phase: 'closed' | 'seeking' | 'flowing' | 'draining' = 'closed'
  let nullPacketBytes = 0
  let droppedBytes = 0
  let beganAt = Number.NEGATIVE_INFINITY
  /** Whether it may still hold a group of pictures. */
  let isCatchingUp = groupBytes > 0
  function limit(): number {
    const allowed = Math.min(QUEUE_MAX, Math.max(QUEUE_MIN, kbps() * 125 * QUEUE_SECONDS))
    if (isCatchingUp && phase === 'flowing' && performance.now() - beganAt > GROUP_TIME)
      isCatchingUp = pipe.writableLength > allowed
    return isCatchingUp ? allowed + groupBytes : allowed
  }
  const write = (data: Buffer) => pipe.write(pipeCopies && pipe.writableLength === 0 ? data : Buffer.from(data))
  const begin = (tables: Buffer) => {
    phase = 'flowing'
    if (beganAt === Number.NEGATIVE_INFINITY) beganAt = performance.now()
    pipe.write(tables)
  }
  return {
    push(data, starts, tables) {
      if (!pipe.writable || phase === 'closed') return
      if (phase === 'draining' && pipe.writableLength === 0) phase = 'seeking'
      if (phase === 'flowing' && pipe.writableLength + data.length > limit()) phase = 'draining'
      if (phase === 'flowing') {
        write(data)
      } else if (phase === 'seeking' && starts[0] !== undefined) {
        begin(tables)
        write(data.subarray(starts[0]))
      } else if (phase === 'draining') {
        droppedBytes += data.length
      }
    },
    beginWith({ tables, chunks }) {
      if (!pipe.writable) return
      begin(tables)
      for (const chunk of chunks) pipe.write(chunk)
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
