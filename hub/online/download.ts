// Downloads a file whose size and digest are known. If a download breaks or is cancelled, the next one continues it if
// the server still has the same version of the file.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { FIRMWARE_SPACE_MIN } from '../../contract/firmware.ts'
import type { FileDigest } from '../../pack/manifest.ts'
import { Deadline } from './deadline.ts'
import { type GetOptions, openGet } from './http-get.ts'
import { OnlineError, toOnlineError } from './online-error.ts'
import { PartFile, removePart } from './part-file.ts'

/** Milliseconds in which something must arrive. */
export const STALL_TIMEOUT = 30_000
/** Milliseconds for a download. */
export const DOWNLOAD_TIMEOUT = 12 * 3600_000
/** Bytes that must stay free. */
const KEEP_FREE = FIRMWARE_SPACE_MIN << 20
/** Characters of an entity tag that is kept. */
const VALIDATOR_MAX = 256

export interface DownloadOptions extends Pick<GetOptions, 'signal' | 'authorities'> {
  address: URL
  /** Where the file is created. */
  path: string
  /** Of the file, from a signed channel file. */
  digest: FileDigest
  /** Free bytes of the file system. */
  freeSpace(): Promise<number>
  /** @param received bytes of the file that have arrived, also in former downloads */
  onProgress(received: number): void
}

/**
 * Downloads a file. It is at `path` only when it is complete, has its digest and is on the disk.
 * @throws OnlineError; an error of the file system, except that the disk is full
 */
export async function downloadFile(options: DownloadOptions): Promise<void> {
  const deadline = new Deadline(DOWNLOAD_TIMEOUT, options.signal)
  const part = await PartFile.open(options.path, options.digest.sha256)
  try {
    await fillPart({ ...options, signal: deadline.signal }, part)
    await part.commit()
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? new OnlineError('no-space') : error
  } finally {
    deadline.end()
    await part.close()
  }
}

async function fillPart(options: DownloadOptions, part: PartFile): Promise<void> {
  const { path, digest, freeSpace, onProgress, signal } = options
  onProgress(part.size)
  const [free, need] = [await freeSpace(), Math.max(0, digest.size - part.size)]
  if (free - need < KEEP_FREE) throw new OnlineError('no-space', { free, need })
  await receiveRest(options, part)
  if (!part.isComplete() && part.isContinued) {
    // What had arrived before was damaged.
    await part.restart('')
    await receiveRest(options, part)
  }
  if (!part.isComplete()) {
    removePart(path)
    throw new OnlineError('wrong-digest')
  }
  if (signal.aborted) throw toOnlineError(signal.reason, signal)
}

/** Receives what is missing of a file, or the whole file if the server has another version of it. */
async function receiveRest(options: DownloadOptions, part: PartFile): Promise<void> {
  const { address, path, digest, authorities, onProgress } = options
  if (part.size >= digest.size) return
  const stall = new Deadline(STALL_TIMEOUT, options.signal)
  const { signal } = stall
  let response: IncomingMessage | undefined
  try {
    const headers: Record<string, string> =
      part.size > 0 ? { range: `bytes=${part.size}-`, 'if-range': part.validator } : {}
    response = await openGet(address, { signal, authorities, headers }).catch((error) => {
      throw toOnlineError(error, signal)
    })
    if (!(await acceptResponse(response, part, digest.size))) {
      await part.restart('')
      return await receiveRest(options, part)
    }
    for await (const bytes of bodyOf(response, signal)) {
      if (part.size + bytes.length > digest.size) {
        removePart(path)
        throw new OnlineError('too-large')
      }
      await part.append(bytes)
      stall.restart()
      onProgress(part.size)
    }
    if (part.size < digest.size) throw new OnlineError('cut-short')
  } finally {
    response?.destroy()
    stall.end()
  }
}

/**
 * Prepares the part for the body of a response.
 * @param size bytes of the whole file
 * @returns false if the request must be repeated without a range
 * @throws OnlineError if the response is not the file, or the rest of it
 */
async function acceptResponse({ statusCode = 0, headers }: IncomingMessage, part: PartFile, size: number) {
  const isRest = statusCode === 206 && headers['content-range'] === `bytes ${part.size}-${size - 1}/${size}`
  if (part.size > 0 && !isRest && (statusCode === 206 || statusCode === 416)) return false
  if (!isRest && statusCode !== 200) throw new OnlineError('http-status', { status: statusCode })
  const length = Number(headers['content-length'] ?? Number.NaN)
  const expected = isRest ? size - part.size : size
  if (length > expected) throw new OnlineError('too-large')
  if (length < expected) throw new OnlineError('cut-short')
  if (!isRest) await part.restart(validatorOf(headers))
  return true
}

/** The version of a file, for `If-Range`; empty if the server names none that identifies all bytes. */
function validatorOf({ etag = '', 'last-modified': date = '' }: IncomingHttpHeaders): string {
  const validator = etag && !etag.startsWith('W/') ? etag : date
  return validator.length > VALIDATOR_MAX ? '' : validator
}

/** The bytes of a response. @throws OnlineError if it breaks */
async function* bodyOf(response: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* response
  } catch (error) {
    throw signal.aborted ? toOnlineError(error, signal) : new OnlineError('cut-short')
  }
}
