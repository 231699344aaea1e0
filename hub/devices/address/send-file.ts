// Uploads a file to a device at an address as multipart/form-data, as a browser would. Holds only the chunk being sent
// in memory.
import { request } from 'node:http'
import { noResponseError, offlineError } from '../../../device-link/link-error.ts'
import { collectBody } from '../../../device-link/read-body.ts'
import { createUploadForm, type FileUpload, sendForm, UPLOAD_RESPONSE_MAX, type UploadOptions } from '../link/upload.ts'
import { type DeviceEndpoint, type EndpointResponse, openConnection } from './http-call.ts'

/**
 * Sends the file as part `file` of a form, and waits for the response. A device that refuses the file may respond
 * before it has received all of it.
 * @throws LinkError as `sendHttpRequest`, 10004 also if the device stalls, 10007 if the upload is aborted; or the error
 * of reading the file
 */
export async function sendFile(
  endpoint: DeviceEndpoint,
  call: FileUpload,
  cookie: string,
  { stallTimeout, responseTimeout, onProgress, signal }: UploadOptions
): Promise<EndpointResponse> {
  if (signal?.aborted) throw offlineError(endpoint.name)
  const { socket, cert } = await openConnection(endpoint, stallTimeout)
  const form = createUploadForm(call)
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const settle = (settlePromise: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      settlePromise()
      socket.destroy()
    }
    const fail = (error: Error) => settle(() => reject(error))
    const abort = () => fail(offlineError(endpoint.name))
    const restartTimer = (milliseconds: number, reason: string) => {
      clearTimeout(timer)
      timer = setTimeout(() => fail(noResponseError(reason)), milliseconds)
    }
    signal?.addEventListener('abort', abort)
    const outgoing = request({
      createConnection: () => socket,
      host: endpoint.name,
      port: endpoint.port,
      method: 'POST',
      path: call.path,
      headers: { 'content-type': form.type, 'content-length': form.length, ...(cookie && { cookie }) }
    })
    outgoing.on('error', () => fail(noResponseError('the device aborted the upload')))
    outgoing.on('response', (incoming) => {
      const collectedBody = collectBody(incoming, UPLOAD_RESPONSE_MAX, fail)
      incoming.on('end', () => {
        const { statusCode: status = 0, headers } = incoming
        settle(() => resolve({ status, headers, body: collectedBody(), cert }))
      })
    })
    const restartStallTimer = () => restartTimer(stallTimeout, `no progress for ${stallTimeout / 1000} s`)
    restartStallTimer()
    sendForm(outgoing, call, form, (bytes) => {
      restartStallTimer()
      onProgress(bytes)
    }).then((isSent) => isSent && restartTimer(responseTimeout, `no response within ${responseTimeout / 1000} s`), fail)
  })
}
