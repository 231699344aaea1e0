// `make firmware-verify`: checks a pack without building it. What is checked, a folder or one file of it, is taken for hostile until
// its signature holds.
import type { KeyObject } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { UPDATE_FILE_MAX } from '../contract/update.ts'
import { type Budget, budgetLines, type MeasuredSizes, linesOverLimit } from '../pack/budget.ts'
import { type Manifest, WEB_ROOT } from '../pack/manifest.ts'
import { PackError } from '../pack/pack-error.ts'
import { createTar, readTar } from '../pack/tar.ts'
import { openUpdate, type Statement, type Update } from '../pack/update.ts'
import { verifyWebRoot } from '../pack/verify.ts'
import { measure } from './size/budget.ts'
import { readBundle } from './bundle-files.ts'
import { withImage } from './format/image.ts'
import { DEVELOPMENT_SWU_KEY, exportPublicKey, readTrustedKey } from './keys.ts'
import { parsePreviousRelease, createReleaseNotes } from './format/release-notes.ts'
import { runCommand } from './process/run-command.ts'
import { openSwu } from './format/swu.ts'

/** Keys to trust, by path; each has a development key in its place. */
export interface TrustedKeys {
  /** Ed25519, public or private. */
  key?: string | undefined
  /** Certificate of swupdate's key. */
  certificate?: string | undefined
}

/** Bytes that a description or a signature has at most, and what a format adds to what lies in it. */
const OVERHEAD = 64 << 10

/** @throws Refusal for a link, which might lead anywhere, and whatever else is neither a file nor a folder */
function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory())
  return entries.map((entry) => {
    const path = relative(folder, join(entry.parentPath, entry.name))
    if (!entry.isFile()) throw new PackError(`${path} is no plain file.`)
    return path
  })
}

/**
 * Reads a file that may be anything, a device without an end too.
 * @param most bytes that are looked at
 * @throws Refusal for what is larger, or no file
 */
function readAtMost(path: string, most: number): Buffer {
  const found = statSync(path)
  if (!found.isFile()) throw new PackError(`${path} is no plain file.`)
  if (found.size > most) throw new PackError(`${path} is larger than one can be: ${found.size} bytes, at most ${most}.`)
  return readFileSync(path)
}

/** @param most bytes that it may become: a small file may hold a very large one */
function unzip(path: string, bytes: Buffer, most: number): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: most })
  } catch (error) {
    const large = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new PackError(large ? `${path} holds more than was signed.` : `${path} is cut short or no gzip file.`)
  }
}

function throwFaults(faults: readonly string[]): void {
  if (faults.length) throw new PackError(faults.join('\n'))
}

/**
 * What is in the image is what the signed manifest says, and within the budget.
 * @returns what it weighs
 */
function checkImage({ image, manifest }: Update, budget: Budget): MeasuredSizes {
  return withImage(image, (folder) => {
    if (!readFileSync(join(folder, 'manifest.json')).equals(manifest))
      throw new PackError('The manifest in the image is not the signed one.')
    throwFaults(verifyWebRoot(folder))
    const sizes = measure(readBundle(join(folder, WEB_ROOT)))
    throwFaults(
      linesOverLimit(budgetLines(sizes, budget)).map(({ name, value, limit }) => `Over budget: ${name}: ${value} bytes, limit ${limit}`)
    )
    return sizes
  })
}

/**
 * The archive holds what the image holds, and nothing else, in a folder named like it.
 * @param read it, up to so many bytes
 * @param time that its files carry: seconds since 1970
 */
