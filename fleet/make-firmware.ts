// `node fleet/make-firmware.ts <model> <version> [size in MB] [test] [folder=.]` makes a firmware file for demo devices.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { versionOf } from '../contract/mwf.ts'
import { firmwareName, writeFirmware } from './firmware-file.ts'
import { MODELS } from './models.ts'

const [key = '', version = '', ...more] = process.argv.slice(2)
const numbers = more.filter((word) => /^\d+(\.\d+)?$/.test(word))
const test = more.includes('test')
const [folder = '.'] = more.filter((word) => word !== 'test' && !numbers.includes(word))

if (!Object.hasOwn(MODELS, key) || !versionOf(version)) {
  console.error('node fleet/make-firmware.ts <model> <version> [size in MB] [test] [folder]')
  for (const [name, { name: title, hardware, firmware }] of Object.entries(MODELS))
    console.error(`  ${name.padEnd(16)} ${title.padEnd(26)} hardware ${hardware}, comes with ${firmware}`)
  process.exit(2)
}
const spec = {
  model: MODELS[key as keyof typeof MODELS],
  version,
  size: Math.round(Number(numbers[0] ?? 8) * (1 << 20)),
  test
}
mkdirSync(folder, { recursive: true })
const path = join(folder, firmwareName(spec))
writeFirmware(path, spec)
console.log(path)
