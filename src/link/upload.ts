// Uploads a firmware file to the hub in chunks. Continues after a broken connection, and, when the user selects the
// same file again, after a reload of the page.
import type { Envelope } from '../../contract/call.ts'
import { FILE_EXISTS, NOT_EXIST, RANGE_ERROR, SUCCESS } from '../../contract/codes.ts'
import {
  cancelUpload,
  type DiskSpaceDetails,
  finishUpload,
  queryUpload,
  startUpload,
  type UploadState,
  uploadChunk
} from '../../contract/firmware.ts'
import { CACHE_PREFIX, REFRESH_INTERVAL } from '../../contract/limits.ts'
import { isUnreachable } from './failure.ts'
import { fetchJson } from './fetch-json.ts'
import { apiUrl } from './relay.ts'
import { send } from './send.ts'

/** Bytes of a chunk: small enough for a slow connection to send it within the timeout of a request. */
const CHUNK_SIZE = 1 << 19
/** Milliseconds for the last call, in which the hub reads and checks the whole file. */
const CHECK_TIMEOUT = 180_000

export interface UploadOptions {
  /** Cancels the upload: the hub discards the data, and the promise is rejected. */
  signal: AbortSignal
  /**
   * Called with the number of bytes that the hub has. `isInterrupted`: the hub is unreachable, and the upload retries
   * by itself.
   */
  onProgress: (sentBytes: number, isInterrupted?: boolean) => void
  /** Asks the user whether to replace a file of the same version on the hub. */
  confirmReplace: () => Promise<boolean>
}

/** Uploads a file. @returns the response to the complete file, or the response that rejected the upload */
export async function uploadFile(
  file: File,
  { signal, onProgress, confirmReplace }: UploadOptions
): Promise<Envelope & DiskSpaceDetails> {
  const { name, size, lastModified } = file
  const storageKey = `${CACHE_PREFIX}${name} ${size} ${lastModified}`
  let upload = sessionStorage.getItem(storageKey) ?? ''
  let offset = 0

  /**
   * Makes a call until the hub responds and has received all chunks that were on their way.
   * @param retryCall made instead of `firstCall` from the second attempt on
   */
  async function retry<Response extends Envelope>(
    firstCall: () => Promise<Response>,
    retryCall = firstCall
  ): Promise<Response> {
    for (let makeCall = firstCall; ; makeCall = retryCall) {
      const response = await makeCall()
      if (!isUnreachable(response.result) && response.result !== RANGE_ERROR) return response
      onProgress(offset, true)
      await new Promise((resolve, reject) => {
        setTimeout(resolve, REFRESH_INTERVAL.slow)
        signal.addEventListener('abort', reject)
      })
    }
  }
  const start = () => send(startUpload, { name, size }, { signal })
  const query = () => send(queryUpload, { upload }, { signal })
  const sendChunk = (): ReturnType<typeof query> =>
    fetchJson(
      apiUrl(uploadChunk.path, { upload, offset }),
      {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: file.slice(offset, offset + CHUNK_SIZE)
      },
      { signal }
    ) as never
  const finish = async (force?: true): Promise<Envelope> =>
    send(finishUpload, { upload, add: true, force }, { signal, timeout: CHECK_TIMEOUT })
  /** When the response to the first `finish` was lost, the upload no longer exists, because it is complete. */
  const finishAgain = async (): Promise<Envelope> => {
    const response = await finish()
    return response.result === NOT_EXIST ? { result: SUCCESS } : response
  }

  try {
    let state: Envelope & UploadState = await retry(upload ? query : start)
    if (state.result === NOT_EXIST) state = await retry(start)
    while (state.result === SUCCESS) {
      upload = state.upload
      offset = state.offset
      sessionStorage.setItem(storageKey, upload)
      onProgress(offset)
      if (offset === size) break
      state = await retry(sendChunk, query)
    }
    if (state.result !== SUCCESS) return state
    const response = await retry(finish, finishAgain)
    return response.result === FILE_EXISTS && (await confirmReplace()) ? await retry(() => finish(true)) : response
  } finally {
    if (signal.aborted) void send(cancelUpload, { upload })
  }
}
