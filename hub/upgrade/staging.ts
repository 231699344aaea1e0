// Verifies an uploaded update, and unpacks it beside the slots. Nothing in it is used before its signature is verified.
import { execFile } from 'node:child_process'
import { createHash, type KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { UploadedUpdate } from '../../contract/update.ts'
import { type Budget, budgetLines, linesOverLimit, measurePack } from '../../pack/budget.ts'
import { type Manifest, referencedPaths, WEB_ROOT } from '../../pack/manifest.ts'
import { PackError } from '../../pack/pack-error.ts'
import {
  type Command,
  listCommand,
  OUTPUT_MAX,
  sizeOfListing,
  UNPACKED_MAX,
  unpackCommand
} from '../../pack/squashfs.ts'
import { MANIFEST, openUpdate, SIGNATURE, STATEMENT } from '../../pack/update.ts'
import { verifyWebRoot } from '../../pack/verify.ts'
import { syncTree } from '../data-folder/fsync.ts'
import { scriptOf, versionOf } from './console-folder.ts'

const execFileAsync = promisify(execFile)

/** Milliseconds; unpacking a console takes about 0.1 s. */
const UNPACK_TIMEOUT = 60_000

/**
 * Bytes of the files of an image that are not files of the console: manifest, licences, configurations of web servers.
 */
const OTHER_FILES_MAX = 4 << 20

/** The console in the pack exceeds the size budget. */
export class OverBudget extends PackError {
  readonly line: { part: string; is: number; limit: number }
  constructor(part: string, is: number, limit: number) {
    super(`The console is too large: ${part} has ${is}, the limit is ${limit}.`, 'over-budget')
    this.line = { part, is, limit }
  }
}

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

/** Runs a program. @returns its output */
async function run({ program, args }: Command, signal: AbortSignal): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C' }
  try {
    const options = { signal, timeout: UNPACK_TIMEOUT, maxBuffer: OUTPUT_MAX, killSignal: 'SIGKILL', env } as const
    return (await execFileAsync(program, args, options)).stdout
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new PackError('unsquashfs is missing. Install it: apt-get install squashfs-tools', 'tool')
    signal.throwIfAborted()
    throw new PackError(`The image cannot be unpacked: ${String((error as Error).message).split('\n')[0]}`, 'format')
  }
}

/**
 * @throws PackError if the image cannot be unpacked, or is larger than `maxBytes` unpacked: then before anything is
 * unpacked
 */
export async function unpackImage(image: string, target: string, maxBytes: number, signal: AbortSignal): Promise<void> {
  const size = sizeOfListing(await run(listCommand(image), signal))
  if (size > maxBytes) throw new OverBudget('image', size, maxBytes)
  await run(unpackCommand(image, target, maxBytes), signal)
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
  await unpackImage(imageFile, tree, maxBytes, signal)
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
