// Header and name of firmware files: model, hardware and version. `.mwf` is a private format of the vendor, so for
// vendor files only the file name is parsed. Files for demo devices start with a header of this project (docs/mwf.md):
//   14 bytes `HEADEND-MWF-1\n`, 4 bytes length of the JSON (big-endian), JSON of a `MwfHeader` in ASCII, then the
//   payload
import type { FirmwareInfo } from './firmware.ts'

export const MWF_MAGIC = 'HEADEND-MWF-1\n'
/** Maximum bytes of the JSON, and of the whole header. */
const JSON_MAX = 4096
export const MWF_HEADER_MAX = MWF_MAGIC.length + 4 + JSON_MAX

export interface MwfHeader {
  'product-id': number
  /** Model name as reported by devices. */
  'product-name': string
  /** One letter. */
  'hardware-ver': string
  /** `major.minor.build` */
  version: string
  /** Seconds since the epoch. */
  'build-time': number
  test: boolean
  /** Size of the payload in bytes, and its SHA-256 in hex. */
  size: number
  sha256: string
}

const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/

/** Numbers of a version `major.minor.build`; undefined if the text is not a version. */
export function parseVersion(text: string): [number, number, number] | undefined {
  const match = VERSION.exec(text)
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined
}

/** Negative if `a` is older than `b`. An invalid version counts as 0.0.0. */
export function compareVersions(a: string, b: string): number {
  const validVersion = (text: string) => (VERSION.test(text) ? text : '0.0.0')
  return validVersion(a).localeCompare(validVersion(b), 'en', { numeric: true })
}

export function formatVersion(info: Pick<FirmwareInfo, 'marjor-ver' | 'minor-ver' | 'build-number'>): string {
  return `${info['marjor-ver']}.${info['minor-ver']}.${info['build-number']}`
}

/** Model name in the form used in file names: `ultra_stream_sdi`. */
export function modelKey(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}

/**
 * Whether a firmware is compatible with a device: same hardware letter, and same product id, or same model name if the
 * file has no id.
 */
export function fitsDevice(
  info: Pick<FirmwareInfo, 'product-id' | 'product-name' | 'hardware-ver'>,
  device: { 'product-id': number; 'module-name': string; 'hardware-ver': string }
): boolean {
  const isSameModel =
    info['product-id'] > 0
      ? info['product-id'] === device['product-id']
      : modelKey(info['product-name']) === modelKey(device['module-name'])
  return isSameModel && info['hardware-ver'] === device['hardware-ver']
}

/** Parses a vendor file name such as `ultra_stream_sdi_rev_a_1_5_79.mwf`; undefined if it does not have this form. */
export function parseFirmwareFileName(name: string): FirmwareInfo | undefined {
  const match = /^([a-z0-9]+(?:_[a-z0-9]+)*)_rev_([a-z])_(\d{1,9})_(\d{1,9})_(\d{1,9})\.mwf$/i.exec(name)
  if (!match) return undefined
  const [, model = '', letter = '', major, minor, build] = match
  return {
    'product-id': 0,
    'product-name': model.replaceAll('_', ' '),
    'firmware-id': 0,
    'marjor-ver': Number(major),
    'minor-ver': Number(minor),
    'build-number': Number(build),
    'build-time': 0,
    'hardware-ver': letter.toUpperCase()
  }
}

export function firmwareInfoFromHeader(header: MwfHeader): FirmwareInfo {
  const [major, minor, build] = parseVersion(header.version) ?? [0, 0, 0]
  return {
    'product-id': header['product-id'],
    'product-name': header['product-name'],
    'firmware-id': header.test ? 1 : 0,
    'marjor-ver': major,
    'minor-ver': minor,
    'build-number': build,
    'build-time': header['build-time'],
    'hardware-ver': header['hardware-ver']
  }
}

function decodeAscii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

function isValidHeader(value: Partial<Record<keyof MwfHeader, unknown>> | null): boolean {
  if (typeof value !== 'object' || value === null) return false
  const isUnsigned = (number: unknown) => Number.isSafeInteger(number) && (number as number) >= 0
  const { 'product-id': id, 'product-name': name, 'hardware-ver': hardware, version, test, size, sha256 } = value
  return (
    isUnsigned(id) &&
    typeof name === 'string' &&
    /^[\x20-\x7e]{1,64}$/.test(name) &&
    typeof hardware === 'string' &&
    /^[A-Z]$/.test(hardware) &&
    typeof version === 'string' &&
    parseVersion(version) !== undefined &&
    isUnsigned(value['build-time']) &&
    typeof test === 'boolean' &&
    isUnsigned(size) &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256)
  )
}

/**
 * Parses the header of a firmware file. The first `MWF_HEADER_MAX` bytes are sufficient.
 * @returns the header and its length in bytes; `foreign` for a file without the magic; `broken` for an invalid header
 */
export function parseMwfHeader(bytes: Uint8Array): { header: MwfHeader; length: number } | 'foreign' | 'broken' {
  if (decodeAscii(bytes.subarray(0, MWF_MAGIC.length)) !== MWF_MAGIC) return 'foreign'
  const jsonStart = MWF_MAGIC.length + 4
  if (bytes.length < jsonStart) return 'broken'
  const size = bytes.subarray(MWF_MAGIC.length, jsonStart).reduce((sum, byte) => sum * 256 + byte, 0)
  if (size > JSON_MAX || bytes.length < jsonStart + size) return 'broken'
  try {
    const header = JSON.parse(decodeAscii(bytes.subarray(jsonStart, jsonStart + size)))
    return isValidHeader(header) ? { header, length: jsonStart + size } : 'broken'
  } catch {
    return 'broken'
  }
}

/** Encodes a header. @throws Error for a header that `parseMwfHeader` would reject */
export function encodeMwfHeader(header: MwfHeader): Uint8Array<ArrayBuffer> {
  const json = JSON.stringify(header)
  if (!isValidHeader(header) || json.length > JSON_MAX) throw new Error('Invalid firmware file header')
  const size = [24, 16, 8, 0].map((shift) => (json.length >>> shift) & 0xff)
  const bytes = (text: string) => [...text].map((character) => character.charCodeAt(0))
  return new Uint8Array([...bytes(MWF_MAGIC), ...size, ...bytes(json)])
}
