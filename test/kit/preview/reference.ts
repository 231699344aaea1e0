// The reference for the parser: a simple parser of the whole stream as text, with one expression for a boundary line.
// And random streams of valid parts, wrong lengths, truncated headers and garbage to compare the two, with both kinds
// of reader.
import assert from 'node:assert/strict'
import { PartBuffer } from '../../../src/preview/buffer.ts'
import { readParts } from '../../../src/preview/read-parts.ts'
import { bytesOf, createRandom, noise, summary } from './multipart.ts'

type Bytes = Uint8Array<ArrayBuffer>

const HEADER_LIMIT = 1024
const SEARCH_LIMIT = 48

/** The parts of a stream that fits into the buffer, in the format of `summary`. */
export function parseSimply(stream: Bytes, boundary: string): string[] {
  const text = Buffer.from(stream).toString('latin1')
  const needle = `--${boundary}`
  const line = new RegExp(`${needle}(--|[ \\t]{0,${SEARCH_LIMIT}}\\r?\\n)`, 'g')
  const parts: string[] = []
  let trustsLengths = true

  function boundaryFrom(from: number) {
    line.lastIndex = from
    const match = line.exec(text)
    return match ? { at: match.index, next: line.lastIndex, closes: match[1] === '--' } : undefined
  }
  /**
   * No boundary line can start before this: the offset of an incomplete one, or where a complete one no longer fits.
   */
  function openFrom(from: number): number {
    for (let offset = text.indexOf(needle, from); offset >= 0; offset = text.indexOf(needle, offset + 1))
      if (/^(-|[ \t]*\r?)$/.test(text.slice(offset + needle.length))) return offset
    return Math.max(from, text.length - needle.length + 1)
  }

  let here = boundaryFrom(0)
  if (!here || here.at > SEARCH_LIMIT) return parts
  while (here && !here.closes) {
    const begin: number = here.next
    const { cut, head, body } = headAt(begin)
    if (cut) {
      here = cut
      continue
    }
    if (head === undefined) {
      here = text.length - begin >= HEADER_LIMIT ? boundaryFrom(begin) : undefined
      continue
    }
    const value = (name: string, form: string) => new RegExp(`^${name}:[ \\t\\r]*(${form})[ \\t\\r]*$`, 'is')
    const first = (name: string, form = '.*\\S') => {
      for (const each of head.split('\n')) {
        const match = value(name, form).exec(each)
        if (match) return match[1]
      }
      return undefined
    }
    const id = first('image-id')
    const length = first('content-length', '\\d{1,15}')
    const deliver = (end: number) => {
      if (id !== undefined) parts.push(summary(id, stream.slice(body, end), first('content-type') ?? 'image/jpeg'))
    }
    if (trustsLengths && length !== undefined) {
      const end = body + Number(length)
      if (end + HEADER_LIMIT - body > BUFFER_MAX) {
        here = boundaryFrom(body)
        continue
      }
      if (text.length < end) break
      deliver(end)
      here = boundaryFrom(end)
      const near = here ? here.at : openFrom(end)
      if (near <= end + SEARCH_LIMIT) continue
      trustsLengths = false
    }
    here = boundaryFrom(body)
    if (here) deliver(here.at - (/\r?\n$/.exec(text.slice(body, here.at))?.[0].length ?? 0))
  }
  return parts

  /** Headers up to their empty line; `cut` when there is a boundary line among them. */
  function headAt(begin: number) {
    for (let offset = begin; ; ) {
      const end = text.indexOf('\n', offset)
      if (end < 0 || end >= begin + HEADER_LIMIT) return {}
      if (/^\r?$/.test(text.slice(offset, end))) return { head: text.slice(begin, offset), body: end + 1 }
      if (text.startsWith(needle, offset)) {
        const cut = boundaryFrom(offset)
        if (cut?.at === offset) return { cut }
      }
      offset = end + 1
    }
  }
}

/** Bytes: more than any stream generated here. */
const BUFFER_MAX = 64 << 10
const BOUNDARIES = ['5f0c9a1e77d24b6c', 'b', '-=-=-', '5f0c9a1e77d24b6c5f0c9a1e77d24b6c42']

