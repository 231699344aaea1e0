// The certificate that the hub makes itself: an EC key (P-256), signed with itself. The program openssl assembles the certificate, because
// Node can read certificates and cannot make them.
import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import type { TlsFolder } from './folder.ts'
import type { Identity } from './identity.ts'

const run = promisify(execFile)

export const OWN_CERTIFICATE = 'own.crt'
export const OWN_KEY = 'own.key'
const NEW_KEY = 'new.key'

/** Days for which the certificate is valid. Some browsers refuse longer ones. */
export const VALID_DAYS = 397
/** Names in a certificate, and milliseconds within which openssl makes it. */
const NAMES_MAX = 64
const TIMEOUT = 10_000

/** The names that a certificate can have, each once: DNS names and addresses. */
export function usableNames(names: readonly string[]): string[] {
  const plain = names.map((name) => name.toLowerCase().replace(/^\[|\]$|%.*$/g, ''))
  return [...new Set(plain)]
    .filter((name) => isIP(name) || /^[a-z\d]([\w.-]{0,251}[a-z\d])?$/.test(name))
    .slice(0, NAMES_MAX)
}

/**
 * Makes and stores a certificate for these names.
 * @throws when openssl is missing or fails
 */
export async function createOwnCertificate(folder: TlsFolder, names: readonly string[]): Promise<Identity> {
  const usable = usableNames(names)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
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
