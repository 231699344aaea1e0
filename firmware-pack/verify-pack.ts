// `make firmware-verify`: verifies a pack without building it. All input is untrusted until its signature is verified.
import type { KeyObject } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { UPDATE_FILE_MAX } from '../contract/update.ts'
import { type Budget, budgetLines, linesOverLimit, type MeasuredSizes } from '../pack/budget.ts'
import { type Manifest, WEB_ROOT } from '../pack/manifest.ts'
import { PackError } from '../pack/pack-error.ts'
import { createTar, readTar } from '../pack/tar.ts'
import { openUpdate, type Statement, type Update } from '../pack/update.ts'
import { verifyWebRoot } from '../pack/verify.ts'
import { readBundle } from './bundle-files.ts'
import { withImage } from './format/image.ts'
import { createReleaseNotes, parsePreviousRelease } from './format/release-notes.ts'
import { openSwu } from './format/swu.ts'
import { DEVELOPMENT_SWU_KEY, exportPublicKey, readTrustedKey } from './keys.ts'
import { runCommand } from './process/run-command.ts'
import { measure } from './size/budget.ts'

/** Paths of the trusted keys. Without a path the development key is used. */
export interface TrustedKeys {
  /** Ed25519, public or private. */
  key?: string | undefined
  /** Certificate for the .swu file. */
  certificate?: string | undefined
}

/** Maximum bytes of a description or a signature, and of the headers that an archive format adds. */
const OVERHEAD = 64 << 10

/**
 * Lists the files below a folder. @throws PackError for links and all else that is neither a regular file nor a folder
 */
function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory())
  return entries.map((entry) => {
    const path = relative(folder, join(entry.parentPath, entry.name))
    if (!entry.isFile()) throw new PackError(`${path} is not a regular file.`)
    return path
  })
}

/**
 * Reads a file that may be anything, even an endless device.
 * @param maximum size in bytes
 * @throws PackError when it is larger or not a regular file
 */
function readAtMost(path: string, maximum: number): Buffer {
  const stat = statSync(path)
  if (!stat.isFile()) throw new PackError(`${path} is not a regular file.`)
  if (stat.size > maximum) throw new PackError(`${path} is too large: ${stat.size} bytes, at most ${maximum}.`)
  return readFileSync(path)
}

/** Unpacks gzip. @param maximum bytes of the result, because a small file can unpack to a very large one */
function unzip(path: string, bytes: Buffer, maximum: number): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: maximum })
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new PackError(
      isTooLarge ? `${path} contains more data than was signed.` : `${path} is truncated or not a gzip file.`
    )
  }
}

function throwFaults(faults: readonly string[]): void {
  if (faults.length) throw new PackError(faults.join('\n'))
}

/**
 * Checks that the image matches the signed manifest and is within the budget.
 * @returns its sizes
 */
function checkImage({ image, manifest }: Update, budget: Budget): MeasuredSizes {
  return withImage(image, (folder) => {
    if (!readFileSync(join(folder, 'manifest.json')).equals(manifest))
      throw new PackError('The manifest in the image is not the signed manifest.')
    throwFaults(verifyWebRoot(folder))
    const sizes = measure(readBundle(join(folder, WEB_ROOT)))
    throwFaults(
      linesOverLimit(budgetLines(sizes, budget)).map(
        ({ name, value, limit }) => `Over budget: ${name}: ${value} bytes, limit ${limit}`
      )
    )
    return sizes
  })
}

/**
 * Checks that the archive contains exactly the files of the image, in a folder with the archive's name.
 * @param read reads a file of at most `maximum` bytes
 * @param time expected modification time of the files, in seconds since 1970
 */
