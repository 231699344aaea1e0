// TLS identity of a node towards other nodes: each node makes a key and a certificate when it starts, and its row among
// the nodes has the pin of the key, signed by the cloud. Write access to the database is not enough to add a node: it
// takes the key file, too.
import { X509Certificate } from 'node:crypto'
import { TlsFolder } from '../../tls/folder.ts'
import { pinOf } from '../../tls/identity.ts'
import { createOwnCertificate } from '../../tls/self-signed.ts'

/** What a node says of itself, and the cloud signs. */
export interface NodeClaim {
  id: string
  /** `host:port` at which other nodes reach it. */
  peerAddress: string
  /** SHA-256 of its public key in base64. */
  pin: string
}

export const nodeText = ({ id, peerAddress, pin }: NodeClaim): string => `headend-node/1\n${id}\n${peerAddress}\n${pin}`

export interface NodeIdentity {
  cert: string
  key: string
  pin: string
}

/** Makes a key and a certificate, of which nothing stays on the disk. @throws if openssl is missing */
export async function createNodeIdentity(id: string): Promise<NodeIdentity> {
  const folder = new TlsFolder(':memory:')
  try {
    const { cert, key } = await createOwnCertificate(folder, [`${id}.node`])
    return { cert, key, pin: pinOf(new X509Certificate(cert)) }
  } finally {
    folder.close()
  }
}
