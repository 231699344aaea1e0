// Reads the uploaded file from a multipart/form-data body as it arrives.
import { INVALID_ARG, NEED_MORE_DATA } from '../../contract/codes.ts'
import { createMultipartParser, parseBoundary } from '../../contract/multipart.ts'
import { UploadRefused } from './uploads.ts'

/** Calls `write` with the bytes of a file in order. Rejects if the file is incomplete. */
export type ByteSource = (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>

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
  const boundary = parseBoundary(contentType)
  if (boundary === undefined || !body) throw new UploadRefused(INVALID_ARG, { field: 'file' })
  let name: string | undefined
  let isInFile = false
  let isComplete = false
  const queue: Uint8Array[] = []
  const parser = createMultipartParser(boundary, {
    onPart(part, filename) {
      isInFile = part === 'file' && filename !== undefined && name === undefined
      if (isInFile) name = filename
    },
    onData(bytes) {
      if (isInFile) queue.push(bytes.slice())
    },
    onEnd() {
      isComplete ||= isInFile
      isInFile = false
    }
  })
  const reader = body.getReader()

  /** Parses the next chunk. @returns false at the end of the body, or when the connection breaks */
  async function parseNext(): Promise<boolean> {
    const bytes = (await reader.read().catch(() => undefined))?.value
    if (!bytes) return false
    try {
      parser.push(bytes)
    } catch {
      throw new UploadRefused(INVALID_ARG, { field: 'file' })
    }
    return true
  }

  try {
    while (name === undefined) if (!(await parseNext())) throw new UploadRefused(INVALID_ARG, { field: 'file' })
    return await receive(name, async (write) => {
      do {
        for (const bytes of queue.splice(0)) await write(bytes)
      } while (!isComplete && (await parseNext()))
      if (!isComplete) throw new UploadRefused(NEED_MORE_DATA)
    })
  } finally {
    // The server reads the rest of a refused form, or cuts the connection.
    reader.releaseLock()
  }
}
