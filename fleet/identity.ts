// Identity with which a device registers. Its key is derived from the fleet's seed, so it does not have to be stored
// per device.
import { createHmac, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DeviceHello } from '../contract/device/link.ts'
import { VENDOR_API_CLASS } from '../contract/device/products.ts'
import type { RosterEntry } from './roster.ts'

/**
 * The fleet's seed, created on first use. Readable by its owner only, because the keys of all devices are derived from
 * it.
 */
export function loadOrCreateSeed(folder: string): string {
  const path = join(folder, 'seed')
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(path, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(path, 'utf8').trim()
}

/** Hello of a device with its current name and firmware version. */
export function createHello(
  { sn, model }: RosterEntry,
  name: string,
  seed: string,
  firmware = model.firmware
): DeviceHello {
  return {
    sn,
    name,
    module: model.family,
    'module-name': model.name,
    'api-class': model.apiClass ?? VENDOR_API_CLASS,
    'product-id': model.productId,
    'hardware-ver': model.hardware,
    'firmware-ver': firmware,
    dir: model.dir,
    api: model.api,
    preview: model.preview,
    key: createHmac('sha256', seed).update(sn).digest('hex')
  }
}
