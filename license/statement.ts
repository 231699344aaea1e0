// A licence: a statement about a hub, signed with Ed25519 by the issuer. The file has the statement as base64 text, so that its bytes are
// the ones that were signed.
import { type KeyObject, sign, verify } from 'node:crypto'
import { FREE_LIMITS, type LicenseLimits } from '../contract/license/license.ts'
import { fingerprint } from '../pack/keys.ts'

/** Version of the format. */
const FORMAT = 1
/** Bytes of a licence file that are read. */
export const LICENSE_FILE_MAX = 16 * 1024

export interface LicenseStatement {
  /** Name of the licensee; the `user-name` of the activation. */
  title: string
  /** Serial number: characters A-F and 0-9. */
  sn: string
  /** Machine fingerprint (`machineFingerprint`) of the hub that the licence is for. */
  machine: string
  /** Bits that the licence permits; no meaning is assigned to them yet. */
  permissions: number
  limits: LicenseLimits
  /** Milliseconds since the epoch. */
  issued: number
  /** End of the licence and of maintenance support, in milliseconds since the epoch; 0 = never. */
  expires: number
  'support-end': number
}

/** What a licence server says about a licence. `nonce` is from the request, so that an old answer cannot be repeated. */
export interface ServerStatement {
  nonce: string
  /** Milliseconds since the epoch by the server's clock. */
  time: number
  /** `LICENSE_STATE`. */
  state: number
  /** If `state` is `valid`: the signed `LicenseStatement`. */
  license?: SignedStatement
}

/** A signed text as it is stored and sent. */
export interface SignedStatement {
  format: number
  /** Fingerprint of the public key. */
  key: string
  /** JSON in base64. */
  statement: string
  /** In base64. */
  signature: string
}

/** A licence as the hub stores it. */
export interface StoredLicense {
  signed: SignedStatement
  /** What the licence server said last, and when by the hub's clock; absent for a licence from a file. */
  server?: { state: number; at: number }
}

/** Why a signed statement is refused: it is damaged, its key is unknown, or its signature is wrong. */
export type StatementFault = 'damaged' | 'key-unknown' | 'signature'

export function signStatement(statement: LicenseStatement | ServerStatement, privateKey: KeyObject): SignedStatement {
  const bytes = Buffer.from(JSON.stringify(statement))
  return {
    format: FORMAT,
    key: fingerprint(privateKey),
    statement: bytes.toString('base64'),
    signature: sign(null, bytes, privateKey).toString('base64')
  }
}

/** Verifies the signature and returns the statement as unchecked JSON, or the fault. */
function openStatement(signed: unknown, trusted: readonly KeyObject[]): { value: unknown } | StatementFault {
  const { format, key, statement, signature } = (signed ?? {}) as Partial<SignedStatement>
  if (format !== FORMAT || typeof key !== 'string' || typeof statement !== 'string' || typeof signature !== 'string')
    return 'damaged'
  const publicKey = trusted.find((each) => fingerprint(each) === key)
  if (!publicKey) return 'key-unknown'
  const bytes = Buffer.from(statement, 'base64')
  if (!verify(null, bytes, publicKey, Buffer.from(signature, 'base64'))) return 'signature'
  try {
    return { value: JSON.parse(bytes.toString('utf8')) }
  } catch {
    return 'damaged'
  }
}

const LIMITS = Object.keys(FREE_LIMITS) as (keyof LicenseLimits)[]

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

function isLicense(value: unknown): value is LicenseStatement {
  const { title, sn, machine, permissions, limits, issued, expires, ...rest } = (value ??
    {}) as Partial<LicenseStatement>
  return (
    [title, sn, machine].every((text) => typeof text === 'string' && text !== '') &&
    [permissions, issued, expires, rest['support-end']].every(isCount) &&
    typeof limits === 'object' &&
    limits !== null &&
    LIMITS.every((name) => isCount(limits[name]))
  )
}

/** Opens the text of a licence file, or a stored licence. */
export function openLicense(signed: unknown, trusted: readonly KeyObject[]): LicenseStatement | StatementFault {
  const opened = openStatement(signed, trusted)
  if (typeof opened === 'string') return opened
  return isLicense(opened.value) ? opened.value : 'damaged'
}

/** Opens the answer of a licence server to the request with `nonce`. */
export function openServerStatement(
  signed: unknown,
  trusted: readonly KeyObject[],
  nonce: string
): ServerStatement | StatementFault {
  const opened = openStatement(signed, trusted)
  if (typeof opened === 'string') return opened
  const value = (opened.value ?? {}) as Partial<ServerStatement>
  const isComplete = value.nonce === nonce && isCount(value.time) && Number.isSafeInteger(value.state)
  return isComplete ? (value as ServerStatement) : 'damaged'
}
