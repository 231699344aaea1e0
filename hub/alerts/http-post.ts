// Posts to a web server that an administrator names, under the address policy of servers.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { lookUpAs, resolveServer } from '../machine/server-address.ts'

/** Maximum bytes of a response that are read. */
const RESPONSE_MAX = 2048

interface Post {
  headers: Readonly<Record<string, string | number>>
  body: string | Buffer
  signal: AbortSignal
  /** Looks up a name, and checks its address; default: the policy of servers. */
  resolve?: ((host: string) => Promise<string>) | undefined
  /** PEM certificates of trusted authorities instead of those of the machine; for tests. */
  ca?: string | undefined
}

export interface PostResponse {
  status: number
  /** The beginning of the body. */
  text: string
}

/**
 * Posts to the address that the policy has checked: a second lookup could return another one. Redirects are not
 * followed, because they could lead to an address that the policy forbids.
 * @throws ForbiddenServerError; Error with a system code
 */
export async function postUnderPolicy(
  url: string,
  { headers, body, signal, resolve: lookUp = resolveServer, ca }: Post
): Promise<PostResponse> {
  const { protocol, hostname } = new URL(url)
  const lookup = lookUpAs(await lookUp(hostname))
  signal.throwIfAborted()
  const send = protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      { method: 'POST', headers, lookup, agent: false, signal, ...(ca && { ca }) },
      (response) => {
        const chunks: Buffer[] = []
        let size = 0
        const finish = () => {
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).subarray(0, RESPONSE_MAX).toString('utf8')
          })
          response.destroy()
        }
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          size += chunk.length
          if (size >= RESPONSE_MAX) finish()
        })
        // A response that is cut off has its status.
        response.on('end', finish).on('error', finish)
      }
    )
    request.on('error', reject).end(body)
  })
}
