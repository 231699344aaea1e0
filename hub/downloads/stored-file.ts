// A file in the data folder as a download.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { DownloadFile } from './file-response.ts'

/**
 * @param path of a file that is replaced, and never changed in place
 * @throws if the file cannot be read
 */
export async function storedFile(
  path: string,
  { name, type }: Pick<DownloadFile, 'name' | 'type'>
): Promise<DownloadFile> {
  const { size, mtimeMs, ino } = await stat(path)
  return {
    name,
    type,
    stored: { size, version: `${ino}-${Math.round(mtimeMs)}-${size}` },
    open: (range) => Readable.toWeb(createReadStream(path, range)) as ReadableStream<Uint8Array>
  }
}
