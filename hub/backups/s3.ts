// Uploads backups to a service with the interface of S3.
import { AwsClient } from 'aws4fetch'
import { UPLOAD_TIME, UploadError, type UploadRequest } from './upload.ts'

const DEFAULT_REGION = 'us-east-1'

/** @throws UploadError */
export async function uploadToS3({ target, password, name, bytes, outdated }: UploadRequest): Promise<void> {
  const { endpoint = '', region, bucket = '', path = '', 'access-key': accessKey = '' } = target
  const client = new AwsClient({
    accessKeyId: accessKey,
    secretAccessKey: password,
    service: 's3',
    region: region || DEFAULT_REGION,
    retries: 0
  })
  const folder = path.split('/').filter(Boolean).map(encodeURIComponent)
  const urlOf = (file: string) => [endpoint.replace(/\/$/, ''), bucket, ...folder, file].join('/')
  const send = async (method: string, file: string, body?: Buffer): Promise<Response> => {
    try {
      // Redirects are not followed: the signature is for this address.
      return await client.fetch(urlOf(file), {
        method,
        ...(body && { body: new Uint8Array(body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(UPLOAD_TIME)
      })
    } catch (error) {
      throw new UploadError('unreachable', error)
    }
  }
  const { ok, status } = await send('PUT', name, bytes)
  if (!ok) throw new UploadError(status === 401 || status === 403 ? 'login' : 'upload')
  for (const each of outdated) await send('DELETE', each)
}
