// `make firmware-pack FORMAT=swu`: packs the whole hub for swupdate, as a SquashFS image of the release that the Debian
// package contains. Variables: SWU_KEY, SWU_DEVICE (a block device to which swupdate writes the image).
import { mkdirSync, renameSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Commit } from '../bundler/commit.ts'
import { PackError } from '../pack/pack-error.ts'
import { type DebianPackage, readDebianPackage, unpackRelease } from './debian-package.ts'
import { createFolderImage } from './format/image.ts'
import { createSwu, type SwuTarget } from './format/swu.ts'
import { assertHasCertificate, DEVELOPMENT_SWU_KEY } from './keys.ts'
import { debianPackagePath, outputPath, writeOutput } from './output.ts'
import { readCommit } from './pack.ts'
import { runCommand } from './process/run-command.ts'
import { withTemporaryFolder } from './process/temporary-folder.ts'

/** The machine mounts the image at /usr/lib/headend/releases, where the launcher of the package looks for releases. */
const TARGET_FILE = '/var/lib/headend-image/hub.squashfs'

const DEVICE_FORMAT = /^\/dev\/[\w./-]+$/

/**
 * @param device block device that takes the image; a file by default
 * @throws PackError when it is not the path of a device
 */
export function readTarget(device: string | undefined): SwuTarget {
  if (!device) return { path: TARGET_FILE }
  if (!DEVICE_FORMAT.test(device)) throw new PackError(`SWU_DEVICE: ${device} is not the path of a block device.`)
  return { device }
}

/**
 * Creates the .swu. The image contains the release in a folder that is named after its version.
 * @param keyFile RSA key and certificate in one PEM file
 */
export function createHubSwu(debianPackage: DebianPackage, commit: Commit, keyFile: string, target: SwuTarget): Buffer {
  const { version, architecture } = debianPackage
  const image = withTemporaryFolder((folder) => {
    const tree = join(folder, 'tree')
    mkdirSync(tree, { mode: 0o755 })
    renameSync(unpackRelease(debianPackage, join(folder, 'package')), join(tree, version))
    return createFolderImage(tree, commit.time)
  })
  const time = new Date(commit.time * 1000).toISOString()
  return createSwu({ name: `headend-${architecture}`, version, commit: commit.id, time }, image, keyFile, target)
}

if (import.meta.main)
  runCommand(() => {
    const root = resolve(import.meta.dirname, '..')
    const { SWU_KEY, SWU_DEVICE } = process.env
    const target = readTarget(SWU_DEVICE)
    if (SWU_KEY) assertHasCertificate('SWU_KEY', SWU_KEY)
    const debianPackage = readDebianPackage(debianPackagePath(root))
    const swu = createHubSwu(debianPackage, readCommit(root), SWU_KEY || DEVELOPMENT_SWU_KEY, target)
    writeOutput(outputPath(root, debianPackage, 'swu', !SWU_KEY), swu)
    if (!SWU_KEY) console.log('Signed with the public development key. For a release, set SWU_KEY=path.')
  })
