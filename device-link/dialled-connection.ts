// One connection to the server of a device link, plain or over TLS, for the requests before the link: all of them go
// over this connection, so that what one of them has verified holds for the next.
import { Agent, type ClientRequest, type RequestOptions, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import {
  certificateOf,
  type LinkTarget,
  type LinkTls,
  openTls,
  type ServerCertificate,
  type TlsSession
} from './link-tls.ts'
import { collectBody } from './read-body.ts'

interface DialOptions {
  target: LinkTarget
  /** Undefined: without TLS. */
  tls: LinkTls | undefined
  /** Milliseconds without data after which the connection ends. */
  timeout: number
  /** Session of the last connection. */
  session?: TlsSession | undefined
  /** A session for the next connection. */
  onSession(session: TlsSession): void
}

export class DialledConnection {
  readonly socket: Socket
  readonly #target: LinkTarget
  readonly #session: TlsSession | undefined
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor({ target, tls, timeout, session, onSession }: DialOptions) {
    this.#target = target
    this.#session = session
    const { host, port, localAddress, lookup } = target
    const socket = tls
      ? openTls(target, tls, session).on('session', (data) => {
          const { certificate } = this
          if (certificate) onSession({ data, certificate })
        })
      : connect({ host, port, ...(localAddress !== undefined && { localAddress }), ...(lookup && { lookup }) })
    socket.setTimeout(timeout, () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })))
    // The requests report its errors. Between two of them there is nobody who waits.
    socket.on('error', () => {})
    this.socket = socket
    let isTaken = false
    this.#agent.createConnection = (_options, done) => {
      const error = isTaken ? Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' }) : null
      isTaken = true
      if (error) done?.(error, socket)
      return error ? undefined : socket
    }
  }

  /** The certificate of the server after the first response; undefined without TLS. */
  get certificate(): ServerCertificate | undefined {
    return this.socket instanceof TLSSocket ? certificateOf(this.socket, this.#target.host, this.#session) : undefined
  }

  /** Starts a request on this connection. Its errors include those of the connection. */
  request(options: RequestOptions): ClientRequest {
    const { host, port } = this.#target
    return request({ host, port, ...options, agent: this.#agent })
  }

  /** Sends a request without a body. @param maxBody bytes. @throws Error if the server does not answer */
  exchange(options: RequestOptions, maxBody: number): Promise<{ status: number; body: Buffer }> {
    return new Promise((resolve, reject) => {
      const asking = this.request(options)
      asking.on('error', reject)
      asking.on('response', (response) => {
        const body = collectBody(response, maxBody, (error) => {
          reject(error)
          this.destroy()
        })
        response.on('error', reject)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: body() }))
      })
      asking.end()
    })
  }

  destroy(): void {
    this.socket.destroy()
    this.#agent.destroy()
  }
}
