// A release of the whole hub: a folder with hub, console, stream engine, native programs and Node. Its update is read
// as a stream, because it is much larger than a console.
import { createHash, type KeyObject } from 'node:crypto'
import { createReadStream, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FileDigest } from './manifest.ts'
import { matchesDigest } from './manifest.ts'
import { PackError } from './pack-error.ts'
import { archiveSize, BLOCK, encodeHeader, paddedSize } from './tar.ts'
import {
  HEAD_MAX,
  IMAGE,
  MANIFEST,
  RELEASE_NAME,
  type ReleaseFacts,
  readUpdateHead,
  SIGNATURE,
  STATEMENT,
  type Statement,
  type UpdateHead
} from './update.ts'

/**
 * Number of the interface between a release, the launcher and the units, which belong to the package. A release with a
 * higher one needs a newer package.
 */
export const RELEASE_LAYOUT = 1

/** Bytes of the manifest of a release, with about 900 files. */
const MANIFEST_MAX = 4 << 20
/** Bytes of an image, and of all files of a release. */
export const RELEASE_IMAGE_MAX = 512 << 20
export const RELEASE_UNPACKED_MAX = 1 << 30

/** Versions, which are also names of folders, as Debian's without an epoch and a revision. */
export const VERSION_FORMAT = /^\d[\w.+~]{0,63}$/

export interface ReleaseFile extends FileDigest {
  /** Relative to the folder of the release. */
  path: string
  executable?: true
}

export interface ReleaseManifest {
  name: typeof RELEASE_NAME
  version: string
  commit: string
  changed?: true
  /** Time of the commit, ISO 8601 in UTC. */
  time: string
  files: ReleaseFile[]
}

/** A verified update with a release. */
export interface ReceivedRelease {
  statement: Statement & { release: ReleaseFacts }
  manifest: ReleaseManifest
}

/** What the machine is, to compare with `ReleaseFacts`. */
export interface Machine {
  /** As `process.arch`. */
  architecture: string
  /** Hardware version of the image; undefined on a machine that is no appliance. */
  hardware: string | undefined
}

/**
 * The facts of a release.
 * @throws PackError if the statement is not one of a release, or the release does not run on this machine
 */
export function requireRelease({ statement }: UpdateHead, machine: Machine): ReleaseFacts {
  const { name, version, release } = statement
  if (name !== RELEASE_NAME || !release) throw new PackError('The update is no release.', 'not-a-pack')
  if (!VERSION_FORMAT.test(version)) throw new PackError(`Not a version: ${version}`, 'format')
  if (release.architecture !== machine.architecture)
    throw new PackError(`The release is for ${release.architecture}, not for ${machine.architecture}.`, 'architecture')
  const { hardware, layout, unpacked } = release
  if (hardware && !hardware.includes(machine.hardware ?? ''))
    throw new PackError(`The release is for hardware ${hardware.join(', ')}.`, 'hardware')
  if (layout > RELEASE_LAYOUT) throw new PackError('The release needs a newer package.', 'format')
  if (statement.files[IMAGE].size > RELEASE_IMAGE_MAX || unpacked > RELEASE_UNPACKED_MAX)
    throw new PackError('The release is too large.', 'format')
  return release
}

/** Takes exact numbers of bytes from a stream. */
class ByteReader {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The next bytes, at most `max`; undefined at the end. */
  async next(max: number): Promise<Buffer | undefined> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#source.next()
      if (done) return undefined
      this.#rest = value
    }
    const taken = this.#rest.subarray(0, max)
    this.#rest = this.#rest.subarray(taken.length)
    return taken
  }

  /** @throws PackError if the stream ends before */
  async *read(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      const bytes = await this.next(left)
      if (!bytes) throw new PackError('The update is truncated.', 'cut-short')
      left -= bytes.length
      yield bytes
    }
  }

  async take(size: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const bytes of this.read(size)) parts.push(bytes)
    return Buffer.concat(parts)
  }

  /** Gives bytes back, which are read again. */
  unread(bytes: Buffer): void {
    this.#rest = Buffer.concat([bytes, this.#rest])
  }
}

async function readHead(reader: ByteReader, trusted: readonly KeyObject[]): Promise<UpdateHead> {
  let bytes = Buffer.alloc(0)
  for (;;) {
    const more = await reader.next(HEAD_MAX - bytes.length)
    if (!more) throw new PackError('The update is truncated.', 'cut-short')
    bytes = Buffer.concat([bytes, more])
    const head = readUpdateHead(bytes, trusted)
    if (!head) continue
    reader.unread(bytes)
    return head
  }
}

