// The parsers of the comparison that do not need Node, with one interface: they take the chunks of a stream and return the pieces and the end
// of each part. The console's parser returns one piece per part. The pieces of the other parsers are not joined.
import { MultipartParser as MjacksonParser } from '@mjackson/multipart-parser'
import { MultipartParser as RemixParser } from '@remix-run/multipart-parser'
import { make } from 'multipasta'
import { PartBuffer } from '../../src/preview/buffer.ts'
import { createParser } from '../../src/preview/parser.ts'

export const IMAGE_ID = 'DEV-A1'

type Bytes = Uint8Array<ArrayBuffer>

/** Receives the pieces and the end of each part, by number from 0. Node streams may end a part after the next one has started. */
export interface Sink {
  piece(part: number, bytes: Uint8Array): void
  end(part: number): void
}

export interface Input {
  write(chunk: Bytes): void
  /** Called after the closing boundary. */
  end(): void | Promise<void>
}

/** Creates a parser for a stream. */
export type ParserAdapter = (boundary: string, sink: Sink) => Input

/** Checks the headers of a part, which the console needs to show the image. */
export function assertHead(id: unknown, type: unknown): void {
  if (id !== IMAGE_ID || type !== 'image/jpeg') throw new Error(`Unexpected headers: ${id} ${type}`)
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
      let offset = buffer.append(chunk)
      parse()
      while (offset < chunk.length) {
        offset += buffer.append(chunk.subarray(offset))
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