/** A body with these chunks, for either kind of reader. */
function bodyOf(chunks: Bytes[], type: 'bytes' | undefined): ReadableStream<Bytes> {
  const start = (controller: { enqueue(piece: Bytes): void; close(): void }) => {
    for (const piece of chunks) controller.enqueue(piece.slice())
    controller.close()
  }
  return type ? new ReadableStream({ type, start }) : new ReadableStream<Bytes>({ start })
}

/**
 * Compares the parsers on `count` streams, in chunks of all sizes.
 * @returns the number of parts found, to show that the streams were not empty
 * @throws at the first difference, with the number of the stream
 */
export async function compareWithReference(count: number, seed: number): Promise<number> {
  const random = createRandom(seed)
  const garbage = noise(4096, seed)
  const buffers = [new PartBuffer(1 << 10, BUFFER_MAX), new PartBuffer(1 << 10, BUFFER_MAX)]
  const signal = new AbortController().signal
  let partCount = 0
  for (let round = 0; round < count; round++) {
    const boundary = BOUNDARIES[random(BOUNDARIES.length)] as string
    const stream = streamOf(boundary, random, garbage)
    const expected = parseSimply(stream, boundary)
    partCount += expected.length
    for (const [index, type] of (['bytes', undefined] as const).entries()) {
      const chunks: Bytes[] = []
      const maxLength = 1 + random(random(2) ? 40 : 2000)
      for (let offset = 0; offset < stream.length; ) {
        const next = offset + 1 + (random(4) ? maxLength : random(maxLength))
        chunks.push(stream.subarray(offset, next))
        offset = next
      }
      const parts: string[] = []
      const take = (id: string, bytes: Uint8Array, kind: string) => parts.push(summary(latin1(id), bytes, latin1(kind)))
      const buffer = buffers[index] as PartBuffer
      await readParts(bodyOf(chunks, type), boundary, buffer, (part) => take(part.id, part.bytes, part.type), signal)
      assert.deepEqual(parts, expected, `stream ${round} of seed ${seed}, ${type ?? 'default'} reader`)
    }
  }
  return partCount
}

/** The parser decodes headers as UTF-8, the reference as single bytes. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function streamOf(boundary: string, random: (below: number) => number, garbage: Bytes): Bytes {
  const line = `--${boundary}`
  const truncatedLine = () => line.slice(0, random(line.length))
  const image = () => {
    const from = random(4000)
    return garbage.subarray(from, from + random(random(4) ? 90 : 4000))
  }
  const pick = <Thing>(things: readonly Thing[]) => things[random(things.length)] as Thing
  const chunks: (string | Uint8Array)[] = random(8)
    ? [pick([`${line}\r\n`, `\r\n${line}\n`, `junk${line} \t\r\n`])]
    : []
  for (let remaining = random(9); remaining > 0; remaining--) {
    const eol = pick(['\r\n', '\r\n', '\n'])
    const bytes = image()
    const length = random(3) ? `content-length: ${random(12) ? bytes.length : random(200)}${eol}` : ''
    const id = random(8) ? `${pick(['image-id: ', 'Image-Id:', 'IMAGE-ID:\t'])}P${random(99)}${eol}` : ''
    const type = random(2) ? `content-type: image/${pick(['png', 'jpeg '])}${eol}` : ''
    const part = [id, type, length, eol, bytes, pick([eol, eol, eol, '']), line, pick([eol, eol, eol, ` ${eol}`, '--'])]
    // Sometimes something is missing, or in the wrong place.
    if (!random(4))
      part.splice(
        random(part.length),
        random(2),
        pick([truncatedLine(), '\r', '\n', '-', '\r\n\r\n', image(), `\r\n${line}\r\n`])
      )
    chunks.push(...part)
  }
  if (!random(20)) chunks.push('x: '.padEnd(1100, 'x'), `\r\n${line}\r\n`)
  chunks.push(...pick([[], [truncatedLine()], [`${line}--`], ['image-id: last\r\n\r\nbytes\r\n', line, '\r\n']]))
  return bytesOf(...chunks)
}
