// HTTP proxy on the loopback interface for one HTTP input. ffmpeg follows redirects and playlist entries itself, so the
// proxy applies the address policy to each connection: it looks the host up, checks the address and connects to that
// address.
import {
  request as createRequest,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse
} from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { urlHost } from '../../contract/ipv6.ts'
import { loopbackOf } from '../access/listen-address.ts'
import { type Failure, ForbiddenAddressError } from '../interfaces/errors.ts'
import { systemFailure } from '../process/failure.ts'

/** Milliseconds for which the server can be silent. */
const TIMEOUT = 10_000
const HTTP_PORT = 80
/** Headers that apply only to the connection between ffmpeg and the proxy. */
const HOP_HEADERS = new Set(['proxy-connection', 'proxy-authorization', 'connection', 'keep-alive', 'upgrade'])

export class HttpProxy {
  readonly #resolveHost: (host: string) => Promise<string>
  readonly #sockets = new Set<Duplex>()
  #server: Server | undefined
  #url: Promise<string> | undefined
  #failure: Failure | undefined
  #isClosed = false

  /** @param resolveHost looks up a host and applies the address policy, as in `HostLookup` */
  constructor(resolveHost: (host: string) => Promise<string>) {
    this.#resolveHost = resolveHost
  }

  /** The URL of the proxy, which is opened on first use. Rejects after `close`. */
  async url(): Promise<string> {
    if (this.#isClosed) throw new Error('The proxy is closed')
    this.#url ??= this.#open()
    return this.#url
  }

  /** Why the last connection failed. */
  failure(): Failure | undefined {
    return this.#failure
  }

  /** Returns why the last connection failed, and clears it. */
  takeFailure(): Failure | undefined {
    const failure = this.#failure
    this.#failure = undefined
    return failure
  }

  close(): void {
    this.#isClosed = true
    this.#server?.close()
    this.#server?.closeAllConnections()
    for (const socket of this.#sockets) socket.destroy()
  }

  #open(): Promise<string> {
    const server = createServer((request, response) => {
      this.#forward(request, response).catch((error) => response.writeHead(this.#recordFailure(error)).end())
    })
    this.#server = server
    server.on('connect', (request, client) => {
      this.#sockets.add(client)
      client.on('error', () => client.destroy()).on('close', () => this.#sockets.delete(client))
      this.#tunnel(request, client).catch((error) =>
        client.end(`HTTP/1.1 ${this.#recordFailure(error)} Failed\r\n\r\n`)
      )
    })
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      const host = loopbackOf('::')
      server.listen(0, host, () => resolve(`http://${urlHost(host)}:${(server.address() as { port: number }).port}`))
    })
  }

  /** Handles GET and HEAD of `http:` URLs. */
  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '')
    if (url?.protocol !== 'http:' || (request.method !== 'GET' && request.method !== 'HEAD'))
      return void response.writeHead(400).end()
    const host = await this.#resolveHost(url.hostname)
    if (response.destroyed) return
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !HOP_HEADERS.has(name)))
    const upstream = createRequest({
      host,
      port: url.port || HTTP_PORT,
      path: url.pathname + url.search,
      method: request.method,
      headers: { ...headers, host: url.host, connection: 'close' },
      agent: false,
      timeout: TIMEOUT
    })
    upstream.on('response', (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, { ...incoming.headers, connection: 'close' })
      incoming.pipe(response)
      incoming.on('error', () => response.destroy())
    })
    upstream.on('timeout', () => upstream.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })))
    upstream.on('error', (error) => {
      if (response.headersSent) response.destroy()
      else response.writeHead(this.#recordFailure(error)).end()
    })
    response.on('close', () => upstream.destroy())
    upstream.end()
  }

  /** Handles CONNECT, which ffmpeg uses for `https:` URLs. */
  async #tunnel(request: IncomingMessage, client: Duplex): Promise<void> {
    const [, name = '', port = ''] = /^([a-z0-9.-]+|\[[0-9a-f:.]+\]):(\d{1,5})$/i.exec(request.url ?? '') ?? []
    if (!name) return void client.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    const host = await this.#resolveHost(name)
    if (client.destroyed) return
    const upstream = connect({ host, port: Number(port) })
    this.#sockets.add(upstream)
    upstream.on('connect', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(client).pipe(upstream)
    })
    upstream.on('error', (error) => {
      if (upstream.pending) client.end(`HTTP/1.1 ${this.#recordFailure(error)} Failed\r\n\r\n`)
      else client.destroy()
    })
    upstream.on('close', () => {
      this.#sockets.delete(upstream)
      client.destroy()
    })
    client.on('close', () => upstream.destroy())
  }

  /**
   * Stores the failure, because ffmpeg would report the status as that of the server. Returns the status for ffmpeg.
   */
  #recordFailure(error: Error): number {
    this.#failure = systemFailure(error)
    return error instanceof ForbiddenAddressError ? 410 : 502
  }
}
