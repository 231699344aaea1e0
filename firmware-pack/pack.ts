// `make firmware-pack`: packs dist/ into firmware-pack/out/. The same commit gives the same bytes on every machine. The
// new pack replaces the previous one only when it is complete.
import { existsSync, mkdirSync, readFileSync, renameSync, utimesSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Commit, commitOf } from '../bundler/commit.ts'
import { type Budget, budgetLines, linesOverLimit } from '../pack/budget.ts'
import type { Manifest } from '../pack/manifest.ts'
import { PackError } from '../pack/pack-error.ts'
import { createTar } from '../pack/tar.ts'
import { createUpdate } from '../pack/update.ts'
import { type BundleFile, readBundle } from './bundle-files.ts'
import { quickGzip } from './format/encodings.ts'
import { createImage, writeFiles } from './format/image.ts'
import { createReleaseNotes } from './format/release-notes.ts'
import { createHubSbom, createSbom, type LockedPackages, type PackageFile } from './format/sbom.ts'
import { createSwu } from './format/swu.ts'
import { DEVELOPMENT_SWU_KEY, exportPublicKey, readSigner } from './keys.ts'
import { createPayload, serverConfigurations } from './payload.ts'
import { runCommand } from './process/run-command.ts'
import { withTemporaryFolder } from './process/temporary-folder.ts'
import { measure } from './size/budget.ts'
import { findPreviousRelease } from './size/previous-build.ts'

/** Paths of the signing keys. Without a path the development key is used. */
export interface Keys {
  /** Ed25519. */
  signing?: string | undefined
  /** RSA key and certificate, for swupdate. */
  swu?: string | undefined
}

export interface Pack {
  manifest: Manifest
  development: boolean
  /** All files, relative to `out/`. */
  files: BundleFile[]
}

/** @throws PackError outside a git checkout with a commit */
export function readCommit(root: string): Commit {
  try {
    return commitOf(root)
  } catch (error) {
    // git also fails when the clone belongs to another user.
    const [message] = String((error as { stderr?: Buffer }).stderr ?? error).split('\n')
    throw new PackError(`Packing needs a git checkout with a commit. ${message}`)
  }
}

/**
 * Creates a pack in memory.
 * @throws PackError when the console is over budget or a key is not valid
 */
export function createPack(root: string, keys: Keys): Pack {
  const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
  const signer = readSigner(keys.signing)
  if (keys.swu && signer.development) throw new PackError('SWU_KEY is given without SIGNING_KEY: a release needs both.')
  const readPackage = (path: string) => {
    const file = `${path}/package.json`
    return existsSync(join(root, file)) ? (readJson(file) as PackageFile) : undefined
  }
  const bundle = readBundle(join(root, 'dist'))
  const sizes = measure(bundle)
  const overLimit = linesOverLimit(budgetLines(sizes, readJson('size-budget.json') as Budget))
  if (overLimit.length) {
    const each = overLimit.map(({ name, value, limit }) => `${name}: ${value} bytes, limit ${limit}`)
    throw new PackError([...each, 'Over budget: no pack was created.'].join('\n'))
  }
  const { version } = readJson('package.json') as { version: string }
  const commit = readCommit(root)
  const { manifest, files } = createPayload(bundle, version, commit)

  const textOf = (name: string) => String(bundle.find(({ path }) => path === name)?.bytes ?? '')
  const [page, legal] = [textOf('index.html'), textOf('legal.txt')]
  const lock = readJson('package-lock.json') as LockedPackages
  const sbom = { path: 'bom.json', bytes: createSbom(manifest, legal, lock) }
  const hubSbom = { path: 'hub-bom.json', bytes: createHubSbom(manifest, lock, readPackage) }
  const content = [...files, sbom, hubSbom, ...serverConfigurations(page)]
  const image = createImage(content, commit.time)
  const text = files[0]?.bytes as Buffer

  const name = `${manifest.name}-${version}`
  const signed = signer.development ? `${name}-development` : name
  const swuKey = keys.swu || (signer.development ? DEVELOPMENT_SWU_KEY : undefined)
  const prefixed = content.map(({ path, bytes }) => ({ path: `${name}/${path}`, bytes }))
  return {
    manifest,
    development: signer.development,
    files: [
      ...content,
      { path: `${name}.tar.gz`, bytes: quickGzip(createTar(prefixed, commit.time)) },
      { path: `${name}.squashfs`, bytes: image },
      { path: `${signed}.update`, bytes: createUpdate(text, manifest, image, signer) },
      ...(swuKey ? [{ path: `${signed}.swu`, bytes: createSwu(manifest, image, swuKey) }] : []),
      { path: 'public-key.pem', bytes: exportPublicKey(signer.key) },
      { path: 'release-notes.md', bytes: createReleaseNotes(manifest, sizes, findPreviousRelease(root)) }
    ]
  }
}

/**
 * Replaces the pack in `out`. If the process is killed, `out` is either complete or missing, never partial.
 * @param parent folder for the temporary folder, on the same file system as `out`
 */
export function installPack({ files, manifest }: Pack, out: string, parent: string): void {
  withTemporaryFolder((folder) => {
    const packed = join(folder, 'packed')
    mkdirSync(packed)
    writeFiles(packed, files)
    const time = Date.parse(manifest.time) / 1000
    for (const { path } of files) utimesSync(join(packed, path), time, time)
    const previous = join(folder, 'previous')
    if (existsSync(out)) renameSync(out, previous)
    try {
      renameSync(packed, out)
    } catch (error) {
      if (existsSync(previous)) renameSync(previous, out)
      throw error
    }
  }, parent)
}

if (import.meta.main)
  runCommand(() => {
    const root = resolve(import.meta.dirname, '..')
    const { SIGNING_KEY: signing, SWU_KEY: swu } = process.env
    const pack = createPack(root, { signing, swu })
    installPack(pack, join(root, 'firmware-pack/out'), join(root, 'build'))
    const { commit, changed } = pack.manifest
    console.log(`firmware-pack/out/, commit ${commit.slice(0, 12)}${changed ? ' with changes' : ''}:`)
    for (const { path, bytes } of pack.files)
      if (!/^(www|servers)\//.test(path))
        console.log(`  ${path.padEnd(44)}${bytes.length.toLocaleString('en').padStart(10)}`)
    if (pack.development) console.log('Signed with the public development key. For a release, set SIGNING_KEY=path.')
    else if (!swu) console.log('No .swu was created. It needs SWU_KEY=path (RSA key and certificate).')
  })
