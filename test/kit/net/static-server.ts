// A static web server in this process. It serves files with ranges and entity tags, or answers as a test says.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Pair } from '../tls/certificates.ts'

/** Answers a request instead of the server. @returns false to leave it to the server */
type Answer = (request: IncomingMessage, response: ServerResponse) => boolean

export interface StaticServer {
  address: string
  /** By path. */
  files: Map<string, Buffer>
  /** Requests so far: path and range. */
  requests: { path: string; range: string | undefined }[]
  answer: Answer
  close(): Promise<void>
}

/** @param pair its certificate: with HTTPS */
export async function startStaticServer(pair?: Pair): Promise<StaticServer> {
  const files: StaticServer['files'] = new Map()
  const requests: StaticServer['requests'] = []
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    requests.push({ path, range: request.headers.range })
    if (!served.answer(request, response)) serveFile(files.get(path), request, response)
  }
  const server = pair ? createTlsServer(pair, handle) : createServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const served: StaticServer = {
    address: `http${pair ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    requests,
    answer: () => false,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
  return served
}

/** The entity tag with which a file is served. */
export const entityTag = (bytes: Buffer) => `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`

function serveFile(bytes: Buffer | undefined, { headers }: IncomingMessage, response: ServerResponse): void {
  if (!bytes) return void response.writeHead(404).end()
  const etag = entityTag(bytes)
  const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? Number.NaN)
  if (!(start >= 0) || headers['if-range'] !== etag)
    return void response.writeHead(200, { etag, 'content-length': bytes.length }).end(bytes)
  const range = `bytes ${start}-${bytes.length - 1}/${bytes.length}`
  const rest = bytes.subarray(start)
  response.writeHead(206, { etag, 'content-length': rest.length, 'content-range': range }).end(rest)
}
