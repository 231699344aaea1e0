// Each parser of the comparison behind one door: given the chunks of a stream, it tells the pieces of each part and where a part ends.
// Ours tells one piece a part. Of the others nothing is asked beyond what they do by themselves: their pieces are not put together.
import type { Readable } from 'node:stream'
import { MultipartParser as MjacksonParser } from '@mjackson/multipart-parser'
import { MultipartParser as RemixParser } from '@remix-run/multipart-parser'
import busboy from 'busboy'
import Dicer from 'dicer'
import { make } from 'multipasta'
import { PartBuffer } from '../../src/preview/buffer.ts'
import { createParser } from '../../src/preview/parser.ts'
import { IMAGE_ID } from './stream.ts'

/** Takes what comes out: pieces of a part, by the part's number from 0, and its end. Streams of Node end theirs when the next has begun. */
export interface Sink {
  piece(part: number, bytes: Uint8Array): void
  end(part: number): void
}

/** Parses a whole stream. */
export type Contestant = (chunks: readonly Buffer[], boundary: string, sink: Sink) => void | Promise<void>

/** What the console must know of a part: without it nobody knows where to show the picture. */
function expectHead(id: unknown, type: unknown): void {
  if (id !== IMAGE_ID || type !== 'image/jpeg') throw new Error(`a head of ${id} ${type}`)
}

const NO_LIMIT = Number.MAX_SAFE_INTEGER
const buffer = new PartBuffer()

export const ours: Contestant = (chunks, boundary, { piece, end }) => {
  buffer.reset()
  let part = 0
  const parse = createParser(boundary, buffer, ({ id, type, bytes }) => {
    expectHead(id, type)
    piece(part, bytes)
    end(part++)
  })
  for (const chunk of chunks) {
    let taken = buffer.append(chunk)
    parse()
    while (taken < chunk.length) {
      taken += buffer.append(chunk.subarray(taken))
      parse()
    }
  }
}

/** Those of the others that need nothing of Node. */
export const PORTABLE: Readonly<Record<string, Contestant>> = {
  '@remix-run': (chunks, boundary, { piece, end }) => {
    const limits = { maxHeaderSize: NO_LIMIT, maxFileSize: NO_LIMIT, maxParts: NO_LIMIT, maxTotalSize: NO_LIMIT }
    const parser = new RemixParser(boundary, limits)
    let part = 0
    for (const chunk of chunks) {
      for (const { content, headers } of parser.write(chunk)) {
        expectHead(headers['image-id'], headers['content-type'])
        for (const bytes of content) piece(part, bytes)
        end(part++)
      }
    }
    parser.finish()
  },
  '@mjackson': (chunks, boundary, { piece, end }) => {
    const parser = new MjacksonParser(boundary, { maxHeaderSize: NO_LIMIT, maxFileSize: NO_LIMIT })
    let part = 0
    for (const chunk of chunks) {
      for (const { content, headers } of parser.write(chunk)) {
        expectHead(headers.get('image-id'), headers.get('content-type'))
        for (const bytes of content) piece(part, bytes)
        end(part++)
      }
    }
    parser.finish()
  },
  multipasta: (chunks, boundary, { piece, end }) => {
    let parts = 0
    const parser = make({
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      isFile: () => true,
      onFile({ headers, contentType }) {
        expectHead(headers['image-id'], contentType)
        const part = parts++
        return (bytes) => (bytes ? piece(part, bytes) : end(part))
      },
      onField() {},
      onDone() {},
      onError({ _tag }) {
        throw new Error(_tag)
      }
    })
    for (const chunk of chunks) parser.write(chunk)
    parser.end()
  }
}

function taker({ piece, end }: Sink) {
  return (part: number, stream: Readable) =>
    void stream.on('data', (bytes) => piece(part, bytes)).on('end', () => end(part))
}

export const PEERS: Readonly<Record<string, Contestant>> = {
  ...PORTABLE,
  // It gives no header but the type.
  busboy: (chunks, boundary, sink) =>
    new Promise((resolve, reject) => {
      const take = taker(sink)
      const limits = { fileSize: NO_LIMIT, files: NO_LIMIT, parts: NO_LIMIT, headerPairs: NO_LIMIT }
      const parser = busboy({ headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, limits })
      let parts = 0
      parser.on('file', (_, file, { mimeType }) => {
        expectHead(IMAGE_ID, mimeType)
        take(parts++, file)
      })
      parser.on('error', reject).on('close', resolve)
      for (const chunk of chunks) parser.write(chunk)
      parser.end()
    }),
  dicer: (chunks, boundary, sink) =>
    new Promise((resolve, reject) => {
      const take = taker(sink)
      const parser = new Dicer({ boundary })
      let parts = 0
      parser.on('part', (part) => {
        part.on('header', (head) => expectHead(head['image-id']?.[0], head['content-type']?.[0]))
        take(parts++, part)
      })
      parser.on('error', reject).on('finish', resolve)
      for (const chunk of chunks) parser.write(chunk)
      parser.end()
    })
}