function checkArchive(
  path: string,
  read: (path: string, most: number) => Buffer,
  signed: ReadonlyMap<string, Buffer>,
  time: number
): void {
  const base = basename(path, '.tar.gz')
  const allEntries = [...signed].map(([name, bytes]) => ({ path: `${base}/${name}`, bytes }))
  const { length } = createTar(allEntries, time)
  const archive = unzip(path, read(path, length + OVERHEAD), length)
  const entries = readTar(archive)
  if (entries.length !== signed.size) throw new PackError(`${path} holds other files than were signed.`)
  const remaining = new Map(signed)
  for (const entry of entries) {
    const inside = entry.path.replace(/^[^/]*\//, '')
    if (!remaining.get(inside)?.equals(entry.bytes)) throw new PackError(`${entry.path} in ${path} is not what was signed.`)
    remaining.delete(inside)
  }
  const same = entries.map((entry) => ({ ...entry, path: entry.path.replace(/^[^/]*/, base) }))
  if (!createTar(same, time).equals(archive)) throw new PackError(`${path} says other things of its files than were packed.`)
}

/**
 * Every file of a pack is what its update vouches for, and no other is there.
 * @param name of the update
 */
function checkFolder(folder: string, name: string, update: Update, sizes: MeasuredSizes, trusted: TrustedKeys): void {
  const { image, manifest, statement } = update
  const time = Date.parse(statement.time) / 1000
  const base = `${statement.name}-${statement.version}`
  const signed = statement.development ? `${base}-development` : base
  const there = new Set(listFiles(folder))
  /** Takes a file off the list. @param most bytes that it can have */
  const take = (path: string, most: number) => {
    if (!there.delete(path)) throw new PackError(`${path} is missing.`)
    if (statSync(join(folder, path)).size > most) throw new PackError(`${path} is not what was signed.`)
    return readFileSync(join(folder, path))
  }
  const same = (path: string, signed: Buffer) => {
    if (!take(path, signed.length).equals(signed)) throw new PackError(`${path} is not what was signed.`)
  }
  // Under the name of another version it would pass for that one.
  if (!there.delete(name) || name !== `${signed}.update`)
    throw new PackError(`${name} should be called ${signed}.update.`)
  same('manifest.json', manifest)
  throwFaults(verifyWebRoot(folder))
  same('public-key.pem', exportPublicKey(readTrustedKey(trusted.key)))
  const said = JSON.parse(String(manifest)) as Manifest
  const notes = take('release-notes.md', OVERHEAD)
  if (!createReleaseNotes(said, sizes, parsePreviousRelease(String(notes))).equals(notes))
    throw new PackError('release-notes.md is not what these tools write for this pack.')

  withImage(image, (inside) => {
    const content = new Map(listFiles(inside).map((path) => [path, readFileSync(join(inside, path))]))
    for (const [path, bytes] of content) if (path !== 'manifest.json') same(path, bytes)
    same(`${base}.squashfs`, image)
    checkArchive(`${base}.tar.gz`, take, content, time)
  })
  const swu = `${signed}.swu`
  // A release without a key for swupdate has none.
  if (there.has(swu)) {
    const certificate = trusted.certificate || (statement.development && DEVELOPMENT_SWU_KEY)
    if (!certificate) throw new PackError(`${swu} is signed by a key of its own: give SWU_CERT=… or take it away.`)
    if (!openSwu(take(swu, image.length + OVERHEAD), certificate, time).equals(image))
      throw new PackError(`The image in ${swu} is not what was signed.`)
  }
  throwFaults([...there].map((path) => `${path} does not belong to the pack.`))
}

function readUpdate(path: string, key: KeyObject): Update {
  try {
    return openUpdate(readAtMost(path, UPDATE_FILE_MAX), [key])
  } catch (error) {
    if (!(error instanceof PackError && error.kind === 'not-a-pack')) throw error
    throw new PackError(`${path} is no update: give the folder of the pack, or the .update in it.`)
  }
}

/**
 * @param path a pack's folder or its update
 * @returns what is vouched for
 * @throws Refusal for everything that is not as it should be
 */
export function verifyPack(path: string, budget: Budget, trusted: TrustedKeys): Statement {
  const key = readTrustedKey(trusted.key)
  if (!existsSync(path)) throw new PackError(`There is no pack at ${path}.`)
  const folder = statSync(path).isDirectory()
  const [update, ...others] = folder ? globSync('*.update', { cwd: path }).map((name) => join(path, name)) : [path]
  if (!update || others.length) throw new PackError(`${path} has ${update ? 'more than one' : 'no'} update in it.`)
  const opened = readUpdate(update, key)
  const sizes = checkImage(opened, budget)
  if (folder) checkFolder(path, basename(update), opened, sizes, trusted)
  return opened.statement
}

if (import.meta.main)
  runCommand(() => {
    const root = resolve(import.meta.dirname, '..')
    const budget = JSON.parse(readFileSync(join(root, 'size-budget.json'), 'utf8')) as Budget
    const { PUBLIC_KEY, SIGNING_KEY, SWU_CERT, SWU_KEY } = process.env
    const path = resolve(process.argv[2] ?? join(root, 'firmware-pack/out'))
    const said = verifyPack(path, budget, { key: PUBLIC_KEY || SIGNING_KEY, certificate: SWU_CERT || SWU_KEY })
    console.log(
      `Sound: ${said.name} ${said.version}, commit ${said.commit}${said.changed ? ' with changes' : ''}, ${said.time}.`
    )
    console.log(said.development ? 'Signed with the development key: not for production.' : `Signed by ${said.key}.`)
  })
