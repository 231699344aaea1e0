// How the certificate of the TLS server of an input or output is verified (docs/architecture/streams/certificates.md).
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import type { CheckSettings } from '../../contract/stream/certificate-check.ts'
import type { Verification } from '../interfaces/launcher.ts'

/** The certificates that the system trusts: the file of the package ca-certificates, which GnuTLS reads, too. */
const SYSTEM_CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

/**
 * The verification for the settings of an input or output; undefined if any certificate is accepted.
 * @param host of the URL
 */
export function verificationOf(host: string, settings: CheckSettings): Verification | undefined {
  const { 'certificate-check': check = 'verify', 'trusted-certificates': trusted = '' } = settings
  if (check === 'accept-any') return undefined
  return check === 'own-ca' ? { host, trusted } : { host }
}

/** The options of a TLS connection that Node.js makes itself. */
export function tlsOptions(verification: Verification | undefined): ConnectionOptions {
  if (!verification) return { rejectUnauthorized: false }
  const trusted = verification.trusted ?? readSystemCertificates()
  return { rejectUnauthorized: true, ...(trusted !== undefined && { ca: trusted === '' ? [] : trusted }) }
}

/** Undefined if the package is not installed: Node.js then has a list of its own. */
function readSystemCertificates(): string | undefined {
  try {
    return readFileSync(SYSTEM_CERTIFICATES, 'utf8')
  } catch {
    return undefined
  }
}
