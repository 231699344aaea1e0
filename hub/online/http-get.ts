// GET requests to the web server that an administrator has named. The address policy holds for each address of a
// redirect too.
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { trustedAuthorities } from '../../tls/trust.ts'
import { lookUpAs, resolveServer } from '../machine/server-address.ts'
import { OnlineError } from './online-error.ts'

/** Redirects that a request follows. */
export const REDIRECTS_MAX = 5
const REDIRECTS = [301, 302, 303, 307, 308]

export interface GetOptions {
  headers?: Readonly<Record<string, string>>
  signal: AbortSignal
  /** For tests: authorities in PEM that sign certificates; by default those of Node and of the machine. */
  authorities?: readonly string[] | undefined
}

/** Rejects when the signal is aborted, whether or not the work can be. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

async function sendGet(url: URL, { headers, signal, authorities }: GetOptions): Promise<IncomingMessage> {
  const address = await orAborted(resolveServer(url.hostname), signal)
  const options = {
    // Bytes and digests are those of the file, not of a compressed response.
    headers: { 'accept-encoding': 'identity', 'user-agent': 'headend', ...headers },
    lookup: lookUpAs(address),
    agent: false,
    signal
  }
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === 'https:'
        ? requestHttps(url, { ...options, ca: [...(authorities ?? trustedAuthorities())] })
        : requestHttp(url, options)
    request.on('response', resolve).end()
    request.on('error', (error) => {
      const refusal = (request.socket as Partial<TLSSocket> | null)?.authorizationError
      reject(refusal ? new OnlineError('certificate', { error: String(refusal) }) : error)
    })
  })
}

/** The target of a redirect. @throws OnlineError if it is not followed */
function targetOf(url: URL, { headers }: IncomingMessage): URL {
  const target = URL.parse(headers.location ?? '', url.href)
  const isAllowed = target?.protocol === 'https:' || (target?.protocol === 'http:' && url.protocol === 'http:')
  if (!headers.location || !target || !isAllowed || target.username || target.password)
    throw new OnlineError('redirect')
  return target
}

/**
 * Sends a request and follows redirects. The caller reads the body, or destroys the response.
 * @throws OnlineError, or an error of the connection (`toOnlineError`)
 */
export async function openGet(url: URL, options: GetOptions): Promise<IncomingMessage> {
  for (let next = url, count = 0; count <= REDIRECTS_MAX; count += 1) {
    const response = await sendGet(next, options)
    if (!REDIRECTS.includes(response.statusCode ?? 0)) return response
    response.destroy()
    next = targetOf(next, response)
  }
  throw new OnlineError('redirect')
}

/** The address of a file in the folder of a web server. @param file relative path */
export const addressOf = (folder: string, file: string) => new URL(file, folder.replace(/\/*$/, '/'))
