// Creates firmware files for demo devices (docs/mwf.md). The payload is random data: devices only check that it is
// complete.
import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { encodeMwfHeader, modelKey } from '../contract/mwf.ts'
import type { Model } from './models.ts'
import { createRandom, hashOf } from './random.ts'

export interface FirmwareSpec {
  model: Pick<Model, 'name' | 'productId' | 'hardware'>
  /** `major.minor.build` */
  version: string
  /** Size of the payload in bytes. */
  size: number
  test?: boolean
  /** Seconds since the epoch. */
  buildTime?: number
}

const BLOCK = 1 << 20
/**
 * Default build time in seconds since the epoch. Constant, so that the same specification always gives the same file.
 */
const DEFAULT_BUILD_TIME = Date.UTC(2026, 1, 11, 9, 30) / 1000

/** File name in the vendor's format: `ultra_stream_sdi_rev_a_1_5_79.mwf`. */
export function firmwareFileName({ model, version }: FirmwareSpec): string {
  return `${modelKey(model.name)}_rev_${model.hardware.toLowerCase()}_${version.replaceAll('.', '_')}.mwf`
}

/** Blocks of the payload, the same for each call with the same model and version. */
function* blocks({ model, version, size }: FirmwareSpec): Generator<Uint8Array> {
  const random = createRandom(hashOf(`${model.name} ${version}`))
  const block = Uint8Array.from({ length: Math.min(BLOCK, size) }, () => random() * 256)
  for (let remaining = size; remaining > 0; remaining -= BLOCK) yield block.subarray(0, Math.min(BLOCK, remaining))
}

/** Writes a firmware file block by block. */
export function writeFirmwareFile(path: string, spec: FirmwareSpec): void {
  const { model, version, size, test = false, buildTime = DEFAULT_BUILD_TIME } = spec
  const sum = createHash('sha256')
  for (const block of blocks(spec)) sum.update(block)
  const head = encodeMwfHeader({
    'product-id': model.productId,
    'product-name': model.name,
    'hardware-ver': model.hardware,
    version,
    'build-time': buildTime,
    test,
    size,
    sha256: sum.digest('hex')
  })
  const file = openSync(path, 'w')
  try {
    writeSync(file, head)
    for (const block of blocks(spec)) writeSync(file, block)
  } finally {
    closeSync(file)
  }
}
