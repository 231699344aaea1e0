// Reads the frames of a tap's connection (engine/native/relay/subscriber.h).
import type { Tap } from '../interfaces/tap.ts'

const HEADER = 8
const TABLES = 'T'.charCodeAt(0)
const MEDIA = 'M'.charCodeAt(0)

export class TapReader {
  readonly #tap: Tap
  #rest: Buffer = Buffer.alloc(0)
  #tables: Buffer = Buffer.alloc(0)

  constructor(tap: Tap) {
    this.#tap = tap
  }

  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let offset = 0
    while (bytes.length - offset >= HEADER) {
      const offsets = bytes.readUInt16BE(offset + 2)
      const body = offset + HEADER + 4 * offsets
      const end = body + bytes.readUInt32BE(offset + 4)
      if (bytes.length < end) break
      this.#handle(bytes[offset] ?? 0, readOffsets(bytes, offset + HEADER, offsets), bytes.subarray(body, end))
      offset = end
    }
    this.#rest = bytes.subarray(offset)
  }

  #handle(type: number, starts: readonly number[], body: Buffer): void {
    if (type === TABLES) this.#tables = Buffer.from(body)
    else if (type === MEDIA) this.#tap.media(body, starts, this.#tables)
    else this.#tap.end()
  }
}

function readOffsets(bytes: Buffer, from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => bytes.readUInt32BE(from + 4 * index))
}
