// Rules for files before an upload. The hub validates their content: it parses the header of a firmware file, and loads
// certificates and keys with the platform's own parser.
import { FIRMWARE_SPACE_MIN, type FirmwareInfo } from '../firmware.ts'
import { PEM_MAX, TRUSTED_CERTIFICATES_MAX } from '../limits.ts'
import { compareVersions, fitsDevice } from '../mwf.ts'
import { type Fault, required } from './rules.ts'

/** Name of a firmware file: a name that ends with `.mwf`, ignoring case. */
export function firmwareFile(name: string): Fault | undefined {
  return required(name) ?? (/[^/\\.]\.mwf$/i.test(name) ? undefined : { name: 'file' })
}

/** Free space for a firmware upload: at least 50 MB (1 MB = 1,048,576 bytes). @param bytes free space in bytes */
export function freeSpace(bytes: number): Fault | undefined {
  return bytes >= FIRMWARE_SPACE_MIN * 2 ** 20 ? undefined : { name: 'space', min: FIRMWARE_SPACE_MIN }
}

/** Makes a rule: a firmware is compatible with a device (model and hardware). */
export function compatibleWith(device: Parameters<typeof fitsDevice>[1]) {
  return (firmware: Pick<FirmwareInfo, 'product-id' | 'product-name' | 'hardware-ver'>): Fault | undefined =>
    fitsDevice(firmware, device) ? undefined : { name: 'model' }
}

/** A question that the user must confirm before a version is installed. Versions are `major.minor.build`. */
export interface DowngradePrompt {
  name: 'lower-version'
  from: string
  to: string
}

/**
 * The question to ask before version `to` replaces version `from`; undefined for the same or a higher version. A
 * downgrade can lose data and settings, so the hub refuses it with 1009 (data loss) without `force`.
 */
export function downgradePrompt(from: string, to: string): DowngradePrompt | undefined {
  return compareVersions(to, from) < 0 ? { name: 'lower-version', from, to } : undefined
}

/**
 * Whether a text has a PEM block (RFC 7468) with one of the labels, and all its blocks are complete. Text around
 * blocks is allowed.
 */
function isPem(text: string, labels: readonly string[]): boolean {
  let open: string | undefined
  let hasMatch = false
  for (const raw of text.split('\n')) {
    const line = raw.trimEnd()
    const [, edge, label] = /^-----(BEGIN|END) ([A-Z0-9 ]{1,40})-----$/.exec(line) ?? []
    if (edge === 'BEGIN') {
      if (open !== undefined) return false
      open = label
    } else if (edge === 'END') {
      if (open === undefined || open !== label) return false
      hasMatch ||= labels.includes(open)
      open = undefined
    } else if (open !== undefined && !/^[A-Za-z0-9+/]{1,76}={0,2}$/.test(line)) return false
  }
  return hasMatch && open === undefined
}

/** CA certificate or certificate chain: PEM, at most 64 KB. Checks the format only. */
export function certificate(text: string): Fault | undefined {
  const valid = text.length <= PEM_MAX && isPem(text, ['CERTIFICATE', 'X509 CERTIFICATE', 'TRUSTED CERTIFICATE'])
  return required(text) ?? (valid ? undefined : { name: 'certificate' })
}

/**
 * Trusted certificates of an input or output: PEM with certificates and nothing else, so that no private key is stored
 * with them. Checks the format only.
 */
export function trustedCertificates(text: string): Fault | undefined {
  if (text.length > TRUSTED_CERTIFICATES_MAX) return { name: 'length', min: 1, max: TRUSTED_CERTIFICATES_MAX }
  const valid = isPem(text, ['CERTIFICATE']) && !/-----BEGIN (?!CERTIFICATE-----)/.test(text)
  return required(text) ?? (valid ? undefined : { name: 'certificate' })
}

/**
 * Private key: PEM, at most 64 KB, not encrypted, because the hub cannot ask for a passphrase when it starts. Checks
 * the format only.
 */
export function privateKey(text: string): Fault | undefined {
  const valid = text.length <= PEM_MAX && isPem(text, ['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY'])
  return required(text) ?? (valid ? undefined : { name: 'private-key' })
}
