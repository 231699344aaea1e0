// The server for HTTPS: HTTP/2, and HTTP/1.1 for WebSockets and for clients without HTTP/2, both on one port.
import { constants } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createSecureServer, type Http2SecureServer, type Http2ServerRequest, type Http2Session } from 'node:http2'

/**
 * A certificate and its private key, both in PEM. `cert` begins with the certificate itself; its issuers follow in
 * their order.
 */
export interface Identity {
  cert: string
  key: string
}

/**
 * Milliseconds until a TLS handshake must be complete, and for which a connection of HTTP/1.1 or HTTP/2 may be idle
 * between requests.
 */
export const TLS_TIMEOUTS = { handshake: 10_000, keepAlive: 5000, idleSession: 60_000 }

/**
 * Requests of one HTTP/2 connection at a time, and bytes of each request body that its client may send before the hub
 * reads them: less for strangers, who make the hub hold this for each request.
 */
export const HTTP2_LIMITS = { streams: 32, strangerWindow: 16_384, knownWindow: 262_144, memory: 2 }

interface SecureServerOptions {
  identity: Identity
  limits: { maxHeaderSize: number; headersTimeout: number; requestTimeout: number; connectionsCheckingInterval: number }
  onRequest(incoming: IncomingMessage, response: ServerResponse): void
}

/** @returns the server, and a function that raises the limits of the connection of an admitted client */
export function createHttpsServer({ identity, limits, onRequest }: SecureServerOptions): Http2SecureServer {
  const server = createSecureServer(
    {
      ...secureOptions(identity),
      allowHTTP1: true,
      handshakeTimeout: TLS_TIMEOUTS.handshake,
      maxSessionMemory: HTTP2_LIMITS.memory,
      settings: {
        maxConcurrentStreams: HTTP2_LIMITS.streams,
        initialWindowSize: HTTP2_LIMITS.strangerWindow,
        maxHeaderListSize: limits.maxHeaderSize
      }
    },
    (request, response) => onRequest(asHttp1(request), response as unknown as ServerResponse)
  )
  // Node reads these properties for connections of HTTP/1.1, as it does those of a plain server.
  Object.assign(server, limits, { keepAliveTimeout: TLS_TIMEOUTS.keepAlive })
  server.on('session', closeWhenIdle)
  // A client that is no TLS client, or does not accept the certificate. Node closes its connection.
  server.on('tlsClientError', () => {})
  server.on('sessionError', () => {})
  return server
}

/** Uses another certificate for new connections. */
export function replaceIdentity(server: Http2SecureServer, identity: Identity): void {
  server.setSecureContext(secureOptions(identity))
}

/** Raises what the client of a request may send, once it has shown that it has a session. */
export function admitSession(incoming: IncomingMessage): void {
  const session = (incoming as unknown as Partial<Http2ServerRequest>).stream?.session
  if (!session || session.destroyed || session.localSettings.initialWindowSize === HTTP2_LIMITS.knownWindow) return
  session.settings({ initialWindowSize: HTTP2_LIMITS.knownWindow })
}

const secureOptions = ({ cert, key }: Identity) => ({
  cert,
  key,
  minVersion: 'TLSv1.2' as const,
  // A client that renegotiates makes the hub calculate again and again.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION
})

/** The compatibility API of Node has the properties that handlers use; only the Host header is in another place. */
function asHttp1(request: Http2ServerRequest | IncomingMessage): IncomingMessage {
  if ('authority' in request && request.httpVersionMajor === 2 && request.authority) {
    // RFC 9113, 8.3.1: `:authority` replaces the header.
    request.headers.host = request.authority
  }
  return request as IncomingMessage
}

function closeWhenIdle(session: Http2Session): void {
  let streams = 0
  session.on('stream', (stream) => {
    streams++
    stream.once('close', () => streams--)
  })
  session.setTimeout(TLS_TIMEOUTS.idleSession, () => {
    // A stream without data for a while, such as a preview, has its own limits.
    if (streams === 0) session.close()
  })
  session.on('error', () => session.destroy())
}
