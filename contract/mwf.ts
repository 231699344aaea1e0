// Firmware files: what they are for, and which version they bring. `.mwf` is the vendor's private format: of its files only the name is
// read. Files for demo devices begin with a header of ours (docs/mwf.md):
//   14 bytes `HEADEND-MWF-1\n`, 4 bytes big-endian: the length of what follows, JSON of a `MwfHeader` in ASCII, then the payload
import type { FirmwareInfo } from './firmware.ts'

export const MWF_MAGIC = 'HEADEND-MWF-1\n'
/** Bytes of the JSON at most, and of all that must be read to know the header. */
const JSON_MAX = 4096
export const MWF_HEAD_MAX = MWF_MAGIC.length + 4 + JSON_MAX

export interface MwfHeader {
  'product-id': number
  /** Model, as devices say it. */
  'product-name': string
  /** One letter. */
  'hardware-ver': string
  /** `major.minor.build` */
  version: string
  /** Seconds since the epoch. */
  'build-time': number
  test: boolean
  /** Of the payload: bytes, and SHA-256 in hex. */
  size: number
  sha256: string
}

const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/

/** Numbers of a version; undefined for what is none. */
export function versionOf(text: string): [number, number, number] | undefined {
  const match = VERSION.exec(text)
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined
}

/** Less than 0 where `a` is the older one. What is no version counts as 0.0.0. */
export function compareVersions(a: string, b: string): number {
  const known = (text: string) => (VERSION.test(text) ? text : '0.0.0')
  return known(a).localeCompare(known(b), 'en', { numeric: true })
}

export function versionText(info: Pick<FirmwareInfo, 'marjor-ver' | 'minor-ver' | 'build-number'>): string {
  return `${info['marjor-ver']}.${info['minor-ver']}.${info['build-number']}`
}

/** A model's name as file names have it: `ultra_stream_sdi`. */
export function modelKey(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}

/** Whether a firmware is for a device: by product id where the file says one, else by the model's name; and by the hardware letter. */
export function fitsDevice(
  info: Pick<FirmwareInfo, 'product-id' | 'product-name' | 'hardware-ver'>,
  device: { 'product-id': number; 'module-name': string; 'hardware-ver': string }
): boolean {
  const model =
    info['product-id'] > 0
      ? info['product-id'] === device['product-id']
      : modelKey(info['product-name']) === modelKey(device['module-name'])
  return model && info['hardware-ver'] === device['hardware-ver']
}

/** What the name of a file says: `ultra_stream_sdi_rev_a_1_5_79.mwf` (reference 6); undefined where it is no such name. */
export function infoOfName(name: string): FirmwareInfo | undefined {
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

export function infoOfHeader(header: MwfHeader): FirmwareInfo {
  const [major, minor, build] = versionOf(header.version) ?? [0, 0, 0]
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

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

function isHeader(value: Partial<Record<keyof MwfHeader, unknown>> | null): boolean {
  if (typeof value !== 'object' || value === null) return false
  const whole = (number: unknown) => Number.isSafeInteger(number) && (number as number) >= 0
  const { 'product-id': id, 'product-name': name, 'hardware-ver': hardware, version, test, size, sha256 } = value
  return (
    whole(id) &&
    typeof name === 'string' &&
    /^[\x20-\x7e]{1,64}$/.test(name) &&
    typeof hardware === 'string' &&
    /^[A-Z]$/.test(hardware) &&
    typeof version === 'string' &&
    versionOf(version) !== undefined &&
    whole(value['build-time']) &&
    typeof test === 'boolean' &&
    whole(size) &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256)
  )
}

/**
 * Reads the header at the begin of a file, of which `MWF_HEAD_MAX` bytes are enough.
 * @returns where the payload begins; `foreign` for a file without our magic; `broken` for a header that cannot be read
 */
export function readMwfHead(bytes: Uint8Array): { header: MwfHeader; length: number } | 'foreign' | 'broken' {
  if (ascii(bytes.subarray(0, MWF_MAGIC.length)) !== MWF_MAGIC) return 'foreign'
  const at = MWF_MAGIC.length + 4
  if (bytes.length < at) return 'broken'
  const size = bytes.subarray(MWF_MAGIC.length, at).reduce((sum, byte) => sum * 256 + byte, 0)
  if (size > JSON_MAX || bytes.length < at + size) return 'broken'
  try {
    const header = JSON.parse(ascii(bytes.subarray(at, at + size)))
    return isHeader(header) ? { header, length: at + size } : 'broken'
  } catch {
    return 'broken'
  }
}

/** The bytes before the payload. @throws for a header that no reader would take */
export function writeMwfHead(header: MwfHeader): Uint8Array<ArrayBuffer> {
  const json = JSON.stringify(header)
  if (!isHeader(header) || json.length > JSON_MAX) throw new Error('no header of a firmware file')
  const size = [24, 16, 8, 0].map((shift) => (json.length >>> shift) & 0xff)
  const bytes = (text: string) => [...text].map((character) => character.charCodeAt(0))
  return new Uint8Array([...bytes(MWF_MAGIC), ...size, ...bytes(json)])
}
