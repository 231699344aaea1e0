// Signed update: a tar archive of a statement (version and digests), its Ed25519 signature, the manifest of the pack,
// and a squashfs image: of the web root, or of a release of the whole hub (release.ts).
import { type KeyObject, sign } from 'node:crypto'
import { fingerprint } from './keys.ts'
import { computeDigest, type FileDigest, type Manifest, matchesDigest } from './manifest.ts'
import { PackError } from './pack-error.ts'
import { openSigned, type SignatureFault, type SignedBy, type Signer, signedBy } from './signature.ts'
import { archiveSize, BLOCK, createTar, paddedSize, readHeader, readTar } from './tar.ts'

/** Files of an update, in the order of the archive. */
export const STATEMENT = 'update.json'
export const SIGNATURE = 'update.sig'
export const MANIFEST = 'manifest.json'
export const IMAGE = 'image.squashfs'
/** `name` of statements and manifests. */
export const CONSOLE_NAME = 'headend-console'
export const RELEASE_NAME = 'headend'
const FILE_ORDER = [STATEMENT, SIGNATURE, MANIFEST, IMAGE]

const FORMAT = 1

/** Content of `update.json`. The signature covers the bytes of the file. */
export interface Statement extends SignedBy {
  format: typeof FORMAT
  name: string
  version: string
  commit: string
  changed?: true
  time: string
  files: Record<typeof MANIFEST | typeof IMAGE, FileDigest>
  /** Of a release only. */
  release?: ReleaseFacts
}

/** What must fit so that a release can run on a machine. */
export interface ReleaseFacts {
  /** As of `process.arch`. */
  architecture: string
  /** Number of the interface between a release, its launcher and its units (`RELEASE_LAYOUT`). */
  layout: number
  /** Number of the protocol between hub and stream engine. If it differs, streams are interrupted. */
  engine: number
  /** Hardware versions on which it runs; absent: on all. */
  hardware?: string[]
  /** Bytes of all files. */
  unpacked: number
}

/** The start of an update, up to the signature. */
export interface UpdateHead {
  statement: Statement
  /** Bytes of the statement and of its signature. */
  signed: { text: Buffer; signature: Buffer }
  /** Bytes of the whole file. */
  size: number
}

/** Bytes of the start of an update that has the statement and the signature. */
export const HEAD_MAX = 16 << 10

export interface Update {
  statement: Statement
  manifest: Buffer
  image: Buffer
  /** Bytes of the statement and of its signature. */
  signed: { text: Buffer; signature: Buffer }
}

/** Creates a signed update. @param manifestBytes the manifest as stored in the pack */
export function createUpdate(
  manifestBytes: Buffer,
  manifest: Pick<Manifest, 'name' | 'version' | 'commit' | 'changed' | 'time'>,
  image: Buffer,
  signer: Signer,
  release?: ReleaseFacts
): Buffer {
  const { name, version, commit, changed, time } = manifest
  const statement: Statement = {
    format: FORMAT,
    name,
    version,
    commit,
    ...(changed && { changed }),
    time,
    ...signedBy(signer),
    files: { [MANIFEST]: computeDigest(manifestBytes), [IMAGE]: computeDigest(image) },
    ...(release && { release })
  }
  const text = Buffer.from(`${JSON.stringify(statement, undefined, 2)}\n`)
  return createArchive([text, sign(undefined, text, signer.key), manifestBytes, image], statement)
}

/** @param files in the order of `FILE_ORDER` */
function createArchive(files: readonly Buffer[], { time }: Statement): Buffer {
  const entries = files.map((bytes, index) => ({ path: FILE_ORDER[index] as string, bytes }))
  return createTar(entries, Date.parse(time) / 1000)
}

/**
 * Parses a statement that is signed with one of the `trusted` keys.
 * @throws PackError if the signature is invalid or from another key, or the format is unknown
 */
export function readStatement(text: Buffer, signature: Buffer, trusted: readonly KeyObject[]): Statement {
  const opened = openSigned(text, signature, trusted)
  if ('fault' in opened) throw explainFault(opened, trusted)
  const statement = opened.content as Statement | undefined
  if (statement?.format !== FORMAT)
    throw new PackError(`Unknown update format ${statement?.format}; supported is ${FORMAT}.`, 'format')
  return statement
}

/**
 * Reads the start of an update whose rest has not arrived.
 * @returns undefined while bytes are missing
 * @throws PackError as `readStatement`, and if the file is no update
 */
export function readUpdateHead(bytes: Buffer, trusted: readonly KeyObject[]): UpdateHead | undefined {
  const [text, signature] = [readEntry(bytes, 0, STATEMENT), readEntry(bytes, 1, SIGNATURE)]
  if (!text || !signature) {
    if (bytes.length >= HEAD_MAX) throw new PackError('The update has no statement with a signature.', 'not-a-pack')
    return undefined
  }
  const statement = readStatement(text, signature, trusted)
  const { [MANIFEST]: manifest, [IMAGE]: image } = statement.files
  return {
    statement,
    signed: { text, signature },
    size: archiveSize([text.length, signature.length, manifest.size, image.size])
  }
}

/** The content of a file of an archive; undefined while bytes are missing. */
function readEntry(archive: Buffer, index: number, path: string): Buffer | undefined {
  let offset = 0
  for (let before = 0; ; before++) {
    if (archive.length < offset + BLOCK) return undefined
    const header = readHeader(archive.subarray(offset, offset + BLOCK))
    if (header?.path !== FILE_ORDER[before]) throw new PackError(`The update has no ${path}.`, 'not-a-pack')
    const start = offset + BLOCK
    const size = header?.size ?? 0
    if (before === index) return archive.length < start + size ? undefined : archive.subarray(start, start + size)
    offset = start + paddedSize(size)
  }
}

/**
 * Verifies and opens an update that is signed with one of the `trusted` keys.
 * @throws PackError if it is truncated, has another format, is signed with another key, or was changed
 */
export function openUpdate(bytes: Buffer, trusted: readonly KeyObject[]): Update {
  const files = readTar(bytes)
  const [text, signature, manifest, image] = files.map((file) => file.bytes)
  if (!text || !signature || !manifest || !image || files.some(({ path }, index) => path !== FILE_ORDER[index]))
    throw new PackError(`The update does not consist of ${FILE_ORDER.join(', ')}.`, 'not-a-pack')
  const statement = readStatement(text, signature, trusted)
  for (const [path, file] of [
    [MANIFEST, manifest],
    [IMAGE, image]
  ] as const)
    if (!matchesDigest(statement.files[path], file))
      throw new PackError(`${path} in the update does not match the signed statement.`, 'tampered')
  // No data may be before, between or after the files, and tar headers must have no other owner, mode or time.
  if (!createArchive([text, signature, manifest, image], statement).equals(bytes))
    throw new PackError('The update has additional data or unexpected tar headers.', 'tampered')
  return { statement, manifest, image, signed: { text, signature } }
}

function explainFault({ fault, key }: SignatureFault, trusted: readonly KeyObject[]): PackError {
  if (fault === 'tampered')
    return new PackError('The update was changed after it was signed, or does not name its key.', fault)
  const signer = fault === 'development' ? 'the development key' : `the key ${key}`
  const accepted = trusted.map(fingerprint).join(' or ')
  return new PackError(`The update is signed with ${signer}, not with ${accepted}. Set PUBLIC_KEY=…`, fault)
}
