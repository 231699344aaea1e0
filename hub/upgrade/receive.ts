import type { FileHandle } from 'node:fs/promises'
import { TOO_LARGE } from '../../contract/codes.ts'
import { UPDATE_FILE_MAX } from '../../contract/update.ts'
import type { Fill } from '../firmware/multipart-file.ts'
import { UploadRefused } from '../firmware/uploads.ts'

/**
 * Writes what arrives. Rejects as soon as the signal does, also where nothing arrives any more.
 * @param told how many bytes are here
 */
export async function receive(
  file: FileHandle,
  fill: Fill,
  signal: AbortSignal,
  told: (written: number) => void
): Promise<void> {
  let written = 0
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  const filled = fill(async (bytes) => {
    signal.throwIfAborted()
    written += bytes.length
    if (written > UPDATE_FILE_MAX) throw new UploadRefused(TOO_LARGE, { max: UPDATE_FILE_MAX })
    await file.appendFile(bytes)
    told(written)
  })
  await Promise.race([filled, ended])
}
