// Sends a file to a device over its link, as a form a browser would send, and never holds more of it than is on its way.
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { constants, type IncomingHttpHeaders } from 'node:http2'
import type { Writable } from 'node:stream'
import type { Link } from './link.ts'
import { noAnswer, offline } from './link-error.ts'
import { gather } from './read-body.ts'
import type { DeviceAnswer } from './request.ts'

export interface FileUpload {
  /** With its query. */
  path: string
  /** On this machine. */
  file: string
  /** Bytes. */
  size: number
  /** What the device is told that the file is called: letters, digits and `._-`. */
  name: string
}

export interface UploadOptions {
  /** Milliseconds without a byte taken after which it is given up. */
  stall: number
  /** Milliseconds for the answer after the last byte. */
  answer: number
  /** Called with the bytes sent so far. */
  sent(bytes: number): void
  signal?: AbortSignal
}

/** Bytes of the answer to a file. */
export const ANSWER_MAX = 16 << 10
/** Bytes read at a time. */
const CHUNK = 64 << 10

/** The form around the file, whose only part it is, as `file`. `length` is that of it all, in bytes. */
export function formOf({ name, size }: FileUpload) {
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
 * Sends the file as multipart/form-data, part `file`, and waits for the answer. A device may answer before it has all, when it does
 * not want it.
 * @throws LinkError 10007 when the link goes, 10004 when the device stops taking or says nothing of use; or what reading the file throws
 */
export function upload(link: Link, sn: string, call: FileUpload, options: UploadOptions): Promise<DeviceAnswer> {
  const isGone = () => link.isOver || link.session.closed || link.session.destroyed
  if (isGone()) return Promise.reject(offline(sn))
  const form = formOf(call)
  return new Promise((resolve, reject) => {
    const stream = link.session.request({
      ':method': 'POST',
      ':path': call.path,
      'content-type': form.type,
      'content-length': String(form.length)
    })
    let received: IncomingHttpHeaders | undefined
    let complete = false
    let failure: Error | undefined
    let timer: NodeJS.Timeout | undefined

    function wait(milliseconds: number, why: string): void {
      clearTimeout(timer)
      timer = setTimeout(() => fail(noAnswer(why)), milliseconds)
    }
    function fail(error: Error): void {
      failure ??= error
      stream.close(constants.NGHTTP2_CANCEL)
    }
    const abort = () => fail(offline(sn))
    if (options.signal?.aborted) abort()
    options.signal?.addEventListener('abort', abort)

    stream.on('response', (headers) => {
      received = headers
    })
    const said = gather(stream, ANSWER_MAX, fail)
    stream.on('end', () => {
      complete = received !== undefined && !isGone()
      // It has said what it has to say; the rest of the file would be for nobody.
      if (complete && !stream.writableEnded) stream.close(constants.NGHTTP2_NO_ERROR)
    })
    stream.on('error', () => {})
    stream.on('close', () => {
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', abort)
      if (failure) return reject(failure)
      if (received && complete) return resolve({ status: Number(received[':status']), headers: received, body: said() })
      reject(isGone() ? offline(sn) : noAnswer('the device broke off the upload'))
    })

    const stalled = () => wait(options.stall, `nothing taken for ${options.stall / 1000} s`)
    stalled()
    sendForm(stream, call, form, (bytes) => {
      stalled()
      options.sent(bytes)
    }).then(
      (whole) => whole && wait(options.answer, `no answer within ${options.answer / 1000} s`),
      (error: Error) => fail(error)
    )
  })
}

/**
 * Sends a form with its file.
 * @param sent told the bytes of the file that went out so far
 * @returns whether all of it went out; else the stream was closed before
 * @throws what reading the file throws
 */
export async function sendForm(
  stream: Writable,
  { file, size }: FileUpload,
  { head, tail }: Pick<ReturnType<typeof formOf>, 'head' | 'tail'>,
  sent: (bytes: number) => void
): Promise<boolean> {
  const put = (bytes: Buffer) =>
    new Promise<boolean>((resolve) => {
      if (stream.closed || stream.destroyed) return resolve(false)
      const closed = () => resolve(false)
      stream.once('close', closed)
      // Called when the bytes are on their way: the flow control of the way to the device paces the reading of the file.
      stream.write(bytes, (error) => {
        stream.off('close', closed)
        resolve(!error)
      })
    })
  if (!(await put(head))) return false
  let done = 0
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK })) {
    if (!(await put(chunk as Buffer))) return false
    done += (chunk as Buffer).length
    sent(done)
  }
  if (done !== size) throw new Error(`the file has ${done} bytes instead of ${size}`)
  if (stream.closed || stream.destroyed) return false
  stream.end(tail)
  return true
}
