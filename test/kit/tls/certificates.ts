// Certificates for tests, made with openssl: authorities, and certificates that they sign.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Both in PEM. */
export interface Pair {
  cert: string
  key: string
}

interface PairOptions {
  name?: string
  /** Alternative names as openssl takes them. */
  names?: string
  issuer?: Pair
  isAuthority?: boolean
  /** Days until it ends. */
  days?: number
  /** Algorithm of the key, as openssl takes it. */
  key?: readonly string[]
}

const EC_KEY = ['EC', '-pkeyopt', 'ec_paramgen_curve:P-256']

/** Makes a certificate with a new key. Without an issuer it is signed with itself. */
export function makePair({
  name = 'hub.test',
  names = `DNS:${name}`,
  issuer,
  isAuthority = false,
  days = 90,
  key = EC_KEY
}: PairOptions = {}): Pair {
  const folder = mkdtempSync(join(tmpdir(), 'headend-pair-'))
  const path = (file: string) => join(folder, file)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    openssl('genpkey', '-algorithm', ...key, '-out', path('key'))
    if (issuer) {
      writeFileSync(path('ca'), issuer.cert)
      writeFileSync(path('ca-key'), issuer.key)
    }
    openssl(
      ...['req', '-x509', '-new', '-config', '/dev/null', '-key', path('key'), '-subj', `/CN=${name}`, '-sha256'],
      ...['-days', String(days), '-out', path('cert')],
      ...(issuer ? ['-CA', path('ca'), '-CAkey', path('ca-key')] : []),
      ...(names ? ['-addext', `subjectAltName=${names}`] : []),
      ...['-addext', `basicConstraints=critical,CA:${isAuthority ? 'TRUE' : 'FALSE'}`]
    )
    return { cert: readFileSync(path('cert'), 'utf8'), key: readFileSync(path('key'), 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A private key that needs a passphrase. */
export function encryptKey(key: string): string {
  return execFileSync('openssl', ['pkcs8', '-topk8', '-v2', 'aes-256-cbc', '-passout', 'pass:secret'], {
    input: key,
    encoding: 'utf8'
  })
}
