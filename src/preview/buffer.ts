// The buffer of the preview stream: network bytes are read into its free end, parts are parsed in place and consumed
// from its front. It grows by doubling when a part does not fit, never shrinks, and is reused for the next connection.
import { PREVIEW_BUFFER } from '../../contract/limits.ts'

/** Largest capacity in bytes. A part that does not fit is skipped. */
export const BUFFER_MAX = 16 << 20

/** With less free space than this number of bytes, the content is moved to the front, so that reads stay large. */
const MIN_FREE_SPACE = 64 << 10

/** A growable buffer. Its content is `bytes[start]` to `bytes[end]`. Every method but `consume` may replace `bytes`. */
export class PartBuffer {
  bytes = new Uint8Array()
  /** The same memory as words of four bytes, without the remainder. */
  words = new Int32Array()
  start = 0
  end = 0
  readonly max: number
  readonly #initial: number

  /** @param initial first capacity in bytes. @param max largest capacity in bytes */
  constructor(initial = PREVIEW_BUFFER, max = BUFFER_MAX) {
    this.#initial = initial
    this.max = max
    this.reset()
  }

  /** Bytes of content. */
  get size(): number {
    return this.end - this.start
  }

  /** Discards the content. Replaces memory that a cancelled read has detached. */
  reset(): void {
    this.start = this.end = 0
    if (this.bytes.length === 0) this.#setMemory(new ArrayBuffer(this.#initial))
  }

  /** Removes `count` bytes from the front. */
  consume(count: number): void {
    this.start += count
    if (this.start === this.end) this.start = this.end = 0
  }

  /**
   * Makes sure that content of `total` bytes fits without being moved again.
   * @returns false when that exceeds the maximum
   */
  reserve(total: number): boolean {
    if (this.start + total <= this.bytes.length) return true
    if (total > this.max) return false
    let capacity = this.bytes.length
    while (capacity < total) capacity = Math.min(capacity * 2, this.max)
    this.#moveToFront(capacity)
    return true
  }

  /** Free space for the next read. Empty only when the content has the maximum size. */
  freeSpace(): Uint8Array<ArrayBuffer> {
    // A small content is moved early, so that small parts pass through memory that is in the processor's cache.
    if (this.bytes.length - this.end < MIN_FREE_SPACE || this.size << 3 < this.start)
      this.#moveToFront(this.bytes.length)
    if (this.end === this.bytes.length) this.reserve(Math.min(this.size + 1, this.max))
    return this.bytes.subarray(this.end)
  }

  /** Takes back the memory of `freeSpace`, as the platform returned it from a read with its first bytes filled. */
  commit(filled: Uint8Array<ArrayBuffer>): void {
    this.#setMemory(filled.buffer)
    this.end = filled.byteOffset + filled.length
  }

  /** Copies as much of `chunk` as fits behind the content. @returns the number of bytes copied */
  append(chunk: Uint8Array): number {
    const free = this.freeSpace()
    const fitting = chunk.length > free.length ? chunk.subarray(0, free.length) : chunk
    free.set(fitting)
    this.end += fitting.length
    return fitting.length
  }

  #setMemory(memory: ArrayBuffer): void {
    this.bytes = new Uint8Array(memory)
    this.words = new Int32Array(memory, 0, memory.byteLength >> 2)
  }

  #moveToFront(capacity: number): void {
    const size = this.size
    if (capacity === this.bytes.length) this.bytes.copyWithin(0, this.start, this.end)
    else {
      const content = this.bytes.subarray(this.start, this.end)
      this.#setMemory(new ArrayBuffer(capacity))
      this.bytes.set(content)
    }
    this.start = 0
    this.end = size
  }
}
