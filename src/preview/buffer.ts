// The one buffer that all pictures pass through: network bytes are read into its free end, parts are found in place and
// consumed from its front. It grows by doubling when a part does not fit, never shrinks, and is kept for the next connection.
import { PREVIEW_BUFFER } from '../../contract/limits.ts'

/** Bytes: capacity at which growing ends. A part that does not fit is skipped. */
export const BUFFER_CEILING = 16 << 20

/** Bytes: with less free space than this the kept bytes are moved to the front, so that reads stay large. */
const SMALL_ROOM = 64 << 10

/** A growable buffer. What it keeps lies at `bytes[start]` to `bytes[end]`; every call but `consume` may replace `bytes`. */
export class PartBuffer {
  bytes = new Uint8Array()
  /** The same memory, but for what is left beyond whole words of four bytes. */
  words = new Int32Array()
  start = 0
  end = 0
  readonly ceiling: number
  readonly #initial: number

  /** Capacities in bytes: the first one, and that at which growing ends. */
  constructor(initial = PREVIEW_BUFFER, ceiling = BUFFER_CEILING) {
    this.#initial = initial
    this.ceiling = ceiling
    this.reset()
  }

  /** Bytes kept. */
  get size(): number {
    return this.end - this.start
  }

  /** Forgets what is kept. Memory that a cancelled read took along is replaced. */
  reset(): void {
    this.start = this.end = 0
    if (this.bytes.length === 0) this.#hold(new ArrayBuffer(this.#initial))
  }

  /** Gives `count` bytes at the front free. */
  consume(count: number): void {
    this.start += count
    if (this.start === this.end) this.start = this.end = 0
  }

  /**
   * Sees to it that `total` bytes counted from `start` fit without another move.
   * @returns false where that would take more than the ceiling
   */
  reserve(total: number): boolean {
    if (this.start + total <= this.bytes.length) return true
    if (total > this.ceiling) return false
    let capacity = this.bytes.length
    while (capacity < total) capacity = Math.min(capacity * 2, this.ceiling)
    this.#move(capacity)
    return true
  }

  /** Free space for the next read; empty only when a whole ceiling of bytes is kept. */
  room(): Uint8Array<ArrayBuffer> {
    // Few bytes are moved early, so that small parts pass through memory that the processor has at hand.
    if (this.bytes.length - this.end < SMALL_ROOM || this.size << 3 < this.start) this.#move(this.bytes.length)
    if (this.end === this.bytes.length) this.reserve(Math.min(this.size + 1, this.ceiling))
    return this.bytes.subarray(this.end)
  }

  /** Takes back the space that `room` gave, as the platform returned it with its first bytes filled. */
  adopt(filled: Uint8Array<ArrayBuffer>): void {
    this.#hold(filled.buffer)
    this.end = filled.byteOffset + filled.length
  }

  /** Copies as much of `chunk` behind what is kept as there is room for, and tells how many bytes that were. */
  append(chunk: Uint8Array): number {
    const room = this.room()
    const fits = chunk.length > room.length ? chunk.subarray(0, room.length) : chunk
    room.set(fits)
    this.end += fits.length
    return fits.length
  }

  #hold(memory: ArrayBuffer): void {
    this.bytes = new Uint8Array(memory)
    this.words = new Int32Array(memory, 0, memory.byteLength >> 2)
  }

  #move(capacity: number): void {
    const size = this.size
    if (capacity === this.bytes.length) this.bytes.copyWithin(0, this.start, this.end)
    else {
      const kept = this.bytes.subarray(this.start, this.end)
      this.#hold(new ArrayBuffer(capacity))
      this.bytes.set(kept)
    }
    this.start = 0
    this.end = size
  }
}
