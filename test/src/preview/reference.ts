// What the parser must find, found the plain way: the whole stream at once, as text, with one expression for a boundary line. And streams
// of good parts, false lengths, torn heads and garbage to hold the parser against it, on both ways that bytes come in.
import assert from 'node:assert/strict'
import { PartBuffer } from '../../../src/preview/buffer.ts'
import { readParts } from '../../../src/preview/read.ts'
import { bytesOf, noise, seeded, summary } from './multipart.ts'

type Bytes = Uint8Array<ArrayBuffer>

const HEAD = 1024
const NEAR = 48

/** The parts of a stream that fits in the buffer, as `summary` tells them. */
export function plainlyParsed(stream: Bytes, boundary: string): string[] {
  const text = Buffer.from(stream).toString('latin1')
  const needle = `--${boundary}`
  const line = new RegExp(`${needle}(--|[ \\t]{0,${NEAR}}\\r?\\n)`, 'g')
  const parts: string[] = []
  let trusting = true

  function boundaryFrom(from: number) {
    line.lastIndex = from
    const match = line.exec(text)
    return match ? { at: match.index, next: line.lastIndex, closes: match[1] === '--' } : undefined
  }
  /** No boundary line can begin before this, whatever comes: at one that is not whole, or where one would no longer fit. */
  function openFrom(from: number): number {
    for (let at = text.indexOf(needle, from); at >= 0; at = text.indexOf(needle, at + 1))
      if (/^(-|[ \t]*\r?)$/.test(text.slice(at + needle.length))) return at
    return Math.max(from, text.length - needle.length + 1)
  }

  let here = boundaryFrom(0)
  if (!here || here.at > NEAR) return parts
  while (here && !here.closes) {
    const begin: number = here.next
    const { cut, head, body } = headAt(begin)
    if (cut) {
      here = cut
      continue
    }
    if (head === undefined) {
      here = text.length - begin >= HEAD ? boundaryFrom(begin) : undefined
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
    const said = first('content-length', '\\d{1,15}')
    const deliver = (end: number) => {
      if (id !== undefined) parts.push(summary(id, stream.slice(body, end), first('content-type') ?? 'image/jpeg'))
    }
    if (trusting && said !== undefined) {
      const end = body + Number(said)
      if (end + HEAD - body > CEILING) {
        here = boundaryFrom(body)
        continue
      }
      if (text.length < end) break
      deliver(end)
      here = boundaryFrom(end)
      const near = here ? here.at : openFrom(end)
      if (near <= end + NEAR) continue
      trusting = false
    }
    here = boundaryFrom(body)
    if (here) deliver(here.at - (/\r?\n$/.exec(text.slice(body, here.at))?.[0].length ?? 0))
  }
  return parts

  /** Headers up to their blank line; `cut` where a boundary line stands among them. */
  function headAt(begin: number) {
    for (let at = begin; ; ) {
      const end = text.indexOf('\n', at)
      if (end < 0 || end >= begin + HEAD) return {}
      if (/^\r?$/.test(text.slice(at, end))) return { head: text.slice(begin, at), body: end + 1 }
      if (text.startsWith(needle, at)) {
        const cut = boundaryFrom(at)
        if (cut?.at === at) return { cut }
      }
      at = end + 1
    }
  }
}

/** Bytes: more than any stream made here. */
const CEILING = 64 << 10
const BOUNDARIES = ['5f0c9a1e77d24b6c', 'b', '-=-=-', '5f0c9a1e77d24b6c5f0c9a1e77d24b6c42']

/** A body that gives its bytes in these pieces, to a reader of either kind. */
function bodyOf(pieces: Bytes[], type: 'bytes' | undefined): ReadableStream<Bytes> {
  const start = (controller: { enqueue(piece: Bytes): void; close(): void }) => {
    for (const piece of pieces) controller.enqueue(piece.slice())
    controller.close()
  }
  return type ? new ReadableStream({ type, start }) : new ReadableStream<Bytes>({ start })
}

/**
 * Compares on `count` streams, in pieces of all sizes.
 * @returns how many parts came out, so that one can see that it was not nothing
 * @throws at the first difference, with the number of the stream
 */
export async function compareWithPlain(count: number, seed: number): Promise<number> {
  const random = seeded(seed)
  const stuff = noise(4096, seed)
  const buffers = [new PartBuffer(1 << 10, CEILING), new PartBuffer(1 << 10, CEILING)]
  const signal = new AbortController().signal
  let found = 0
  for (let round = 0; round < count; round++) {
    const boundary = BOUNDARIES[random(BOUNDARIES.length)] as string
    const stream = streamOf(boundary, random, stuff)
    const wanted = plainlyParsed(stream, boundary)
    found += wanted.length
    for (const [way, type] of (['bytes', undefined] as const).entries()) {
      const pieces: Bytes[] = []
      const most = 1 + random(random(2) ? 40 : 2000)
      for (let at = 0; at < stream.length; ) {
        const next = at + 1 + (random(4) ? most : random(most))
        pieces.push(stream.subarray(at, next))
        at = next
      }
      const parts: string[] = []
      const take = (id: string, bytes: Uint8Array, kind: string) => parts.push(summary(latin1(id), bytes, latin1(kind)))
      const buffer = buffers[way] as PartBuffer
      await readParts(bodyOf(pieces, type), boundary, buffer, (part) => take(part.id, part.bytes, part.type), signal)
      assert.deepEqual(parts, wanted, `stream ${round} of seed ${seed}, ${type ?? 'default'} reader`)
    }
  }
  return found
}

/** The parser reads heads as UTF-8, the reference as single bytes. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function streamOf(boundary: string, random: (below: number) => number, stuff: Bytes): Bytes {
  const line = `--${boundary}`
  const torn = () => line.slice(0, random(line.length))
  const picture = () => {
    const from = random(4000)
    return stuff.subarray(from, from + random(random(4) ? 90 : 4000))
  }
  const pick = <Thing>(things: readonly Thing[]) => things[random(things.length)] as Thing
  const pieces: (string | Uint8Array)[] = random(8)
    ? [pick([`${line}\r\n`, `\r\n${line}\n`, `junk${line} \t\r\n`])]
    : []
  for (let left = random(9); left > 0; left--) {
    const eol = pick(['\r\n', '\r\n', '\n'])
    const bytes = picture()
    const length = random(3) ? `content-length: ${random(12) ? bytes.length : random(200)}${eol}` : ''
    const id = random(8) ? `${pick(['image-id: ', 'Image-Id:', 'IMAGE-ID:\t'])}P${random(99)}${eol}` : ''
    const type = random(2) ? `content-type: image/${pick(['png', 'jpeg '])}${eol}` : ''
    const part = [id, type, length, eol, bytes, pick([eol, eol, eol, '']), line, pick([eol, eol, eol, ` ${eol}`, '--'])]
    // Now and then something is missing, or stands where it should not.
    if (!random(4))
      part.splice(
        random(part.length),
        random(2),
        pick([torn(), '\r', '\n', '-', '\r\n\r\n', picture(), `\r\n${line}\r\n`])
      )
    pieces.push(...part)
  }
  if (!random(20)) pieces.push('x: '.padEnd(1100, 'x'), `\r\n${line}\r\n`)
  pieces.push(...pick([[], [torn()], [`${line}--`], ['image-id: last\r\n\r\nbytes\r\n', line, '\r\n']]))
  return bytesOf(...pieces)
}
