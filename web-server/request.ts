// Requests as handlers see them: from node:http, or from `fetch` in tests and for calls over a change feed socket.
import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import { BodyError, createBodyStream, readBody } from './body.ts'
import type { RequestHeaders } from './credentials.ts'

export interface HubRequest {
  readonly method: string
  /** Normalized path, such as '/api/session'. */
  readonly path: string
  /** Query with its question mark, or an empty string. */
  readonly search: string
  /** Names are given in lower case. */
  readonly headers: RequestHeaders
  /** The body as it arrives; null if there is none. Fails if the client stops sending. */
  readonly body: ReadableStream<Uint8Array> | null
  /**
   * Reads the whole body, as UTF-8.
   * @param max bytes
   * @param deadline milliseconds until the last byte
   * @throws BodyError
   */
  readText(max: number, deadline: number): Promise<string>
}

interface Target {
  path: string
  search: string
}

/** Paths that the URL standard does not change: no empty first segment, and no segment that begins with a dot. */
const NORMAL_TARGET = /^(?!\/\/)((?:\/(?!\.|%2e)[\w~!$&'()*+,;=:@%.-]*)+)(\?[^#]*)?$/i

/**
 * Path and query of a request target (RFC 9112, 3.2).
 * @returns undefined if it is malformed, or names another host than the Host header
 */
export function parseTarget(target: string, host: string): Target | undefined {
  const normal = NORMAL_TARGET.exec(target)
  if (normal) return { path: normal[1] ?? '', search: normal[2] === '?' ? '' : (normal[2] ?? '') }
  const text = target.startsWith('/') ? `http://${host}${target}` : target
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { pathname, search, host: named } = new URL(text)
  return URL.canParse(`http://${host}`) && named === new URL(`http://${host}`).host
    ? { path: pathname, search }
    : undefined
}

export class NodeRequest implements HubRequest {
  readonly path: string
  readonly search: string
  readonly #incoming: IncomingMessage
  readonly #onBodyRead: () => void
  #body: ReadableStream<Uint8Array> | undefined

  /** @param onBodyRead called when the whole body was read as text */
  constructor(incoming: IncomingMessage, { path, search }: Target, onBodyRead: () => void) {
    this.#incoming = incoming
    this.#onBodyRead = onBodyRead
    this.path = path
    this.search = search
  }

  get method(): string {
    return this.#incoming.method ?? ''
  }

  get headers(): RequestHeaders {
    return this
  }

  get(name: string): string | null {
    const value = this.#incoming.headers[name]
    return value === undefined ? null : typeof value === 'string' ? value : value.join(', ')
  }

  get body(): ReadableStream<Uint8Array> | null {
    if (!hasBody(this.#incoming)) return null
    this.#body ??= createBodyStream(this.#incoming)
    return this.#body
  }

  async readText(max: number, deadline: number): Promise<string> {
    if (!hasBody(this.#incoming)) return ''
    const text = await readBody(this.#incoming, max, deadline)
    this.#onBodyRead()
    return text
  }
}

/** The headers of a request of node:http; null for one that is missing or empty. */
export const headersOf = ({ headers }: Pick<IncomingMessage, 'headers'>): RequestHeaders => ({
  get: (name) => [headers[name] ?? []].flat().join(',') || null
})

/** Whether a request announces a body. In HTTP/2 it need not state its length. */
export function hasBody(incoming: IncomingMessage): boolean {
  const { headers } = incoming
  if (incoming.httpVersionMajor === 2) return !(incoming as unknown as Http2ServerRequest).stream.endAfterHeaders
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** A GET request that did not come over HTTP. */
export const createGetRequest = (target: Target, headers: RequestHeaders): HubRequest => ({
  ...target,
  method: 'GET',
  headers,
  body: null,
  readText: () => Promise.resolve('')
})

/** A request of `fetch`. */
export class FetchRequest implements HubRequest {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly headers: RequestHeaders
  readonly body: ReadableStream<Uint8Array> | null

  constructor({ method, url, headers, body }: Request) {
    const { pathname, search, host } = new URL(url)
    this.method = method
    this.path = pathname
    this.search = search
    this.headers = { get: (name) => headers.get(name) ?? (name === 'host' ? host : null) }
    this.body = body
  }

  async readText(max: number): Promise<string> {
    if (Number(this.headers.get('content-length') ?? 0) > max) throw new BodyError(413)
    const decoder = new TextDecoder()
    let text = ''
    let size = 0
    for await (const chunk of this.body ?? []) {
      size += chunk.length
      if (size > max) throw new BodyError(413)
      text += decoder.decode(chunk, { stream: true })
    }
    return text + decoder.decode()
  }
}
