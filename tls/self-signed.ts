// The certificate that a hub or a node of the cloud makes itself: an EC key (P-256), signed with itself. The program
// openssl assembles the certificate, because Node can read certificates and cannot make them.
import { execFile } from 'node:child_process'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import type { Identity } from '../web-server/secure-server.ts'
import type { TlsFolder } from './folder.ts'

const run = promisify(execFile)

export const OWN_CERTIFICATE = 'own.crt'
export const OWN_KEY = 'own.key'
const NEW_KEY = 'new.key'
const CURVE = 'prime256v1'

/** Days for which the certificate is valid. Some browsers refuse longer ones. */
export const VALID_DAYS = 397
/** Names in a certificate, and milliseconds within which openssl makes it. */
const NAMES_MAX = 64
const TIMEOUT = 10_000

/** The names that a certificate can have, each once: DNS names, and addresses other than `::` and `0.0.0.0`. */
export function usableNames(names: readonly string[]): string[] {
  const plain = names.map((name) => name.toLowerCase().replace(/^\[|\]$|%.*$/g, ''))
  return [...new Set(plain)]
    .filter((name) => (isIP(name) && !/^[0.:]+$/.test(name)) || /^[a-z\d]([\w.-]{0,251}[a-z\d])?$/.test(name))
    .slice(0, NAMES_MAX)
}

/** The key of the previous certificate, so that a pin of it stays valid; a new one if there is none. */
function keyOf(folder: TlsFolder): string {
  try {
    const stored = createPrivateKey(folder.read(OWN_KEY) ?? '')
    if (stored.asymmetricKeyDetails?.namedCurve === CURVE)
      return stored.export({ type: 'pkcs8', format: 'pem' }) as string
  } catch {
    // There is none, or it is damaged.
  }
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: CURVE })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
}

/**
 * Makes and stores a certificate for these names, with the key of the previous one.
 * @throws when openssl is missing or fails
 */
export async function createOwnCertificate(folder: TlsFolder, names: readonly string[]): Promise<Identity> {
  const usable = usableNames(names)
  const key = keyOf(folder)
  folder.write(NEW_KEY, key)
  const alternatives = usable.map((name) => `${isIP(name) ? 'IP' : 'DNS'}:${name}`).join(',')
  // The common name has at most 64 characters. Browsers read the alternative names only.
  const commonName = usable.find((name) => !isIP(name) && name.length <= 64) ?? 'localhost'
  const extensions = [
    `subjectAltName=${alternatives}`,
    'basicConstraints=critical,CA:FALSE',
    'keyUsage=critical,digitalSignature',
    'extendedKeyUsage=serverAuth'
  ].flatMap((extension) => ['-addext', extension])
  const request = ['req', '-x509', '-new', '-config', '/dev/null', '-key', folder.pathOf(NEW_KEY), '-sha256']
  try {
    const { stdout: cert } = await run(
      'openssl',
      [...request, '-days', String(VALID_DAYS), '-subj', `/O=Headend/CN=${commonName}`, ...extensions],
      { timeout: TIMEOUT }
    )
    // The old pair is valid until both are written: a pair that does not match is replaced at the next start.
    folder.write(OWN_KEY, key)
    folder.write(OWN_CERTIFICATE, cert)
    return { cert, key }
  } finally {
    folder.remove(NEW_KEY)
  }
}
