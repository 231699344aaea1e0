// The other parsers of the comparison.
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import busboy from 'busboy'
import Dicer from 'dicer'
import { assertHead, IMAGE_ID, type Input, type ParserAdapter, PORTABLE, type Sink } from './portable.ts'

function createCollector({ piece, end }: Sink) {
  let parts = 0
  return (stream: Readable) => {
    const part = parts++
    stream.on('data', (bytes) => piece(part, bytes)).on('end', () => end(part))
  }
}

/** @param event that the parser emits when it has finished */
function feedOf(parser: Writable, event: string): Input {
  const completion = once(parser, event)
  return {
    write: (chunk) => void parser.write(chunk),
    async end() {
      parser.end()
      await completion
    }
  }
}

export const PEERS: Readonly<Record<string, ParserAdapter>> = {
  ...PORTABLE,
  // Provides no header except the type.
  busboy: (boundary, sink) => {
    const take = createCollector(sink)
    const limits = { fileSize: Number.POSITIVE_INFINITY }
    const parser = busboy({ headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, limits })
    parser.on('file', (_: string, file: Readable, { mimeType }: { mimeType: string }) => {
      assertHead(IMAGE_ID, mimeType)
      take(file)
    })
    return feedOf(parser, 'close')
  },
  dicer: (boundary, sink) => {
    const take = createCollector(sink)
    const parser = new Dicer({ boundary })
    parser.on('part', (part: Readable) => {
      part.on('header', (head: Record<string, string[]>) =>
        assertHead(head['image-id']?.[0]?.trim(), head['content-type']?.[0]?.trim())
      )
      take(part)
    })
    return feedOf(parser, 'finish')
  }
}
