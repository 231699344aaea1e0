// `make firmware-pack FORMAT=disk` and `FORMAT=raucb`: writes the appliance as a disk for x86-64, or its root file
// system as a RAUC bundle. Variables: RAUC_KEY and RAUC_CERT (PEM files; without both, the public development key
// signs), GZIP_LEVEL (6, from 1 to 9).
import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PackError } from '../../pack/pack-error.ts'
import { readDebianPackage } from '../debian-package.ts'
import { assertHasCertificate, DEVELOPMENT_SWU_KEY } from '../keys.ts'
import { debianPackagePath, installOutput, outputPath } from '../output.ts'
import { readCommit } from '../pack.ts'
import { runCommand } from '../process/run-command.ts'
import { withTemporaryFolder } from '../process/temporary-folder.ts'
import { type BundleKey, createBundle } from './bundle.ts'
import { createDisk } from './disk-image.ts'
import { createRootArchive, createRootImage } from './root-image.ts'

export const FORMATS = ['disk', 'raucb'] as const

const EXTENSIONS: Readonly<Record<(typeof FORMATS)[number], string>> = { disk: 'img', raucb: 'raucb' }

export interface ApplianceSettings {
  format: (typeof FORMATS)[number]
  key: BundleKey
  isDevelopment: boolean
  compression: number
}

/** Reads the settings of a build. @throws PackError when one is not valid */
export function readSettings(
  format: string | undefined,
  { RAUC_KEY, RAUC_CERT, GZIP_LEVEL }: NodeJS.ProcessEnv
): ApplianceSettings {
  const known = FORMATS.find((name) => name === format)
  if (!known) throw new PackError(`FORMAT: ${format} is not one of ${FORMATS.join(', ')}.`)
  if (!RAUC_KEY !== !RAUC_CERT) throw new PackError('RAUC_KEY and RAUC_CERT belong together: give both or none.')
  const isDevelopment = !RAUC_KEY
  const key = { key: RAUC_KEY || DEVELOPMENT_SWU_KEY, certificate: RAUC_CERT || DEVELOPMENT_SWU_KEY }
  if (!existsSync(key.key)) throw new PackError(`RAUC_KEY: there is no file ${key.key}.`)
  assertHasCertificate('RAUC_CERT', key.certificate)
  const compression = Number(GZIP_LEVEL || 6)
  if (!Number.isInteger(compression) || compression < 1 || compression > 9)
    throw new PackError(`GZIP_LEVEL: ${GZIP_LEVEL} is not a number from 1 to 9.`)
  return { format: known, key, isDevelopment, compression }
}

if (import.meta.main)
  runCommand(() => {
    const root = resolve(import.meta.dirname, '../..')
    const { format, key, isDevelopment, compression } = readSettings(process.argv[2], process.env)
    const debianPackage = readDebianPackage(debianPackagePath(root))
    if (debianPackage.architecture !== 'amd64')
      throw new PackError(`The appliance is built for amd64, not for ${debianPackage.architecture}.`)
    const commit = readCommit(root)
    withTemporaryFolder(
      (folder) => {
        const image = join(folder, 'root.img')
        const result = join(folder, 'result')
        const { certificate } = key
        const archive = createRootArchive({ debianPackage, commit, certificate, isDevelopment }, folder)
        createRootImage(archive, commit.time, compression, image)
        rmSync(archive)
        if (format === 'disk') createDisk(image, commit.time, folder, result)
        else createBundle(image, debianPackage.version, key, folder, result)
        installOutput(result, outputPath(root, debianPackage, EXTENSIONS[format], isDevelopment))
      },
      join(root, 'build')
    )
    if (isDevelopment)
      console.log('Signed with the public development key. For a release, set RAUC_KEY=path and RAUC_CERT=path.')
  })
