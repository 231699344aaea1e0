// Sends a file to a device at an address, as a form a browser would send, and never holds more of it than is on its way.
import { request } from 'node:http'
import { noAnswer, offline } from '../link/link-error.ts'
import { gather } from '../link/read-body.ts'
import { ANSWER_MAX, type FileUpload, formOf, sendForm, type UploadOptions } from '../link/upload.ts'
import { open, type Place, type PlaceAnswer } from './http-call.ts'

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
      const said = gather(incoming, ANSWER_MAX, fail)
      incoming.on('end', () => {
        const { statusCode: status = 0, headers } = incoming
        settle(() => resolve({ status, headers, body: said(), cert }))
      })
    })
    const stalled = () => wait(stall, `nothing taken for ${stall / 1000} s`)
    stalled()
    sendForm(outgoing, call, form, (bytes) => {
      stalled()
      options.sent(bytes)
    }).then((whole) => whole && wait(answer, `no answer within ${answer / 1000} s`), fail)
  })
}
