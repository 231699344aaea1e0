// Generates preview streams, well-formed or not, and parses them in chunks.
import { PartBuffer } from '../../../src/preview/buffer.ts'
import { createParser, type Progress } from '../../../src/preview/parser.ts'

export const BOUNDARY = '5f0c9a1e77d24b6c'

/** Concatenates bytes and texts in UTF-8. */
export function bytesOf(...pieces: (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece))))
}

/**
 * A part with its boundary line in front, as the hub sends it. `length`: false omits the length, a number is a wrong
 * length.
 */
export function partOf(
  id: string,
  image: string | Uint8Array,
  { length = true, eol = '\r\n' }: { length?: boolean | number; eol?: string } = {}
): Uint8Array<ArrayBuffer> {
  const size = typeof length === 'number' ? length : bytesOf(image).length
  const counted = length === false ? '' : `content-length: ${size}${eol}`
  const head = `--${BOUNDARY}${eol}image-id: ${id}${eol}content-type: image/jpeg${eol}${counted}${eol}`
  return bytesOf(head, image, eol)
}

/** A random number generator with the same numbers on every run (mulberry32). */
export function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Pseudo-random bytes. */
export function noise(count: number, seed = 1): Uint8Array<ArrayBuffer> {
  const random = createRandom(seed)
  return Uint8Array.from({ length: count }, () => random(256))
}

/** A part as `id type size checksum`, so that a wrong byte is visible. */
export interface Outcome {
  parts: string[]
  progress: Progress
}

/** Parses the chunks of a stream. */
export function parseChunks(
  pieces: Iterable<Uint8Array>,
  { buffer = new PartBuffer(), boundary = BOUNDARY }: { buffer?: PartBuffer; boundary?: string } = {}
): Outcome {
  const parts: string[] = []
  buffer.reset()
  const parse = createParser(boundary, buffer, (part) => parts.push(summary(part.id, part.bytes, part.type)))
  let progress: Progress = 'more'
  for (let piece of pieces) {
    while (piece.length > 0 && progress === 'more') {
      piece = piece.subarray(buffer.append(piece))
      progress = parse()
    }
  }
  return { parts, progress }
}

/** How `parsed` describes a part. */
export function summary(id: string, image: string | Uint8Array, type = 'image/jpeg'): string {
  const bytes = typeof image === 'string' ? bytesOf(image) : image
  let sum = 0
  for (let i = 0; i < bytes.length; i++) sum = (Math.imul(sum, 31) + (bytes[i] as number)) | 0
  return `${id} ${type} ${bytes.length} ${sum}`
}
