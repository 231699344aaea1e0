// What a file to publish is: which channel file lists it, and for what it is.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { familyOfModel, findFamily, OTHERS } from '../../contract/device/products.ts'
import {
  firmwareInfoFromHeader,
  formatVersion,
  modelKey,
  parseFirmwareFileName,
  parseMwfHeader
} from '../../contract/mwf.ts'
import { type ChannelRelease, HUB_CHANNEL_NAME } from '../../pack/channel-file.ts'
import { computeDigest } from '../../pack/manifest.ts'
import { PackError } from '../../pack/pack-error.ts'
import type { Signer } from '../../pack/signature.ts'
import { openUpdate } from '../../pack/update.ts'

export interface Bundle {
  path: string
  /** Name of its channel files. */
  name: string
  /** Beginning of the names of its notes: `BEGINNING.en.md`. */
  notes: string
  release: Omit<ChannelRelease, 'notes'>
}

/** A version with a part after its numbers, such as 2.0.0-rc.1. */
const PRE_RELEASE = /[~-]/

/**
 * @param time seconds since 1970, for firmware that has no time
 * @throws PackError if the file is none that can be published with this key
 */
export function describeBundle(path: string, signer: Signer, time: number): Bundle {
  const bytes = readFileSync(path)
  const file = { file: basename(path), ...computeDigest(bytes) }
  if (path.endsWith('.mwf')) return describeFirmware(path, bytes, file, time)
  const { version, time: built, release: facts } = openUpdate(bytes, [signer.key]).statement
  const marked = PRE_RELEASE.test(version) && { 'pre-release': true as const }
  const release = { version, time: built, ...marked, architecture: facts?.architecture ?? 'all', ...file }
  return { path, name: HUB_CHANNEL_NAME, notes: version, release }
}

function describeFirmware(
  path: string,
  bytes: Buffer,
  file: Pick<ChannelRelease, 'file' | 'size' | 'sha256'>,
  time: number
): Bundle {
  const head = parseMwfHeader(bytes)
  const info =
    head === 'foreign' ? parseFirmwareFileName(file.file) : head !== 'broken' && firmwareInfoFromHeader(head.header)
  if (!info) throw new PackError(`${path} is not a firmware file.`)
  const model = info['product-name']
  const family = findFamily(familyOfModel(info['product-id'], model) ?? OTHERS)
  const version = formatVersion(info)
  const built = new Date((info['build-time'] || time) * 1000).toISOString()
  const marked = info['firmware-id'] !== 0 && { 'pre-release': true as const }
  const release = { version, time: built, ...marked, model, hardware: info['hardware-ver'], ...file }
  return { path, name: modelKey(family?.name ?? ''), notes: `${modelKey(model)}-${version}`, release }
}
