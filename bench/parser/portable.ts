// The parsers of the comparison that need nothing of Node, behind one door: fed with the chunks of a stream, each tells the pieces of each
// part and where a part ends. Ours tells one piece a part. Of the others nothing is asked beyond what they do by themselves: their pieces are
// not put together.
import { MultipartParser as MjacksonParser } from '@mjackson/multipart-parser'
import { MultipartParser as RemixParser } from '@remix-run/multipart-parser'
import { make } from 'multipasta'
import { PartBuffer } from '../../src/preview/buffer.ts'
import { createParser } from '../../src/preview/parser.ts'

export const IMAGE_ID = 'DEV-A1'

type Bytes = Uint8Array<ArrayBuffer>

/** Takes what comes out: pieces of a part, by the part's number from 0, and its end. Streams of Node end theirs when the next has begun. */
export interface Sink {
  piece(part: number, bytes: Uint8Array): void
  end(part: number): void
}

export interface Input {
  write(chunk: Bytes): void
  /** To be called behind the closing boundary. */
  end(): void | Promise<void>
}

/** Begins a stream. */
export type ParserAdapter = (boundary: string, sink: Sink) => Input

/** What the console must know of a part: without it nobody knows where to show the picture. */
export function assertHead(id: unknown, type: unknown): void {
  if (id !== IMAGE_ID || type !== 'image/jpeg') throw new Error(`a head of ${id} ${type}`)
}

const NO_LIMIT = Number.MAX_SAFE_INTEGER
const buffer = new PartBuffer()

export const ours: ParserAdapter = (boundary, { piece, end }) => {
  buffer.reset()
  let part = 0
  const parse = createParser(boundary, buffer, ({ id, type, bytes }) => {
    assertHead(id, type)
    piece(part, bytes)
    end(part++)
  })
  return {
    write(chunk) {
      let taken = buffer.append(chunk)
      parse()
      while (taken < chunk.length) {
        taken += buffer.append(chunk.subarray(taken))
        parse()
      }
    },
    end() {}
  }
}

export const PORTABLE: Readonly<Record<string, ParserAdapter>> = {
  '@remix-run': (boundary, { piece, end }) => {
    const limits = { maxHeaderSize: NO_LIMIT, maxFileSize: NO_LIMIT, maxParts: NO_LIMIT, maxTotalSize: NO_LIMIT }
    const parser = new RemixParser(boundary, limits)
    let part = 0
    return {
      write(chunk) {
        for (const { content, headers } of parser.write(chunk)) {
          assertHead(headers['image-id'], headers['content-type'])
          for (const bytes of content) piece(part, bytes)
          end(part++)
        }
      },
      end: () => parser.finish()
    }
  },
  '@mjackson': (boundary, { piece, end }) => {
    const parser = new MjacksonParser(boundary, { maxHeaderSize: NO_LIMIT, maxFileSize: NO_LIMIT })
    let part = 0
    return {
      write(chunk) {
        for (const { content, headers } of parser.write(chunk)) {
          assertHead(headers.get('image-id'), headers.get('content-type'))
          for (const bytes of content) piece(part, bytes)
          end(part++)
        }
      },
      end: () => parser.finish()
    }
  },
  multipasta: (boundary, { piece, end }) => {
    let parts = 0
    return make({
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      isFile: () => true,
      onFile({ headers, contentType }) {
        assertHead(String(headers['image-id']).trim(), contentType)
        const part = parts++
        return (bytes) => (bytes ? piece(part, bytes) : end(part))
      },
      onField() {},
      onDone() {},
      onError({ _tag }) {
        throw new Error(_tag)
      }
    })
  }
}
