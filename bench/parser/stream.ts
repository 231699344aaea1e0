// The streams of the comparison.
import { createRandom } from '../../test/kit/preview/multipart.ts'

export const IMAGE_ID = 'DEV-A1'

/** Checks the headers of a part, which the console needs to show the image. */
export function assertHead(id: unknown, type: unknown): void {
  if (id !== IMAGE_ID || type !== 'image/jpeg') throw new Error(`Unexpected headers: ${id} ${type}`)
}

/** Parameters of a cell of the table. Sizes in bytes. */
export interface Cell {
  part: number
  /** Size of a network read; 0 for random sizes from 1 byte to 64 KiB. */
  chunk: number
  boundary: string
}

export interface Stream {
  /** The stream, split into network reads. */
  chunks: Buffer<ArrayBuffer>[]
  /** Total bytes. */
  length: number
  parts: number
  /** Content of each part, except its first four bytes, which are its number. */
  image: Buffer
}

const MOST_RANDOM = 64 << 10

/** Returns pseudo-random bytes instead of an encoded image: any byte may occur. */
export function createImage(size: number): Buffer {
  const random = createRandom(size)
  return Buffer.from(Uint8Array.from({ length: size }, () => random(256)))
}

/**
 * Creates a stream of about `length` bytes that all parsers accept: with the headers of the hub and those of forms.
 * @param counted whether parts have a content length, like those of the hub. The other parsers do not use it
 */
export function createStream({ part, chunk, boundary }: Cell, length: number, counted: boolean): Stream {
  const image = createImage(part)
  const line = `--${boundary}\r\n`
  const head = Buffer.from(
    `image-id: ${IMAGE_ID}\r\ncontent-type: image/jpeg\r\n${counted ? `content-length: ${part}\r\n` : ''}content-disposition: form-data; name="a"; filename="b"\r\n\r\n`
  )
  const parts = Math.floor(length / (part + head.length + line.length + 2))
  const pieces: Buffer[] = []
  for (let i = 0; i < parts; i++) {
    const own = Buffer.from(image)
    own.writeUInt32BE(i)
    pieces.push(Buffer.from(i ? `\r\n${line}` : line), head, own)
  }
  pieces.push(Buffer.from(`\r\n--${boundary}--\r\n`))
  const bytes = Buffer.concat(pieces)
  const random = createRandom(7)
  const chunks: Buffer<ArrayBuffer>[] = []
  for (let offset = 0; offset < bytes.length; ) {
    const next = offset + (chunk || 1 + random(MOST_RANDOM))
    chunks.push(bytes.subarray(offset, next))
    offset = next
  }
  return { chunks, length: bytes.length, parts, image: image }
}
