// Takes the file out of a form as it arrives (contract/multipart.ts).
import { INVALID_ARG, NEED_MORE_DATA } from '../../contract/codes.ts'
import { boundaryOf, createMultipart } from '../../contract/multipart.ts'
import { UploadRefused } from './uploads.ts'

export type Fill = (put: (bytes: Uint8Array) => Promise<void>) => Promise<void>

/**
 * Reads a body of multipart/form-data and hands over its part `file`, the first one of that name.
 * @param taken called with the name of the file, and with what will put its bytes; its answer is the answer
 * @throws UploadRefused: 7 for a body that is none or has no file, 50 for one that ends too early
 */
export async function takeForm<T>(
  body: ReadableStream<Uint8Array> | null,
  contentType: string | null,
  taken: (name: string, fill: Fill) => Promise<T>
): Promise<T> {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined || !body) throw new UploadRefused(INVALID_ARG, { field: 'file' })
  let name: string | undefined
  let inFile = false
  let over = false
  const queue: Uint8Array[] = []
  const form = createMultipart(boundary, {
    part(part, filename) {
      inFile = part === 'file' && filename !== undefined && name === undefined
      if (inFile) name = filename
    },
    data(bytes) {
      if (inFile) queue.push(bytes.slice())
    },
    end() {
      over ||= inFile
      inFile = false
    }
  })
  const reader = body.getReader()
  /** @returns false at the end of the body, however that came */
  async function more(): Promise<boolean> {
    const bytes = (await reader.read().catch(() => undefined))?.value
    if (!bytes) return false
    try {
      form.push(bytes)
    } catch {
      throw new UploadRefused(INVALID_ARG, { field: 'file' })
    }
    return true
  }

  try {
    while (name === undefined) if (!(await more())) throw new UploadRefused(INVALID_ARG, { field: 'file' })
    return await taken(name, async (put) => {
      do {
        for (const bytes of queue.splice(0)) await put(bytes)
      } while (!over && (await more()))
      if (!over) throw new UploadRefused(NEED_MORE_DATA)
    })
  } finally {
    // What is left of a form that is refused is the server’s to read or to cut.
    reader.releaseLock()
  }
}
