// Segments of a recording as one file, which is read while it is sent.
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { ByteRange } from '../downloads/byte-range.ts'
import type { DownloadFile } from '../downloads/file-response.ts'

/** A file of which the whole file consists. */
export interface Part {
  path: string
  bytes: number
}

/** @param name of the file, without its ending */
export function segmentsFile(name: string, parts: readonly Part[]): DownloadFile {
  const size = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  const [first, last] = [parts[0], parts.at(-1)].map((part) => /([\d-]+)\.ts$/.exec(part?.path ?? '')?.[1])
  return {
    name: `${name}.ts`,
    type: 'video/mp2t',
    // Segments never change, so these say which ones the file has.
    stored: { size, version: `${first}-${last}-${parts.length}-${size}` },
    open: (range) => Readable.toWeb(Readable.from(readParts(parts, range))) as ReadableStream<Uint8Array>
  }
}

async function* readParts(parts: readonly Part[], range: ByteRange | undefined): AsyncGenerator<Buffer> {
  const { start, end } = range ?? { start: 0, end: Number.POSITIVE_INFINITY }
  let offset = 0
  for (const { path, bytes } of parts) {
    const from = Math.max(0, start - offset)
    const to = Math.min(bytes - 1, end - offset)
    if (from <= to) yield* createReadStream(path, { start: from, end: to })
    offset += bytes
  }
}
