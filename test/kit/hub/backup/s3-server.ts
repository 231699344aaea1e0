// A service with the interface of S3, which computes the signature of each request by itself (AWS Signature Version 4).
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Server {
  url: string
  /** By path. */
  files: Map<string, Buffer>
  close(): void
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

/** The signature that the request must have. */
function signatureOf({ method = '', url = '', headers }: IncomingMessage, secret: string): string {
  const { authorization = '' } = headers
  const scope = /Credential=[^/]+\/([^,]+)/.exec(authorization)?.[1] ?? ''
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? []
  const [path = '', query = ''] = url.split('?')
  const lines = names.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('')
  const payload = String(headers['x-amz-content-sha256'])
  const canonical = [method, path, query, lines, names.join(';'), payload].join('\n')
  const [date = '', region = '', service = ''] = scope.split('/')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, date), region), service), 'aws4_request')
  return hmac(key, text).toString('hex')
}

export async function startS3Server(secret: string): Promise<S3Server> {
  const files = new Map<string, Buffer>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const sent = /Signature=([0-9a-f]+)/.exec(request.headers.authorization ?? '')?.[1]
    const isSigned = sent === signatureOf(request, secret)
    if (!isSigned) return void response.writeHead(403).end()
    if (request.method === 'PUT') files.set(request.url ?? '', Buffer.concat(chunks))
    if (request.method === 'DELETE') files.delete(request.url ?? '')
    response.writeHead(200).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, files, close: () => void server.close() }
}
