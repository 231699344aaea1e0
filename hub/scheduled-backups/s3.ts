// Uploads backups to a service with the interface of S3.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { AwsClient } from 'aws4fetch'
import { logger } from '../../process-log/logger.ts'
import { lookUpAs, resolveServer } from '../machine/server-address.ts'
import { UPLOAD_TIME, UploadError, type UploadRequest, type UploadServer } from './upload.ts'

const DEFAULT_REGION = 'us-east-1'
/** Written and removed by a test. */
const TEST_OBJECT = 'headend-test'

type S3Upload = Omit<UploadRequest, 'hostKey' | 'pinHostKey'>

/**
 * Sends a request to an address, whatever its host name resolves to. Redirects are not followed: the signature is for
 * this address.
 * @returns the status
 */
function sendTo(
  address: string,
  { url, method, headers }: Request,
  body: Buffer | undefined,
  signal: AbortSignal
): Promise<number> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  const options = { method, headers: Object.fromEntries(headers), lookup: lookUpAs(address), agent: false, signal }
  return new Promise((resolve, reject) => {
    const request = send(url, options, (response) => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    request.on('error', reject).end(body)
  })
}

/** Writes and removes a small object. @throws UploadError */
export const testS3 = (server: UploadServer): Promise<void> =>
  uploadToS3({ ...server, name: TEST_OBJECT, bytes: Buffer.alloc(0), outdated: [TEST_OBJECT] })

/** @throws UploadError */
export async function uploadToS3({ target, password, name, bytes, outdated }: S3Upload): Promise<void> {
  const { endpoint = '', region, bucket = '', path = '', 'access-key': accessKey = '' } = target
  const client = new AwsClient({
    accessKeyId: accessKey,
    secretAccessKey: password,
    service: 's3',
    region: region || DEFAULT_REGION
  })
  const folder = path.split('/').filter(Boolean).map(encodeURIComponent)
  const urlOf = (file: string) => [endpoint.replace(/\/$/, ''), bucket, ...folder, file].join('/')
  const signal = AbortSignal.timeout(UPLOAD_TIME)
  try {
    const address = await resolveServer(new URL(endpoint).hostname)
    const send = async (method: string, file: string, body?: Buffer) =>
      sendTo(address, await client.sign(urlOf(file), { method }), body, signal)
    const status = await send('PUT', name, bytes)
    if (status === 401 || status === 403) throw new UploadError('login')
    if (status < 200 || status > 299) throw new UploadError('upload')
    for (const each of outdated) {
      const removed = await send('DELETE', each)
      // The server may forbid it, so that backups cannot be deleted with this key.
      if (removed > 299 && removed !== 404)
        logger.warn('An outdated backup stays on the server', { name: each, status: removed })
    }
  } catch (error) {
    throw error instanceof UploadError ? error : new UploadError('unreachable', error)
  }
}
