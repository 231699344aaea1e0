// Device link over TLS, on the side that dials: verifies the server by the pin of its public key, by the authorities of
// this machine, or by what it says afterwards.
import { X509Certificate } from 'node:crypto'
import { isIP, type LookupFunction } from 'node:net'
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import { pinOf } from '../tls/identity.ts'
import { trustedAuthorities } from '../tls/trust.ts'

export interface LinkTls {
  /**
   * SHA-256 of the server's public key in base64 (RFC 7469, 2.4). Without it, the certificate must lead to an
   * authority, for the name of the server.
   */
  pin?: string | undefined
  /** Accepts any certificate: `LinkOptions.verify` decides before the hello is sent. */
  isVerifiedLater?: boolean
  /** PEM certificates of trusted authorities instead of those of the machine; for tests. */
  authorities?: readonly string[] | undefined
}

export interface LinkTarget {
  host: string
  port: number
  localAddress?: string | undefined
  lookup?: LookupFunction | undefined
}

/** The certificate that a server has shown. */
export interface ServerCertificate {
  /** SHA-256 of its public key in base64. */
  pin: string
  /** Whether it leads to an authority that this machine trusts, for the name of the server. */
  isTrusted: boolean
}

/** A session that makes the handshake of the next connection shorter, if the server still knows it. */
export interface TlsSession {
  data: Buffer
  /** The certificate of the connection that began the session: the server shows none when it is resumed. */
  certificate: ServerCertificate
}

/** Reading all authorities takes a while, so it is done once. */
let contextOfMachine: SecureContext | undefined

function contextOf(authorities: readonly string[] | undefined): SecureContext {
  if (authorities) return createSecureContext({ ca: [...authorities] })
  contextOfMachine ??= createSecureContext({ ca: trustedAuthorities() })
  return contextOfMachine
}

/**
 * Connects. With a wrong key the connection ends with an error before anything is sent.
 * @param session of the last connection to this server
 */
export function openTls(
  { host, port, localAddress, lookup }: LinkTarget,
  { pin, isVerifiedLater = false, authorities }: LinkTls,
  session?: TlsSession
): TLSSocket {
  const socket = connect({
    ...{ host, port, secureContext: contextOf(authorities), rejectUnauthorized: pin === undefined && !isVerifiedLater },
    // An address is no server name of TLS.
    ...(isIP(host) === 0 && { servername: host }),
    ...(localAddress !== undefined && { localAddress }),
    ...(lookup && { lookup }),
    ...(session && { session: session.data })
  })
  if (pin === undefined) return socket
  socket.cork()
  socket.once('secureConnect', () => {
    if (certificateOf(socket, host, session)?.pin !== pin) socket.destroy(new Error('the hub has another key'))
    else socket.uncork()
  })
  return socket
}

/** The certificate of the server, once the handshake is complete. @param session with which it was begun */
export function certificateOf(
  socket: TLSSocket,
  host: string,
  session: TlsSession | undefined
): ServerCertificate | undefined {
  if (socket.isSessionReused()) return session?.certificate
  // Node returns `getPeerX509Certificate` once only (24.21).
  const { raw } = socket.getPeerCertificate()
  if (!raw) return undefined
  const certificate = new X509Certificate(raw)
  const name = isIP(host) === 0 ? certificate.checkHost(host, { subject: 'never' }) : certificate.checkIP(host)
  return { pin: pinOf(certificate), isTrusted: socket.authorized && name !== undefined }
}
