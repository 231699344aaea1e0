// How fast the preview parser takes pictures out of a stream, against copying the same bytes once.
import { PREVIEW_BUFFER } from '../contract/limits.ts'
import { PartBuffer } from '../src/preview/buffer.ts'
import { createParser } from '../src/preview/parser.ts'
import { inTurns, type Measurement, type Suite } from './measurement.ts'

const BOUNDARY = 'bench-boundary-0123456789'
/** Bytes of a network read. */
const CHUNK = 64 << 10
/** Bytes of a stream, about. */
const LENGTH = 64 << 20

/** Pictures of `size` bytes that no codec made; what matters is that any byte may come. */
function streamOf(size: number, counted: boolean): { bytes: Uint8Array<ArrayBuffer>; pictures: number } {
  const picture = new Uint8Array(size)
  let seed = 1
  for (let at = 0; at < size; at++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    picture[at] = seed >>> 24
  }
  const length = counted ? `content-length: ${size}\r\n` : ''
  const head = Buffer.from(`\r\n--${BOUNDARY}\r\ncontent-type: image/jpeg\r\nimage-id: DEV-A1\r\n${length}\r\n`)
  const pictures = Math.floor(LENGTH / (size + head.length))
  const parts: Uint8Array[] = []
  for (let i = 0; i < pictures; i++) parts.push(head, picture)
  parts.push(Buffer.from(`\r\n--${BOUNDARY}--\r\n`))
  return { bytes: new Uint8Array(Buffer.concat(parts)), pictures }
}

function megabytesPerSecond(bytes: Uint8Array, work: () => void): number {
  const began = performance.now()
  work()
  return bytes.length / 1e6 / ((performance.now() - began) / 1000)
}

async function compare(what: string, size: number, counted: boolean): Promise<Measurement> {
  const { bytes, pictures } = streamOf(size, counted)
  const buffer = new PartBuffer()
  const target = new Uint8Array(PREVIEW_BUFFER)
  const parse = () => {
    let seen = 0
    buffer.reset()
    const advance = createParser(BOUNDARY, buffer, (part) => {
      if (part.bytes.length === size) seen++
    })
    for (let at = 0; at < bytes.length; at += CHUNK) {
      const chunk = bytes.subarray(at, at + CHUNK)
      for (let taken = 0; taken < chunk.length; ) {
        taken += buffer.append(chunk.subarray(taken))
        advance()
      }
    }
    if (seen !== pictures) throw new Error(`${seen} of ${pictures} pictures came out`)
  }
  const copy = () => {
    for (let at = 0; at < bytes.length; at += CHUNK) target.set(bytes.subarray(at, at + CHUNK), at % target.length)
  }
  const rates = await inTurns(
    async () => megabytesPerSecond(bytes, parse),
    async () => megabytesPerSecond(bytes, copy)
  )
  return { what, unit: 'MB/s', floor: 'one copy', ...rates }
}

export const suite: Suite = {
  title: 'preview',
  async run() {
    return [
      await compare('pictures of 5 KB with their length', 5_000, true),
      await compare('pictures of 5 KB, searched', 5_000, false),
      await compare('pictures of 200 KB, searched', 200_000, false)
    ]
  }
}
