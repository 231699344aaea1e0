// `node fleet/make-firmware.ts <model> <version> [size in MB] [test] [folder=.]` creates a firmware file for demo
// devices.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseVersion } from '../contract/mwf.ts'
import { firmwareFileName, writeFirmwareFile } from './firmware-file.ts'
import { MODELS } from './models.ts'

const [key = '', version = '', ...options] = process.argv.slice(2)
const sizes = options.filter((option) => /^\d+(\.\d+)?$/.test(option))
const test = options.includes('test')
const [folder = '.'] = options.filter((option) => option !== 'test' && !sizes.includes(option))

if (!Object.hasOwn(MODELS, key) || !parseVersion(version)) {
  console.error('node fleet/make-firmware.ts <model> <version> [size in MB] [test] [folder]')
  for (const [name, { name: title, hardware, firmware }] of Object.entries(MODELS))
    console.error(`  ${name.padEnd(16)} ${title.padEnd(26)} hardware ${hardware}, factory version ${firmware}`)
  process.exit(2)
}
const spec = {
  model: MODELS[key as keyof typeof MODELS],
  version,
  size: Math.round(Number(sizes[0] ?? 8) * (1 << 20)),
  test
}
mkdirSync(folder, { recursive: true })
const path = join(folder, firmwareFileName(spec))
writeFirmwareFile(path, spec)
console.log(path)
