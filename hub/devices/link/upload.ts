// Uploads a file to a device over its link as multipart/form-data, as a browser would. Holds only the chunk being sent
// in memory.
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { constants, type IncomingHttpHeaders } from 'node:http2'
import type { Writable } from 'node:stream'
import type { Link } from '../../../device-link/link.ts'
import { noResponseError, offlineError } from '../../../device-link/link-error.ts'
import { collectBody } from '../../../device-link/read-body.ts'
import type { DeviceResponse } from '../../../device-link/request.ts'

export interface FileUpload {
  /** Path and query of the request. */
  path: string
  /** Path of the file on this machine. */
  file: string
  /** Size of the file in bytes. */
  size: number
  /** File name sent to the device: letters, digits and `._-`. */
  name: string
}

export interface UploadOptions {
  /** Milliseconds without progress after which the upload fails. */
  stallTimeout: number
  /** Milliseconds to wait for the response after the last byte. */
  responseTimeout: number
  /** Called with the number of bytes of the file sent so far. */
  onProgress(bytes: number): void
  signal?: AbortSignal
}

/** Maximum size in bytes of the response to an upload. */
export const UPLOAD_RESPONSE_MAX = 16 << 10
/** Bytes read from the file at a time. */
const CHUNK = 64 << 10

/**
 * Content type, head and tail of a form with the file as its only part, named `file`. `length` is that of the whole
 * form in bytes.
 */
export function createUploadForm({ name, size }: FileUpload) {
  const boundary = `headend-${randomBytes(12).toString('hex')}`
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n'
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const type = `multipart/form-data; boundary=${boundary}`
  return { type, head, tail, length: head.length + size + tail.length }
}

/**
 * Sends the file as multipart/form-data, part `file`, and waits for the response. A device that refuses the file may
 * respond before it has received all of it.
 * @throws LinkError 10007 if the link ends or the upload is aborted, 10004 if the device stalls or the response cannot
 * be used; or the
 *   error of reading the file
 */
export function uploadFile(link: Link, sn: string, call: FileUpload, options: UploadOptions): Promise<DeviceResponse> {
  const isOffline = () => link.hasEnded || link.session.closed || link.session.destroyed
  if (isOffline()) return Promise.reject(offlineError(sn))
  const { stallTimeout, responseTimeout, onProgress, signal } = options
  const form = createUploadForm(call)
  return new Promise((resolve, reject) => {
    const stream = link.session.request({
      ':method': 'POST',
      ':path': call.path,
      'content-type': form.type,
      'content-length': String(form.length)
    })
    let headers: IncomingHttpHeaders | undefined
    let isComplete = false
    let failure: Error | undefined
    let timer: NodeJS.Timeout | undefined

    function restartTimer(milliseconds: number, reason: string): void {
      clearTimeout(timer)
      timer = setTimeout(() => fail(noResponseError(reason)), milliseconds)
    }
    function fail(error: Error): void {
      failure ??= error
      stream.close(constants.NGHTTP2_CANCEL)
    }
    const abort = () => fail(offlineError(sn))
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort)

    stream.on('response', (received) => {
      headers = received
    })
    const collectedBody = collectBody(stream, UPLOAD_RESPONSE_MAX, fail)
    stream.on('end', () => {
      isComplete = headers !== undefined && !isOffline()
      // The response is complete: the rest of the file does not have to be sent.
      if (isComplete && !stream.writableEnded) stream.close(constants.NGHTTP2_NO_ERROR)
    })
    stream.on('error', () => {})
    stream.on('close', () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      if (failure) return reject(failure)
      if (headers && isComplete) return resolve({ status: Number(headers[':status']), headers, body: collectedBody() })
      reject(isOffline() ? offlineError(sn) : noResponseError('the device aborted the upload'))
    })

    const restartStallTimer = () => restartTimer(stallTimeout, `no progress for ${stallTimeout / 1000} s`)
    restartStallTimer()
    sendForm(stream, call, form, (bytes) => {
      restartStallTimer()
      onProgress(bytes)
    }).then(
      (isSent) => isSent && restartTimer(responseTimeout, `no response within ${responseTimeout / 1000} s`),
      (error: Error) => fail(error)
    )
  })
}

/**
 * Sends a form with a file.
 * @param onProgress called with the number of bytes of the file sent so far
 * @returns whether the whole form was sent; false if the stream was closed before
 * @throws the error of reading the file
 */
export async function sendForm(
  stream: Writable,
  { file, size }: FileUpload,
  { head, tail }: Pick<ReturnType<typeof createUploadForm>, 'head' | 'tail'>,
  onProgress: (bytes: number) => void
): Promise<boolean> {
  const write = (bytes: Buffer) =>
    new Promise<boolean>((resolve) => {
      if (stream.closed || stream.destroyed) return resolve(false)
      const onClose = () => resolve(false)
      stream.once('close', onClose)
      // The callback runs when the bytes have been handed to the network, so flow control paces the reading of the
      // file.
      stream.write(bytes, (error) => {
        stream.off('close', onClose)
        resolve(!error)
      })
    })
  if (!(await write(head))) return false
  let sentBytes = 0
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK })) {
    if (!(await write(chunk as Buffer))) return false
    sentBytes += (chunk as Buffer).length
    onProgress(sentBytes)
  }
  if (sentBytes !== size) throw new Error(`the file has ${sentBytes} bytes instead of ${size}`)
  if (stream.closed || stream.destroyed) return false
  stream.end(tail)
  return true
}
