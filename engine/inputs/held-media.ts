// A backup that takes over with the media that its relay has held. Where its frames are those of the lost input, the
// stream continues at the first one that was lost; otherwise at the last key frame before.
import { KeyFrameReader } from '../mpegts/key-frames.ts'
import type { Splice } from '../mpegts/splice.ts'

/** Longest time for which media is held, in milliseconds, and how much longer than `after-s` it is. */
const KEEP_MAX = 12_000
const KEEP_MORE = 1500
/** Milliseconds by which the media of a backup may arrive earlier than that of the input that it replaces. */
const AHEAD_MAX = 500
/** Milliseconds within which held media arrives. What comes later was not held. */
const ARRIVAL = 500
/** Key frames of the input on air that are remembered. */
const KEY_FRAMES = 32
/** Bytes that wait for the end of the first key frame. */
const WAITING_MAX = 16 << 20

/** Milliseconds for which the relay of a backup holds its media. @param afterS as in the switch rule */
export const holdTime = (afterS: number): number => Math.min(KEEP_MAX, afterS * 1000 + KEEP_MORE)

/** How long ago the media arrived with which a backup begins. @param lostFor milliseconds since the last media */
export const holdAge = (lostFor: number): number => lostFor + AHEAD_MAX

/** Remembers the key frames of the input on air. */
export class SentKeyFrames {
  readonly #splice: Splice
  /** Checksums of the frames, and the offset of their timestamps in the output, by their time. */
  readonly #frames = new Map<number, { checksum: number; offset: number }>()
  readonly #reader = new KeyFrameReader(({ time, checksum }) => {
    this.#frames.set(time, { checksum, offset: this.#splice.timeOffset })
    for (const oldest of this.#frames.keys()) if (this.#frames.size > KEY_FRAMES) this.#frames.delete(oldest)
  })

  constructor(splice: Splice) {
    this.#splice = splice
  }

  push(data: Buffer, starts: readonly number[]): void {
    this.#reader.push(data, starts)
  }

  /** Whether a frame was sent with the timestamps that it would have now. */
  includes(time: number, checksum: number): boolean {
    const sent = this.#frames.get(time)
    return sent?.checksum === checksum && sent.offset === this.#splice.timeOffset
  }

  /** Another input is on air. */
  reset(): void {
    this.#reader.reset()
  }
}

/** Takes the media of a backup until it is known how it continues the stream. */
export class HeldMedia {
  readonly #splice: Splice
  readonly #now: () => number
  readonly #startedAt: number
  readonly #waiting: { data: Buffer; starts: readonly number[]; tables: Buffer }[] = []
  readonly #reader: KeyFrameReader
  #waitingBytes = 0
  #beganAt: number | undefined
  #isDecided = false

  constructor(splice: Splice, sent: SentKeyFrames, now: () => number) {
    this.#splice = splice
    this.#now = now
    this.#startedAt = now()
    this.#reader = new KeyFrameReader(({ time, checksum }) => this.#decide(sent.includes(time, checksum)))
  }

  /** Takes packets; the parameters are those of `Tap.media`. Returns false when it need not be called any more. */
  push(data: Buffer, starts: readonly number[], tables: Buffer): boolean {
    if (starts.length > 0) this.#beganAt ??= this.#now()
    this.#waiting.push({ data: Buffer.from(data), starts, tables })
    this.#waitingBytes += data.length
    this.#reader.push(data, starts)
    if (this.#waitingBytes > WAITING_MAX) this.#decide(false)
    return !this.#isDecided
  }

  #decide(isSame: boolean): void {
    if (this.#isDecided) return
    this.#isDecided = true
    const wasHeld = this.#beganAt !== undefined && this.#beganAt - this.#startedAt < ARRIVAL
    this.#splice.cut(isSame ? 'same-frames' : wasHeld ? 'at-once' : 'after-pause')
    for (const { data, starts, tables } of this.#waiting) this.#splice.push(data, starts, tables)
  }
}
