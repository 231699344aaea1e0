// The port at which other nodes make requests over the links of this one. It accepts nodes alone: a row
// among the nodes must have the public key of the client's certificate.
import { X509Certificate } from 'node:crypto'
import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Link } from '../../device-link/link.ts'
import { logger } from '../../process-log/logger.ts'
import { pinOf } from '../../tls/identity.ts'
import type { NodeIdentity } from './node-identity.ts'
import { passOn } from './pass-on.ts'
import { HUB_HEADER, NO_LINK, PING_HEADER } from './remote-link.ts'

/** Milliseconds for a TLS handshake. */
const HANDSHAKE_TIMEOUT = 5000
/** Connections at a time. */
const CONNECTIONS_MAX = 1024
/**
 * Settings of a connection between nodes, at both ends: many hubs share it, so only the windows of their streams limit
 * what each of them sends. Megabytes for Node's buffers and headers, by default 10, would limit the streams.
 */
export const NODE_CONNECTION = { settings: { initialWindowSize: 256 << 10, enablePush: false }, maxSessionMemory: 1024 }
export const CONNECTION_WINDOW = 2 ** 31 - 1

interface NodeServerOptions {
  identity: NodeIdentity
  /** Whether the public key with a pin is that of a node that runs. */
  isNode(pin: string): boolean
  /** A client has an unknown key: it may be a node that has just started. */
  onUnknown(): void
  /** The link of a hub at this node. */
  linkOf(organisation: string, sn: string): Link | undefined
}

export class NodeServer {
  readonly #options: NodeServerOptions
  readonly #server: Http2SecureServer
  readonly #sessions = new Set<ServerHttp2Session>()

  constructor(options: NodeServerOptions) {
    this.#options = options
    const { cert, key } = options.identity
    this.#server = createSecureServer({
      ...{ cert, key, minVersion: 'TLSv1.3', handshakeTimeout: HANDSHAKE_TIMEOUT, ...NODE_CONNECTION },
      // No authority signs the certificates of nodes: `#accept` compares the key.
      ...{ requestCert: true, rejectUnauthorized: false }
    })
    this.#server.maxConnections = CONNECTIONS_MAX
    this.#server.on('error', (error) => logger.error('Port for nodes', error))
    this.#server.on('session', (session) => this.#accept(session))
    this.#server.on('stream', (stream, headers, flags) => this.#answer(stream, headers, flags))
  }

  /** @param host undefined: all addresses. @throws if the port is in use */
  listen(port: number, host: string | undefined): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject)
        resolve((this.#server.address() as AddressInfo).port)
      })
    })
  }

  close(): Promise<void> {
    for (const session of this.#sessions) session.destroy()
    return new Promise((resolve) => void this.#server.close(() => resolve()))
  }

  #accept(session: ServerHttp2Session): void {
    session.on('error', () => {})
    const { raw } = (session.socket as TLSSocket).getPeerCertificate()
    const pin = raw ? pinOf(new X509Certificate(raw)) : undefined
    if (pin === undefined || !this.#options.isNode(pin)) {
      session.destroy()
      if (pin !== undefined) this.#options.onUnknown()
      return
    }
    this.#sessions.add(session)
    session.on('close', () => this.#sessions.delete(session))
    session.setLocalWindowSize(CONNECTION_WINDOW)
  }

  #answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number): void {
    stream.on('error', () => {})
    const { [HUB_HEADER]: hub = '', [PING_HEADER]: timeout, ...rest } = headers
    const [organisation = '', sn = ''] = String(hub).split('/')
    const link = this.#options.linkOf(organisation, sn)
    if (!link) return void stream.close(NO_LINK)
    if (timeout === undefined)
      return void passOn(stream, rest, { endStream: (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0 }, link)
    void link.respondsWithin(Number(timeout)).then((responds) => {
      if (!responds) link.end('it does not respond')
      if (!stream.destroyed) stream.respond({ ':status': responds ? 204 : 504 }, { endStream: true })
    })
  }
}
