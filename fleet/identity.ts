// Who a device is when it dials in. Its key comes from the fleet's seed, so that it needs no file of its own.
import { createHmac, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DeviceHello } from '../contract/device/link.ts'
import type { Entry } from './roster.ts'

/** The fleet's seed, made at the first start. Kept to its owner: who has it can pass for any device. */
export function seedOf(folder: string): string {
  const path = join(folder, 'seed')
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(path, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(path, 'utf8').trim()
}

/** What `entry` says when it dials in under `name`, with the version of its firmware. */
export function helloOf({ sn, model }: Entry, name: string, seed: string, firmware = model.firmware): DeviceHello {
  return {
    sn,
    name,
    module: model.family,
    'module-name': model.name,
    'product-id': model.productId,
    'hardware-ver': model.hardware,
    'firmware-ver': firmware,
    dir: model.dir,
    api: model.api,
    preview: model.preview,
    key: createHmac('sha256', seed).update(sn).digest('hex')
  }
}
