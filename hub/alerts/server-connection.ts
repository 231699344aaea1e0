// Connections to servers of destinations, under the address policy, with the certificate check of the destination.
import { connect, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, createSecureContext, type SecureContext } from 'node:tls'
import type { CheckSettings } from '../../contract/stream/certificate-check.ts'
import { trustedAuthorities } from '../../tls/trust.ts'
import { resolveServer } from '../machine/server-address.ts'

/** Made once, because reading all authorities takes time. */
let contextOfMachine: SecureContext | undefined

/** TLS options for a server. They check its name, not the address that a lookup has returned. */
export function tlsOptions(host: string, settings: CheckSettings): ConnectionOptions {
  const { 'certificate-check': check = 'verify', 'trusted-certificates': trusted = '' } = settings
  // TLS does not allow an address as server name (RFC 6066, 3).
  const name = isIP(host) === 0 ? { servername: host } : { host }
  if (check === 'accept-any') return { ...name, rejectUnauthorized: false }
  if (check === 'own-ca') return { ...name, secureContext: createSecureContext({ ca: trusted }) }
  contextOfMachine ??= createSecureContext({ ca: trustedAuthorities() })
  return { ...name, secureContext: contextOfMachine }
}

/**
 * Connects to a server at the address that the policy has checked.
 * @param tls undefined: the connection is not encrypted
 * @throws ForbiddenServerError; Error with a system code, or with the code of the certificate's fault
 */
export async function openServerConnection(
  { host, port, tls }: { host: string; port: number; tls?: ConnectionOptions | undefined },
  signal: AbortSignal
): Promise<Socket> {
  const address = await resolveServer(host)
  signal.throwIfAborted()
  const socket = tls ? connectTls({ ...tls, host: address, port }) : connect({ host: address, port })
  return new Promise((resolve, reject) => {
    const handleAbort = () => socket.destroy(signal.reason)
    signal.addEventListener('abort', handleAbort, { once: true })
    socket.once('error', reject)
    socket.once('close', () => signal.removeEventListener('abort', handleAbort))
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      socket.off('error', reject)
      signal.removeEventListener('abort', handleAbort)
      resolve(socket)
    })
  })
}
