// Certificates for tests, made with openssl: authorities, and certificates that they sign.
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pinOf } from '../../../tls/identity.ts'

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
  /** First and last second, such as `20200101000000Z`, instead of `days`. Needs an issuer. */
  validity?: readonly [from: string, until: string]
  /** Algorithm of the key, as openssl takes it. */
  key?: readonly string[]
}

const EC_KEY = ['EC', '-pkeyopt', 'ec_paramgen_curve:P-256']

/** The pin of the public key of a certificate (RFC 7469, 2.4). */
export const pinOfPem = (cert: string): string => pinOf(new X509Certificate(cert))

/** Makes a certificate with a new key. Without an issuer it is signed with itself. */
export function makePair({
  name = 'hub.test',
  names = `DNS:${name}`,
  issuer,
  isAuthority = false,
  days = 90,
  validity,
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
    if (validity) {
      const [from, until] = validity
      writeFileSync(path('config'), authorityConfig(folder))
      writeFileSync(path('index'), '')
      writeFileSync(path('serial'), '01')
      openssl(
        ...['req', '-new', '-config', '/dev/null', '-key', path('key'), '-subj', `/CN=${name}`],
        ...['-addext', `subjectAltName=${names}`, '-out', path('request')]
      )
      openssl(
        ...['ca', '-batch', '-notext', '-config', path('config'), '-cert', path('ca'), '-keyfile', path('ca-key')],
        ...['-startdate', from, '-enddate', until, '-in', path('request'), '-out', path('cert')]
      )
      return { cert: readFileSync(path('cert'), 'utf8'), key: readFileSync(path('key'), 'utf8') }
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

/** Configuration of `openssl ca`, which can sign for a time in the past. */
const authorityConfig = (folder: string) => `
[ca]
default_ca = own
[own]
database = ${folder}/index
serial = ${folder}/serial
new_certs_dir = ${folder}
default_md = sha256
copy_extensions = copy
policy = any
[any]
commonName = supplied
`

/** A private key that needs a passphrase. */
export function encryptKey(key: string): string {
  return execFileSync('openssl', ['pkcs8', '-topk8', '-v2', 'aes-256-cbc', '-passout', 'pass:secret'], {
    input: key,
    encoding: 'utf8'
  })
}
