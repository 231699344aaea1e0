// Device link over TLS, device side: verifies the hub by the pin of its public key, or by the authorities of this
// machine.
import { createHash, X509Certificate } from 'node:crypto'
import { connect, type TLSSocket } from 'node:tls'

export interface LinkTls {
  /**
   * SHA-256 of the hub's public key in base64 (RFC 7469, 2.4). Without it, the certificate must lead to an authority,
   * for the name of the hub.
   */
  pin?: string | undefined
}

interface Target {
  host: string
  port: number
  localAddress: string | undefined
}

/** The pin of a certificate. */
function pinOf(certificate: Buffer): string {
  const spki = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(spki).digest('base64')
}

/** Connects. With a wrong key the connection ends with an error before the device sends anything. */
export function openTls({ host, port, localAddress }: Target, { pin }: LinkTls): TLSSocket {
  const address = localAddress === undefined ? {} : { localAddress }
  if (pin === undefined) return connect({ host, port, servername: host, ...address })
  const socket = connect({ host, port, rejectUnauthorized: false, ...address })
  socket.cork()
  socket.once('secureConnect', () => {
    if (pinOf(socket.getPeerCertificate().raw) !== pin) socket.destroy(new Error('the hub has another key'))
    else socket.uncork()
  })
  return socket
}
