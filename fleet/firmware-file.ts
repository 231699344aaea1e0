// Makes firmware files for demo devices (docs/mwf.md). What is in them does nothing: a device looks only whether it is whole.
import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { modelKey, writeMwfHead } from '../contract/mwf.ts'
import type { Model } from './models.ts'
import { createRandom, hashOf } from './random.ts'

export interface FirmwareSpec {
  model: Pick<Model, 'name' | 'productId' | 'hardware'>
  /** `major.minor.build` */
  version: string
  /** Bytes of the payload. */
  size: number
  test?: boolean
  /** Seconds since the epoch. */
  buildTime?: number
}

const BLOCK = 1 << 20
/** Seconds since the epoch: the same file from the same wish, whenever it is made. */
const BUILT = Date.UTC(2026, 1, 11, 9, 30) / 1000

/** As the vendor's files are called: `ultra_stream_sdi_rev_a_1_5_79.mwf`. */
export function firmwareName({ model, version }: FirmwareSpec): string {
  return `${modelKey(model.name)}_rev_${model.hardware.toLowerCase()}_${version.replaceAll('.', '_')}.mwf`
}

/** The payload's blocks; the same for the same version. */
function* blocks({ model, version, size }: FirmwareSpec): Generator<Uint8Array> {
  const random = createRandom(hashOf(`${model.name} ${version}`))
  const block = Uint8Array.from({ length: Math.min(BLOCK, size) }, () => random() * 256)
  for (let left = size; left > 0; left -= BLOCK) yield block.subarray(0, Math.min(BLOCK, left))
}

/** Writes the file, block by block. */
export function writeFirmware(path: string, spec: FirmwareSpec): void {
  const { model, version, size, test = false, buildTime = BUILT } = spec
  const sum = createHash('sha256')
  for (const block of blocks(spec)) sum.update(block)
  const head = writeMwfHead({
    ...{ 'product-id': model.productId, 'product-name': model.name, 'hardware-ver': model.hardware, version },
    ...{ 'build-time': buildTime, test, size, sha256: sum.digest('hex') }
  })
  const file = openSync(path, 'w')
  try {
    writeSync(file, head)
    for (const block of blocks(spec)) writeSync(file, block)
  } finally {
    closeSync(file)
  }
}
