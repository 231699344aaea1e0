// Sends a file to a device at an address, as a form a browser would send, and never holds more of it than is on its way.
import { createReadStream } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { noAnswer, offline } from '../link-error.ts'
import { type FileUpload, formOf, type UploadOptions } from '../upload.ts'
import { open, type Place, type PlaceAnswer } from './exchange.ts'

/** Bytes of an answer. */
const ANSWER_MAX = 16 << 10
/** Bytes read at a time. */
const CHUNK = 64 << 10

/** @returns whether all of it went out; else the connection was closed before */
async function send(
  outgoing: ClientRequest,
  { file, size }: FileUpload,
  form: ReturnType<typeof formOf>,
  sent: (bytes: number) => void
) {
  const put = (bytes: Buffer) =>
    new Promise<boolean>((resolve) => {
      if (outgoing.destroyed) return resolve(false)
      const closed = () => resolve(false)
      outgoing.once('close', closed)
      outgoing.write(bytes, (error) => {
        outgoing.off('close', closed)
        resolve(!error)
      })
    })
  if (!(await put(form.head))) return false
  let done = 0
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK })) {
    if (!(await put(chunk as Buffer))) return false
    done += (chunk as Buffer).length
    sent(done)
  }
  if (done !== size) throw new Error(`the file has ${done} bytes instead of ${size}`)
  outgoing.end(form.tail)
  return true
}

/**
 * Sends the file as part `file` of a form, and waits for the answer. A device may answer before it has all, when it does not want it.
 * @throws LinkError as `exchange`, 10004 also when the device stops taking; or what reading the file throws
 */
export async function sendFile(
  place: Place,
  call: FileUpload,
  cookie: string,
  options: UploadOptions
): Promise<PlaceAnswer> {
  const { stall, answer, signal } = options
  if (signal?.aborted) throw offline(place.name)
  const { socket, cert } = await open(place, stall)
  const form = formOf(call)
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const settle = (act: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      act()
      socket.destroy()
    }
    const fail = (error: Error) => settle(() => reject(error))
    const abort = () => fail(offline(place.name))
    const wait = (milliseconds: number, why: string) => {
      clearTimeout(timer)
      timer = setTimeout(() => fail(noAnswer(why)), milliseconds)
    }
    signal?.addEventListener('abort', abort)
    const outgoing = request({
      createConnection: () => socket,
      ...{ host: place.name, port: place.port, method: 'POST', path: call.path },
      headers: { 'content-type': form.type, 'content-length': form.length, ...(cookie && { cookie }) }
    })
    outgoing.on('error', () => fail(noAnswer('the device broke off the upload')))
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      let size = 0
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > ANSWER_MAX) return fail(noAnswer(`an answer of more than ${ANSWER_MAX} bytes`))
        chunks.push(chunk)
      })
      incoming.on('end', () => {
        const { statusCode: status = 0, headers } = incoming
        settle(() => resolve({ status, headers, body: Buffer.concat(chunks, size), cert }))
      })
    })
    const stalled = () => wait(stall, `nothing taken for ${stall / 1000} s`)
    stalled()
    send(outgoing, call, form, (bytes) => {
      stalled()
      options.sent(bytes)
    }).then((whole) => whole && wait(answer, `no answer within ${answer / 1000} s`), fail)
  })
}
