/** Bytes of the first buffer. */
const INITIAL_SIZE = 64 << 10
/** Reserve above the length of the previous segment, so that a buffer rarely has to grow. */
const RESERVE = 1.2

/** Collects the bytes of a segment in one buffer, because many small ones cost more processor time than the rest of the output. */
export class SegmentBuffer {
  #bytes: Buffer
  #length = 0

  /** @param expected length of the previous segment */
  constructor(expected: number) {
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(INITIAL_SIZE, Math.ceil(expected * RESERVE)))
  }

  /** Copies bytes. */
  append(part: Buffer): void {
    const length = this.#length + part.length
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * length)
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    part.copy(this.#bytes, this.#length)
    this.#length = length
  }

  /** The segment. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}
