// Rules for files before they are sent: specification 5. What is inside a file only the hub can tell for certain: it reads the header of a
// firmware, and lets the platform's own reader judge certificates and keys.
import { FIRMWARE_SPACE_MIN, type FirmwareInfo } from '../firmware.ts'
import { PEM_MAX } from '../limits.ts'
import { compareVersions, fitsDevice } from '../mwf.ts'
import { type Fault, required } from './rules.ts'

/** Name of a firmware file: something before `.mwf`, which may be in capitals, as some file systems have it. */
export function firmwareFile(name: string): Fault | undefined {
  return required(name) ?? (/[^/\\.]\.mwf$/i.test(name) ? undefined : { name: 'file' })
}

/** Free space for an upload of firmware: at least 50 MB of 1024 × 1024 bytes. @param bytes that are free */
export function freeSpace(bytes: number): Fault | undefined {
  return bytes >= FIRMWARE_SPACE_MIN * 2 ** 20 ? undefined : { name: 'space', min: FIRMWARE_SPACE_MIN }
}

/** Makes a rule: a firmware is for a device, by model and hardware. */
export function forDevice(device: Parameters<typeof fitsDevice>[1]) {
  return (firmware: Pick<FirmwareInfo, 'product-id' | 'product-name' | 'hardware-ver'>): Fault | undefined =>
    fitsDevice(firmware, device) ? undefined : { name: 'model' }
}

/** What a user must confirm before a version is installed. No fault: it can be done. Versions are `major.minor.build`. */
export interface Question {
  name: 'lower-version'
  from: string
  to: string
}

/**
 * What to ask before `to` is installed where `from` is; nothing for the same or a higher version.
 * The specification has a lower version that asks, and a rollback that warns of lost data and settings: they are taken to be one and the
 * same, so the question says both. The hub does likewise: it answers 1009, data loss, to a lower version without `force`.
 */
export function versionQuestion(from: string, to: string): Question | undefined {
  return compareVersions(to, from) < 0 ? { name: 'lower-version', from, to } : undefined
}

/** Whether there is a block of PEM (RFC 7468) with one of the labels, and each block is whole. Text around blocks is allowed. */
function isPem(text: string, labels: readonly string[]): boolean {
  let open: string | undefined
  let found = false
  for (const raw of text.split('\n')) {
    const line = raw.trimEnd()
    const [, edge, label] = /^-----(BEGIN|END) ([A-Z0-9 ]{1,40})-----$/.exec(line) ?? []
    if (edge === 'BEGIN') {
      if (open !== undefined) return false
      open = label
    } else if (edge === 'END') {
      if (open === undefined || open !== label) return false
      found ||= labels.includes(open)
      open = undefined
    } else if (open !== undefined && !/^[A-Za-z0-9+/]{1,76}={0,2}$/.test(line)) return false
  }
  return found && open === undefined
}

/** CA certificate, or a chain of them, by its look: PEM, at most 64 KB. */
export function certificate(text: string): Fault | undefined {
  const good = text.length <= PEM_MAX && isPem(text, ['CERTIFICATE', 'X509 CERTIFICATE', 'TRUSTED CERTIFICATE'])
  return required(text) ?? (good ? undefined : { name: 'certificate' })
}

/** Private key by its look: PEM, at most 64 KB, not encrypted, since the hub could not ask for its passphrase at each start. */
export function privateKey(text: string): Fault | undefined {
  const good = text.length <= PEM_MAX && isPem(text, ['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY'])
  return required(text) ?? (good ? undefined : { name: 'private-key' })
}
