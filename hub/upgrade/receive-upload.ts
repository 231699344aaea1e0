// Writes an uploaded update to a file.
import type { FileHandle } from 'node:fs/promises'
import { TOO_LARGE } from '../../contract/codes.ts'
import { UPDATE_FILE_MAX } from '../../contract/update.ts'
import type { ByteSource } from '../firmware/multipart-file.ts'
import { UploadRefused } from '../firmware/uploads.ts'

/**
 * Rejects as soon as the signal is aborted, even if no more bytes arrive.
 * @param onProgress called with the number of bytes written
 * @throws UploadRefused with code 18 if the file is too large
 */
export async function receiveUpload(
  file: FileHandle,
  source: ByteSource,
  signal: AbortSignal,
  onProgress: (written: number) => void
): Promise<void> {
  let written = 0
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  const received = source(async (bytes) => {
    signal.throwIfAborted()
    written += bytes.length
    if (written > UPDATE_FILE_MAX) throw new UploadRefused(TOO_LARGE, { max: UPDATE_FILE_MAX })
    await file.appendFile(bytes)
    onProgress(written)
  })
  await Promise.race([received, aborted])
}
