// Answers `GET /link/identity` at the registration port, by which hubs recognize the cloud (contract/cloud/link.ts).
import { X509Certificate } from 'node:crypto'
import type { PeerCertificate, TLSSocket } from 'node:tls'
import { CLOUD_IDENTITY_PATH, type CloudIdentity, IDENTITY_NONCE } from '../../contract/cloud/link.ts'
import { identityText } from '../../contract/cloud/signing.ts'
import type { RequestListener } from '../../device-link/registration-server.ts'
import { pinOf } from '../../tls/identity.ts'
import type { SigningKeys } from '../signing/signing-key.ts'

/** Answers one request of each connection: an answer costs a signature, and strangers can ask for it. */
/** @param node identifier of this node */
export function answerIdentity(signingKeys: SigningKeys, node: string): RequestListener {
  const answered = new WeakSet<object>()
  return ({ method, url = '', socket }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://cloud')
    if (pathname !== CLOUD_IDENTITY_PATH) return false
    const nonce = searchParams.get('nonce') ?? ''
    if (method !== 'GET' || !IDENTITY_NONCE.test(nonce) || answered.has(socket)) {
      response.writeHead(400, { connection: 'close' }).end()
      return true
    }
    answered.add(socket)
    const body = JSON.stringify({ node, ...describe(signingKeys, nonce, socket as Partial<TLSSocket>) })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
    return true
  }
}

/** @param socket over TLS, the certificate of this very connection counts */
function describe(
  { current, chain }: SigningKeys,
  nonce: string,
  socket: Partial<TLSSocket>
): Omit<CloudIdentity, 'node'> {
  const { raw } = (socket.getCertificate?.() ?? {}) as Partial<PeerCertificate>
  const pin = raw ? pinOf(new X509Certificate(raw)) : ''
  const signature = current.sign(Buffer.from(identityText(nonce, pin))).toString('base64')
  return { keys: [...chain], pin, signature }
}
