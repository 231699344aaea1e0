// `make firmware-pack FORMAT=update`: packs the whole hub as a signed update, which a hub that was installed as a
// package installs over the air: a SquashFS image of the release that the Debian package contains. Variables:
// SIGNING_KEY, HARDWARE (comma-separated hardware versions on which it runs; absent: on all), SQUASHFS_LEVEL (19).
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Commit } from '../bundler/commit.ts'
import { ENGINE_PROTOCOL } from '../engine/interfaces/wire.ts'
import { listReleaseFiles, RELEASE_LAYOUT, type ReleaseManifest } from '../pack/release.ts'
import type { Signer } from '../pack/signature.ts'
import { createUpdate, RELEASE_NAME } from '../pack/update.ts'
import { readDebianPackage, unpackRelease } from './debian-package.ts'
import { createFolderImage } from './format/image.ts'
import { readSigner } from './keys.ts'
import { debianPackagePath, outputPath, writeOutput } from './output.ts'
import { readCommit } from './pack.ts'
import { runCommand } from './process/run-command.ts'
import { withTemporaryFolder } from './process/temporary-folder.ts'

/** Debian's names of architectures, and those of Node. */
const NODE_ARCHITECTURES: Readonly<Record<string, string>> = { amd64: 'x64', arm64: 'arm64' }

/** Compression of the image: 19 is within 1 % of 22, and three times as fast. */
const LEVEL = 19

export interface HubUpdateOptions {
  /** Folder of the release, with the files of the Debian package. */
  folder: string
  version: string
  commit: Commit
  signer: Signer
  /** As `process.arch`. */
  architecture: string
  /** Hardware versions on which it runs; undefined: on all. */
  hardware?: string[]
  /** Compression of the image, from 1 to 22. */
  level?: number
  /** Number of the protocol between hub and engine. Default: that of this commit. */
  engine?: number
}

/** Creates an update with a release. The same files and the same key give the same bytes. */
export function createHubUpdate(options: HubUpdateOptions): Buffer {
  const { folder, version, commit, signer, architecture, hardware, level = LEVEL, engine = ENGINE_PROTOCOL } = options
  const files = listReleaseFiles(folder).map(({ path, size, executable }) => {
    const sha256 = createHash('sha256')
      .update(readFileSync(join(folder, path)))
      .digest('hex')
    return { path, size, sha256, ...(executable && { executable: true as const }) }
  })
  const manifest: ReleaseManifest = {
    name: RELEASE_NAME,
    version,
    commit: commit.id,
    ...(commit.changed && { changed: true }),
    time: new Date(commit.time * 1000).toISOString(),
    files
  }
  const text = Buffer.from(`${JSON.stringify(manifest)}\n`)
  const facts = {
    architecture,
    layout: RELEASE_LAYOUT,
    engine,
    ...(hardware && { hardware }),
    unpacked: files.reduce((sum, { size }) => sum + size, 0)
  }
  return createUpdate(text, manifest, createFolderImage(folder, commit.time, level), signer, facts)
}

if (import.meta.main)
  runCommand(() => {
    const root = resolve(import.meta.dirname, '..')
    const { SIGNING_KEY, HARDWARE, SQUASHFS_LEVEL } = process.env
    const signer = readSigner(SIGNING_KEY)
    const debianPackage = readDebianPackage(debianPackagePath(root))
    const { version, architecture } = debianPackage
    const update = withTemporaryFolder((folder) =>
      createHubUpdate({
        folder: unpackRelease(debianPackage, folder),
        version,
        commit: readCommit(root),
        signer,
        architecture: NODE_ARCHITECTURES[architecture] ?? architecture,
        ...(HARDWARE && { hardware: HARDWARE.split(',') }),
        ...(SQUASHFS_LEVEL && { level: Number(SQUASHFS_LEVEL) })
      })
    )
    writeOutput(outputPath(root, debianPackage, 'update', signer.development), update)
    if (signer.development) console.log('Signed with the public development key. For a release, set SIGNING_KEY=path.')
  })
