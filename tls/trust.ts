// Whether browsers that trust the same authorities as this machine accept a certificate: a TLS handshake with it in
// this process.
import { duplexPair } from 'node:stream'
import { connect, createSecureContext, getCACertificates, TLSSocket } from 'node:tls'
import type { Identity } from '../web-server/secure-server.ts'

/** Milliseconds for the handshake. */
const TIMEOUT = 5000

/** The authorities that Node has built in, and those of the machine. */
export const trustedAuthorities = () => [...new Set([...getCACertificates('default'), ...getCACertificates('system')])]

/**
 * @param name of the certificate for which it is checked
 * @param authorities PEM certificates that are trusted
 */
export function isChainTrusted(
  { cert, key }: Identity,
  name: string,
  authorities: readonly string[] = trustedAuthorities()
): Promise<boolean> {
  return new Promise((resolve) => {
    const [clientEnd, serverEnd] = duplexPair()
    const server = new TLSSocket(serverEnd as never, {
      isServer: true,
      secureContext: createSecureContext({ cert, key })
    })
    const client = connect({
      socket: clientEnd as never,
      // An address is no server name of TLS.
      ...(/^[\d.]+$|:/.test(name) ? { host: name } : { servername: name }),
      ca: [...authorities],
      rejectUnauthorized: false
    })
    const timer = setTimeout(() => settle(false), TIMEOUT)
    function settle(isTrusted: boolean): void {
      clearTimeout(timer)
      client.destroy()
      server.destroy()
      resolve(isTrusted)
    }
    server.on('error', () => settle(false))
    client.on('error', () => settle(false))
    client.on('secureConnect', () => settle(client.authorized))
  })
}
