// The streams that the parsers are compared on.
import { createRandom } from '../../test/kit/preview/multipart.ts'
import { IMAGE_ID } from './portable.ts'

/** What one cell of the table is about. Sizes in bytes. */
export interface Cell {
  part: number
  /** Of a network read; 0 for sizes from 1 byte to 64 KiB at random. */
  chunk: number
  boundary: string
}

export interface Stream {
  /** Cut as the network would; together they are the stream. */
  chunks: Buffer<ArrayBuffer>[]
  /** Bytes in all. */
  length: number
  parts: number
  /** What is in each part but for its first four bytes, which are its number. */
  picture: Buffer
}

const MOST_RANDOM = 64 << 10

/** Bytes that no codec made; what matters is that any may come. */
export function createImage(size: number): Buffer {
  const random = createRandom(size)
  return Buffer.from(Uint8Array.from({ length: size }, () => random(256)))
}

/**
 * A stream of about `length` bytes that every parser of the comparison takes: parts named as the hub names them and as forms do.
 * @param counted whether parts say their length, as those of the hub do. No other parser makes use of that
 */
export function createStream({ part, chunk, boundary }: Cell, length: number, counted: boolean): Stream {
  const picture = createImage(part)
  const line = `--${boundary}\r\n`
  const head = Buffer.from(
    `image-id: ${IMAGE_ID}\r\ncontent-type: image/jpeg\r\n${counted ? `content-length: ${part}\r\n` : ''}content-disposition: form-data; name="a"; filename="b"\r\n\r\n`
  )
  const parts = Math.floor(length / (part + head.length + line.length + 2))
  const pieces: Buffer[] = []
  for (let i = 0; i < parts; i++) {
    const own = Buffer.from(picture)
    own.writeUInt32BE(i)
    pieces.push(Buffer.from(i ? `\r\n${line}` : line), head, own)
  }
  pieces.push(Buffer.from(`\r\n--${boundary}--\r\n`))
  const bytes = Buffer.concat(pieces)
  const random = createRandom(7)
  const chunks: Buffer<ArrayBuffer>[] = []
  for (let at = 0; at < bytes.length; ) {
    const next = at + (chunk || 1 + random(MOST_RANDOM))
    chunks.push(bytes.subarray(at, next))
    at = next
  }
  return { chunks, length: bytes.length, parts, picture }
}
