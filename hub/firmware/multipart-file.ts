// Reads the uploaded file from a multipart/form-data body as it arrives.
import type { Readable } from 'node:stream'
import busboy from 'busboy'
import { INVALID_ARG, NEED_MORE_DATA } from '../../contract/codes.ts'
import { UploadRefused } from './uploads.ts'

/** Calls `write` with the bytes of a file in order. Rejects if the file is incomplete. */
export type ByteSource = (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>

interface FormFile {
  /** Comes from the client: not a path. */
  name: string
  bytes: Readable
}

/** Maximum bytes of a form before its file. */
const HEAD_MAX = 64 << 10

const noFile = () => new UploadRefused(INVALID_ARG, { field: 'file' })

/** @throws UploadRefused if the body is no form */
function createParser(contentType: string | null): busboy.Busboy {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? '')) throw noFile()
  try {
    const headers = { 'content-type': contentType ?? '' }
    return busboy({ headers, defParamCharset: 'utf8', preservePath: true })
  } catch {
    throw noFile()
  }
}

/** Resolves with the first part named `file` that is a file; rejects if the form ends without it, or is malformed. */
function findFile(parser: busboy.Busboy): Promise<FormFile> {
  return new Promise((resolve, reject) => {
    parser.on('file', (field, bytes, { filename }) => {
      // A file that nobody reads fails when the parser is destroyed, and an 'error' event without a listener would end
      // the process.
      bytes.on('error', () => {})
      if (field === 'file' && filename !== undefined) resolve({ name: filename, bytes })
      // The parser waits until each file has been read.
      else bytes.resume()
    })
    const fail = () => reject(noFile())
    parser.on('error', fail).on('close', fail)
  })
}

/** Passes a body to a parser, at the pace at which the file is read. */
async function feed(reader: ReadableStreamDefaultReader<Uint8Array>, parser: busboy.Busboy, isFound: () => boolean) {
  for (let size = 0; ; ) {
    const { value } = await reader.read()
    if (!value) return void parser.end()
    if (size > HEAD_MAX && !isFound()) throw new Error('no file at the start of the form')
    size += value.length
    await new Promise<void>((resolve, reject) => parser.write(value, (error) => (error ? reject(error) : resolve())))
  }
}

async function* readFile({ bytes }: FormFile): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes
  } catch {
    throw new UploadRefused(NEED_MORE_DATA)
  }
}

/**
 * Reads the first part named `file` of a form.
 * @param receive called with the file's name and bytes
 * @returns the result of `receive`
 * @throws UploadRefused with code 7 if the body is no form or contains no file, or 50 if it ends too early
 */
export async function readFormFile<T>(
  body: ReadableStream<Uint8Array> | null,
  contentType: string | null,
  receive: (name: string, source: ByteSource) => Promise<T>
): Promise<T> {
  const parser = createParser(contentType)
  if (!body) throw noFile()
  const reader = body.getReader()
  let file: FormFile | undefined
  try {
    const found = findFile(parser)
    feed(reader, parser, () => file !== undefined).catch((error) => parser.destroy(error))
    file = await found
    const chunks = readFile(file)
    return await receive(file.name, async (write) => {
      for await (const bytes of chunks) await write(bytes)
    })
  } finally {
    // The server reads the rest of a refused form, or cuts the connection.
    reader.releaseLock()
    parser.destroy()
  }
}