function checkArchive(
  path: string,
  read: (path: string, maximum: number) => Buffer,
  signed: ReadonlyMap<string, Buffer>,
  time: number
): void {
  const base = basename(path, '.tar.gz')
  const allEntries = [...signed].map(([name, bytes]) => ({ path: `${base}/${name}`, bytes }))
  const { length } = createTar(allEntries, time)
  const archive = unzip(path, read(path, length + OVERHEAD), length)
  const entries = readTar(archive)
  if (entries.length !== signed.size) throw new PackError(`${path} contains other files than were signed.`)
  const remaining = new Map(signed)
  for (const entry of entries) {
    const inside = entry.path.replace(/^[^/]*\//, '')
    if (!remaining.get(inside)?.equals(entry.bytes))
      throw new PackError(`${entry.path} in ${path} does not match the signed content.`)
    remaining.delete(inside)
  }
  const same = entries.map((entry) => ({ ...entry, path: entry.path.replace(/^[^/]*/, base) }))
  if (!createTar(same, time).equals(archive)) throw new PackError(`${path} has unexpected tar headers.`)
}

/**
 * Checks that the folder of a pack contains exactly the files that its update covers.
 * @param name file name of the update
 */
function checkFolder(folder: string, name: string, update: Update, sizes: MeasuredSizes, trusted: TrustedKeys): void {
  const { image, manifest, statement } = update
  const time = Date.parse(statement.time) / 1000
  const base = `${statement.name}-${statement.version}`
  const signed = statement.development ? `${base}-development` : base
  const unchecked = new Set(listFiles(folder))
  /** Reads a file and marks it as checked. @param maximum size in bytes */
  const readPackFile = (path: string, maximum: number) => {
    if (!unchecked.delete(path)) throw new PackError(`${path} is missing.`)
    if (statSync(join(folder, path)).size > maximum) throw new PackError(`${path} does not match the signed content.`)
    return readFileSync(join(folder, path))
  }
  const checkSame = (path: string, signed: Buffer) => {
    if (!readPackFile(path, signed.length).equals(signed))
      throw new PackError(`${path} does not match the signed content.`)
  }
  // With another version in its name it could be mistaken for that version.
  if (!unchecked.delete(name) || name !== `${signed}.update`)
    throw new PackError(`${name} should be called ${signed}.update.`)
  checkSame('manifest.json', manifest)
  throwFaults(verifyWebRoot(folder))
  checkSame('public-key.pem', exportPublicKey(readTrustedKey(trusted.key)))
  const parsed = JSON.parse(String(manifest)) as Manifest
  const notes = readPackFile('release-notes.md', OVERHEAD)
  if (!createReleaseNotes(parsed, sizes, parsePreviousRelease(String(notes))).equals(notes))
    throw new PackError('release-notes.md does not match this pack.')

  withImage(image, (inside) => {
    const content = new Map(listFiles(inside).map((path) => [path, readFileSync(join(inside, path))]))
    for (const [path, bytes] of content) if (path !== 'manifest.json') checkSame(path, bytes)
    checkSame(`${base}.squashfs`, image)
    checkArchive(`${base}.tar.gz`, readPackFile, content, time)
  })
  const swu = `${signed}.swu`
  // A release without an SWU_KEY has no .swu.
  if (unchecked.has(swu)) {
    const certificate = trusted.certificate || (statement.development && DEVELOPMENT_SWU_KEY)
    if (!certificate) throw new PackError(`${swu} is signed with its own key. Set SWU_CERT=path or remove the file.`)
    if (!openSwu(readPackFile(swu, image.length + OVERHEAD), certificate, time).equals(image))
      throw new PackError(`The image in ${swu} does not match the signed content.`)
  }
  throwFaults([...unchecked].map((path) => `${path} does not belong to the pack.`))
}

function readUpdate(path: string, key: KeyObject): Update {
  try {
    return openUpdate(readAtMost(path, UPDATE_FILE_MAX), [key])
  } catch (error) {
    if (!(error instanceof PackError && error.kind === 'not-a-pack')) throw error
    throw new PackError(`${path} is not an update. Give the folder of the pack or its .update file.`)
  }
}

/**
 * Verifies a pack.
 * @param path folder of a pack or its update
 * @returns the signed statement
 * @throws PackError when any check fails
 */
export function verifyPack(path: string, budget: Budget, trusted: TrustedKeys): Statement {
  const key = readTrustedKey(trusted.key)
  if (!existsSync(path)) throw new PackError(`There is no pack at ${path}.`)
  const isFolder = statSync(path).isDirectory()
  const [update, ...others] = isFolder ? globSync('*.update', { cwd: path }).map((name) => join(path, name)) : [path]
  if (!update || others.length) throw new PackError(`${path} contains ${update ? 'more than one' : 'no'} update.`)
  const opened = readUpdate(update, key)
  const sizes = checkImage(opened, budget)
  if (isFolder) checkFolder(path, basename(update), opened, sizes, trusted)
  return opened.statement
}

if (import.meta.main)
  runCommand(() => {
    const root = resolve(import.meta.dirname, '..')
    const budget = JSON.parse(readFileSync(join(root, 'size-budget.json'), 'utf8')) as Budget
    const { PUBLIC_KEY, SIGNING_KEY, SWU_CERT, SWU_KEY } = process.env
    const path = resolve(process.argv[2] ?? join(root, 'firmware-pack/out'))
    const statement = verifyPack(path, budget, { key: PUBLIC_KEY || SIGNING_KEY, certificate: SWU_CERT || SWU_KEY })
    console.log(
      `Valid: ${statement.name} ${statement.version}, commit ${statement.commit}${statement.changed ? ' with changes' : ''}, ${statement.time}.`
    )
    console.log(
      statement.development ? 'Signed with the development key: not for production.' : `Signed with ${statement.key}.`
    )
  })
