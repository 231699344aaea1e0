// Verifies an uploaded update, and unpacks it beside the slots. Nothing in it is used before its signature is verified.
import { createHash, type KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UploadedUpdate } from '../../contract/update.ts'
import { syncTree } from '../../data-files/fsync.ts'
import { type Budget, budgetLines, linesOverLimit, measurePack } from '../../pack/budget.ts'
import { type Manifest, referencedPaths, WEB_ROOT } from '../../pack/manifest.ts'
import { OverBudget, PackError } from '../../pack/pack-error.ts'
import { UNPACKED_MAX } from '../../pack/squashfs.ts'
import { unpackImage } from '../../pack/unpack.ts'
import { MANIFEST, openUpdate, SIGNATURE, STATEMENT } from '../../pack/update.ts'
import { verifyWebRoot } from '../../pack/verify.ts'
import { scriptOf, versionOf } from './console-folder.ts'

/** Milliseconds; unpacking a console takes about 0.1 s. */
const UNPACK_TIMEOUT = 60_000

/**
 * Bytes of the files of an image that are not files of the console: manifest, licences, configurations of web servers.
 */
const OTHER_FILES_MAX = 4 << 20

interface StageOptions {
  trusted: readonly KeyObject[]
  /** Undefined = no size limit. */
  budget: Budget | undefined
  signal: AbortSignal
  /** Rejects if this many more bytes would leave too little free space. */
  requireFreeSpace(bytes: number): Promise<void>
}

/** Bytes of all files in a manifest, with their compressed variants. */
function unpackedSize({ files }: Manifest): number {
  const digests = files.flatMap((file) => [file, ...Object.values(file.encodings)])
  return digests.reduce((sum, { size }) => sum + size, 0)
}

/** @throws PackError if the unpacked files are not those of the signed manifest, or contain no page that can start */
function verifyTree(tree: string, manifestBytes: Buffer, { files }: Manifest): void {
  if (!existsSync(join(tree, MANIFEST)) || !readFileSync(join(tree, MANIFEST)).equals(manifestBytes))
    throw new PackError('The manifest in the image is not the signed one.', 'tampered')
  const paths = new Set(files.map(({ path }) => path))
  const page = paths.has('index.html') ? readFileSync(join(tree, WEB_ROOT, 'index.html'), 'utf8') : ''
  // Without a script the console could never confirm itself.
  if (!scriptOf(page) || !referencedPaths(page).every((path) => paths.has(path)))
    throw new PackError('The update contains no page that starts a script.', 'format')
  const [fault] = verifyWebRoot(tree)
  if (fault) throw new PackError(fault, 'tampered')
}

/**
 * @param file the uploaded update
 * @param staging folder to create; it then has the content of a slot, synced to disk
 * @throws PackError
 */
export async function stageUpdate(
  file: string,
  staging: string,
  { trusted, budget, signal, requireFreeSpace }: StageOptions
): Promise<UploadedUpdate> {
  const bytes = readFileSync(file)
  const { statement, manifest: manifestBytes, image, signed } = openUpdate(bytes, trusted)
  const manifest = JSON.parse(String(manifestBytes)) as Manifest
  const [excess] = budget ? linesOverLimit(budgetLines(measurePack(manifest), budget)) : []
  if (excess) throw new OverBudget(excess.name, excess.value, excess.limit ?? 0)
  const maxBytes = unpackedSize(manifest) + OTHER_FILES_MAX
  if (maxBytes > UNPACKED_MAX) throw new OverBudget('total raw', maxBytes, UNPACKED_MAX)
  await requireFreeSpace(image.length + maxBytes)

  rmSync(staging, { recursive: true, force: true })
  mkdirSync(staging, { recursive: true, mode: 0o700 })
  const imageFile = join(staging, 'image')
  const tree = join(staging, 'tree')
  writeFileSync(imageFile, image)
  await unpackImage(imageFile, tree, maxBytes, { signal, timeout: UNPACK_TIMEOUT })
  verifyTree(tree, manifestBytes, manifest)

  renameSync(join(tree, WEB_ROOT), join(staging, WEB_ROOT))
  writeFileSync(join(staging, MANIFEST), manifestBytes)
  writeFileSync(join(staging, STATEMENT), signed.text)
  writeFileSync(join(staging, SIGNATURE), signed.signature)
  for (const path of [imageFile, tree]) rmSync(path, { recursive: true })
  syncTree(staging)
  const id = createHash('sha256').update(signed.text).digest('hex')
  return { id, size: bytes.length, ...versionOf(statement) }
}
