// Reads the frames of a tap's connection (engine/native/relay/subscriber.h).
import type { Tap } from '../interfaces/relay.ts'

const HEADER = 8
/**
 * Bytes of an offset, and the highest number of offsets in a frame (FRAME_STARTS in engine/native/relay/subscriber.c).
 */
const OFFSET = 4
const OFFSETS_MAX = 64
const TABLES = 'T'.charCodeAt(0)
const MEDIA = 'M'.charCodeAt(0)

export class TapReader {
  readonly #tap: Tap
  /** The header and the offsets of the current frame, and how many bytes of them have arrived. */
  readonly #head = Buffer.alloc(HEADER + OFFSET * OFFSETS_MAX)
  #headBytes = 0
  /** Memory of the bodies that are copied, and the body of the current frame. */
  #memory: Buffer = Buffer.alloc(0)
  #body: Buffer | undefined
  #bodyBytes = 0
  #tables: Buffer = Buffer.alloc(0)

  constructor(tap: Tap) {
    this.#tap = tap
  }

  /** Takes bytes cut at any position. The body of a frame that ends in other bytes than it begins is copied. */
  push(chunk: Buffer): void {
    for (let offset = 0; offset < chunk.length; ) {
      offset += this.#body ? this.#takeBody(this.#body, chunk, offset) : this.#takeHead(chunk, offset)
      if (!this.#body && this.#headBytes === this.#headLength()) {
        const length = this.#head.readUInt32BE(4)
        if (offset + length <= chunk.length) {
          this.#finish(chunk.subarray(offset, offset + length))
          offset += length
        } else this.#body = this.#reserve(length)
      } else if (this.#body && this.#bodyBytes === this.#body.length) this.#finish(this.#body)
    }
  }

  #headLength(): number {
    return this.#headBytes < HEADER ? HEADER : HEADER + OFFSET * this.#head.readUInt16BE(2)
  }

  #takeHead(chunk: Buffer, offset: number): number {
    const end = Math.min(chunk.length, offset + this.#headLength() - this.#headBytes)
    const bytes = chunk.copy(this.#head, this.#headBytes, offset, end)
    this.#headBytes += bytes
    return bytes
  }

  #takeBody(body: Buffer, chunk: Buffer, offset: number): number {
    const bytes = chunk.copy(body, this.#bodyBytes, offset)
    this.#bodyBytes += bytes
    return bytes
  }

  #reserve(bytes: number): Buffer {
    if (this.#memory.length < bytes) this.#memory = Buffer.allocUnsafeSlow(bytes)
    return this.#memory.subarray(0, bytes)
  }

  #finish(body: Buffer): void {
    const type = this.#head[0] ?? 0
    const starts = this.#readStarts()
    this.#headBytes = 0
    this.#bodyBytes = 0
    this.#body = undefined
    if (type === TABLES) this.#tables = Buffer.from(body)
    else if (type === MEDIA) this.#tap.media(body, starts, this.#tables)
    else this.#tap.end()
  }

  #readStarts(): number[] {
    const count = this.#head.readUInt16BE(2)
    return Array.from({ length: count }, (_, index) => this.#head.readUInt32BE(HEADER + OFFSET * index))
  }
}
