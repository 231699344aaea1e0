// A licence: a statement about a hub, signed with Ed25519 by the issuer. The file has the statement as base64 text, so
// that its bytes are the ones that were signed.
import { type KeyObject, sign, verify } from 'node:crypto'
import { FREE_LIMITS, type LicenseLimits } from '../contract/license/license.ts'
import { LICENSE_TITLE_MAX } from '../contract/limits.ts'
import { licenseSerial } from '../contract/rules/account.ts'
import { fingerprint } from '../pack/keys.ts'

/** Version of the format. */
const FORMAT = 1
/** Bytes of a licence file that are read. */
export const LICENSE_FILE_MAX = 16 * 1024

export interface LicenseStatement {
  /** Name of the licensee, 1-64 characters; the `user-name` of the activation. */
  title: string
  /** Serial number: 1-64 characters A-F and 0-9. */
  sn: string
  /** Machine fingerprint (`machineFingerprint`) of the hub that the licence is for. */
  machine: string
  /** `LICENSE_PERMISSION` bits. */
  permissions: number
  limits: LicenseLimits
  /** Milliseconds since the epoch. */
  issued: number
  /** End of the licence and of maintenance support, in milliseconds since the epoch; 0 = never. */
  expires: number
  'support-end': number
}

/** Answer of a licence server. `nonce` is from the request, so that an old answer cannot be repeated. */
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
  /**
   * Last answer of the licence server: the state, the time by the hub's clock, and the time by the server's clock.
   * Absent for a licence from a file.
   */
  server?: { state: number; at: number; time?: number }
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

/** Greatest number of a limit. */
export const LIMIT_MAX = 999_999_999
/** Greatest time of a date, in milliseconds since the epoch (ECMAScript, "Time Range"). */
const TIME_MAX = 8.64e15
const PERMISSIONS_MAX = 0xffffffff
/** A machine fingerprint. */
export const MACHINE = /^[0-9a-f]{32}$/

const isWholeNumber = (value: unknown, max: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max
const isTime = (value: unknown) => isWholeNumber(value, TIME_MAX)

/** Whether a text can be the title of a licence. */
export const isTitle = (title: unknown): title is string =>
  typeof title === 'string' && title !== '' && title.trim() === title && title.length <= LICENSE_TITLE_MAX

function isLicense(value: unknown): value is LicenseStatement {
  const { title, sn, machine, permissions, limits, issued, expires, ...rest } = (value ??
    {}) as Partial<LicenseStatement>
  return (
    isTitle(title) &&
    typeof sn === 'string' &&
    licenseSerial(sn) === undefined &&
    typeof machine === 'string' &&
    MACHINE.test(machine) &&
    isWholeNumber(permissions, PERMISSIONS_MAX) &&
    [issued, expires, rest['support-end']].every(isTime) &&
    typeof limits === 'object' &&
    limits !== null &&
    LIMITS.every((name) => isWholeNumber(limits[name], LIMIT_MAX))
  )
}

/** Opens the text of a licence file, or a stored licence. */
export function openLicense(signed: unknown, trusted: readonly KeyObject[]): LicenseStatement | StatementFault {
  const opened = openStatement(signed, trusted)
  if (typeof opened === 'string') return opened
  if (!isLicense(opened.value)) return 'damaged'
  const { title, sn, machine, permissions, limits, issued, expires, 'support-end': supportEnd } = opened.value
  // Fields that are not known are left out.
  const knownLimits = Object.fromEntries(LIMITS.map((name) => [name, limits[name]])) as unknown as LicenseLimits
  return { title, sn, machine, permissions, limits: knownLimits, issued, expires, 'support-end': supportEnd }
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
  const isComplete = value.nonce === nonce && isTime(value.time) && Number.isSafeInteger(value.state)
  return isComplete ? (value as ServerStatement) : 'damaged'
}