/**
 * @throws PackError unless the next bytes are these: tar headers and padding are not signed, so only one form is valid
 */
async function expectBytes(reader: ByteReader, expected: Buffer): Promise<void> {
  if (!(await reader.take(expected.length)).equals(expected))
    throw new PackError('The update has additional data or unexpected tar headers.', 'tampered')
}

interface ReceiveOptions {
  trusted: readonly KeyObject[]
  machine: Machine
  /** Called before the image is read. */
  onFacts(facts: ReleaseFacts & { version: string; image: number }): Promise<void>
  /** Writes the image. Its content is only valid if `receiveRelease` resolves. */
  writeImage(bytes: AsyncIterable<Buffer>): Promise<void>
}

/**
 * Reads an update with a release. Nothing in it is used before its signature is verified.
 * @param source the bytes of the update
 * @throws PackError
 */
export async function receiveRelease(
  source: AsyncIterable<Buffer>,
  { trusted, machine, onFacts, writeImage }: ReceiveOptions
): Promise<ReceivedRelease> {
  const reader = new ByteReader(source)
  const head = await readHead(reader, trusted)
  const release = requireRelease(head, machine)
  const { statement, signed, size } = head
  const { [MANIFEST]: manifestDigest, [IMAGE]: imageDigest } = statement.files
  if (manifestDigest.size > MANIFEST_MAX) throw new PackError('The manifest is too large.', 'format')
  const time = Date.parse(statement.time) / 1000
  const expectFile = async (path: string, length: number) => expectBytes(reader, encodeHeader(path, length, time))
  const expectPadding = (length: number) => expectBytes(reader, Buffer.alloc(paddedSize(length) - length))
  for (const [path, bytes] of [
    [STATEMENT, signed.text],
    [SIGNATURE, signed.signature]
  ] as const) {
    await expectFile(path, bytes.length)
    await expectBytes(reader, bytes)
    await expectPadding(bytes.length)
  }
  await expectFile(MANIFEST, manifestDigest.size)
  const manifestBytes = await reader.take(manifestDigest.size)
  if (!matchesDigest(manifestDigest, manifestBytes)) throw tampered(MANIFEST)
  await expectPadding(manifestDigest.size)
  await onFacts({ ...release, version: statement.version, image: imageDigest.size })
  await expectFile(IMAGE, imageDigest.size)
  const hash = createHash('sha256')
  await writeImage(
    (async function* () {
      for await (const bytes of reader.read(imageDigest.size)) {
        hash.update(bytes)
        yield bytes
      }
    })()
  )
  if (hash.digest('hex') !== imageDigest.sha256) throw tampered(IMAGE)
  await expectPadding(imageDigest.size)
  const sizes = [signed.text.length, signed.signature.length, manifestDigest.size, imageDigest.size]
  const used = sizes.reduce((sum, bytes) => sum + BLOCK + paddedSize(bytes), 0)
  await expectBytes(reader, Buffer.alloc(archiveSize(sizes) - used))
  if (size !== archiveSize(sizes) || (await reader.next(1)))
    throw new PackError('The update has additional data.', 'tampered')
  return { statement: { ...statement, release }, manifest: JSON.parse(String(manifestBytes)) as ReleaseManifest }
}

const tampered = (path: string) =>
  new PackError(`${path} in the update does not match the signed statement.`, 'tampered')

async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** The files below a folder, sorted by path. Links and other special files are refused. */
export function listReleaseFiles(folder: string): { path: string; size: number; executable: boolean }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const path = file.slice(folder.length + 1)
      if (!entry.isFile()) throw new PackError(`${path} is not a regular file.`, 'tampered')
      const { size, mode } = lstatSync(file)
      return { path, size, executable: (mode & 0o111) !== 0 }
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** Compares the files of an unpacked release with its manifest. @throws PackError if they are not the same */
export async function verifyRelease(folder: string, { files }: ReleaseManifest): Promise<void> {
  const listed = new Map(files.map((file) => [file.path, file]))
  for (const { path, size, executable } of listReleaseFiles(folder)) {
    const file = listed.get(path)
    const isSame = file?.size === size && (file.executable ?? false) === executable
    if (!isSame || (await digestOfFile(join(folder, path))) !== file.sha256)
      throw new PackError(`${path} is not the file of the manifest.`, 'tampered')
    listed.delete(path)
  }
  const [missing] = listed.keys()
  if (missing !== undefined) throw new PackError(`${missing} is missing.`, 'tampered')
}
