// A certificate with its private key: checks whether both can serve HTTPS, and describes them.
import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { certificate as certificateRule, privateKey as privateKeyRule } from '../contract/rules/file.ts'
import type { CertificateFault, CertificateInfo, KeyFault } from '../contract/web/certificate.ts'
import type { Identity } from '../web-server/secure-server.ts'

/** The certificate or the key cannot be used. */
export class CertificateError extends Error {
  readonly of: 'certificate' | 'key'
  readonly fault: CertificateFault | KeyFault

  constructor(of: 'certificate', fault: CertificateFault)
  constructor(of: 'key', fault: KeyFault)
  constructor(of: 'certificate' | 'key', fault: CertificateFault | KeyFault) {
    super(`The ${of} cannot be used: ${fault}`)
    this.of = of
    this.fault = fault
  }
}

const CERTIFICATE_BLOCK =
  /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[\s\S]+?-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g
const hasPrivateKey = (text: string) => /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)
const hasCertificate = (text: string) => /-----BEGIN [A-Z0-9 ]*CERTIFICATE-----/.test(text)

/** The pin of a public key (RFC 7469, 2.4). */
export const pinOf = ({ publicKey }: X509Certificate) =>
  createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')

/** Milliseconds since the epoch. */
const endOf = ({ validToDate }: X509Certificate) => validToDate.getTime()
const beginningOf = ({ validFromDate }: X509Certificate) => validFromDate.getTime()

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate) =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

/**
 * Puts a certificate before its issuers. A file may have them in another order. @throws CertificateError `chain` if one
 * is no issuer of another
 */
function orderChain(certificates: readonly X509Certificate[]): X509Certificate[] {
  const isIssuer = (certificate: X509Certificate) =>
    certificates.some((other) => other !== certificate && isIssuedBy(other, certificate))
  const leaf = certificates.find((certificate) => !isIssuer(certificate))
  const chain: X509Certificate[] = []
  for (let next = leaf; next && !chain.includes(next); ) {
    chain.push(next)
    const { length } = chain
    next = certificates.find(
      (other) => !chain.includes(other) && isIssuedBy(chain[length - 1] as X509Certificate, other)
    )
  }
  if (chain.length < certificates.length) throw new CertificateError('certificate', 'chain')
  return chain
}

/**
 * Reads a certificate with its issuers.
 * @returns the certificate first, then its issuers in their order
 * @throws CertificateError
 */
export function readChain(text: string): X509Certificate[] {
  if (certificateRule(text)) {
    const isKey = hasPrivateKey(text) && !hasCertificate(text)
    throw new CertificateError('certificate', isKey ? 'key-instead' : 'certificate')
  }
  // A file with a key besides must not be kept where certificates are.
  if (hasPrivateKey(text)) throw new CertificateError('certificate', 'key-instead')
  let certificates: X509Certificate[]
  try {
    certificates = (text.match(CERTIFICATE_BLOCK) ?? []).map((block) => new X509Certificate(block))
  } catch {
    throw new CertificateError('certificate', 'unreadable')
  }
  const distinct = [...new Map(certificates.map((each) => [each.fingerprint256, each])).values()]
  return orderChain(distinct)
}

/** @throws CertificateError */
export function readKey(text: string): KeyObject {
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(text))
    throw new CertificateError('key', 'encrypted')
  if (privateKeyRule(text)) {
    const isCertificate = hasCertificate(text) && !hasPrivateKey(text)
    throw new CertificateError('key', isCertificate ? 'certificate-instead' : 'private-key')
  }
  try {
    return createPrivateKey(text)
  } catch {
    throw new CertificateError('key', 'unreadable')
  }
}

/** The names and addresses for which a certificate is valid. */
export function namesOf({ subjectAltName = '' }: X509Certificate): string[] {
  return [...subjectAltName.matchAll(/(?:DNS|IP Address):("[^"]*"|[^,]+)/g)].map(([, name = '']) =>
    name.replaceAll('"', '').trim()
  )
}

/**
 * Checks whether a certificate and a key can serve HTTPS together.
 * @param now milliseconds since the epoch
 * @throws CertificateError
 */
export function checkIdentity(certText: string, keyText: string, now: number): Identity {
  const [leaf, ...issuers] = readChain(certText)
  const key = readKey(keyText)
  if (!leaf) throw new CertificateError('certificate', 'certificate')
  if (!leaf.checkPrivateKey(key)) throw new CertificateError('key', 'mismatch')
  if ([leaf, ...issuers].some((each) => endOf(each) <= now)) throw new CertificateError('certificate', 'expired')
  if (beginningOf(leaf) > now) throw new CertificateError('certificate', 'not-yet-valid')
  if (namesOf(leaf).length === 0) throw new CertificateError('certificate', 'no-name')
  const cert = [leaf, ...issuers].map(String).join('')
  try {
    // Also refuses keys and signatures that are too weak for TLS.
    createSecureContext({ cert, key: keyText })
  } catch {
    throw new CertificateError('certificate', 'refused')
  }
  return { cert, key: keyText }
}

/** A distinguished name on one line. */
const oneLine = (name: string) => name.split('\n').reverse().join(', ')

/** Describes a certificate with its issuers. */
export function describeChain(
  [leaf, ...issuers]: readonly X509Certificate[],
  added: Pick<CertificateInfo, 'self-signed' | 'trusted'>
): CertificateInfo | undefined {
  if (!leaf) return undefined
  return {
    ...added,
    names: namesOf(leaf),
    subject: oneLine(leaf.subject ?? ''),
    issuer: oneLine(leaf.issuer ?? ''),
    'not-before': beginningOf(leaf),
    'not-after': endOf(leaf),
    fingerprint: leaf.fingerprint256,
    'key-pin': pinOf(leaf),
    chain: issuers.map((each) => ({
      subject: oneLine(each.subject ?? ''),
      issuer: oneLine(each.issuer ?? ''),
      'not-after': endOf(each)
    }))
  }
}
