// Opens an uploaded update, checks all of it, and unpacks it beside the slots. Nothing in it is believed before its signature is.
import { execFile } from 'node:child_process'
import { createHash, type KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { UploadedUpdate } from '../../contract/update.ts'
import { type Budget, lines, measurePack, over } from '../../pack/budget.ts'
import { type Manifest, namedBy, WEB_ROOT } from '../../pack/manifest.ts'
import { Refusal } from '../../pack/refusal.ts'
import { MANIFEST, openUpdate, SIGNATURE, STATEMENT } from '../../pack/update.ts'
import { verify } from '../../pack/verify.ts'
import { scriptOf, versionOf } from './console-folder.ts'
import { syncTree } from './fsync.ts'

const run = promisify(execFile)

/** Milliseconds for unpacking: a console takes a tenth of a second. */
const UNPACK_TIME = 60_000

/** A pack whose console is too large. */
export class OverBudget extends Refusal {
  readonly line: { part: string; is: number; limit: number }
  constructor(part: string, is: number, limit: number) {
    super(`${part}: ${is}, limit ${limit}`, 'over-budget')
    this.line = { part, is, limit }
  }
}

export interface StageOptions {
  trusted: readonly KeyObject[]
  budget: Budget | undefined
  signal: AbortSignal
  /** Refuses where so many bytes more would leave too little room. */
  makeSure(bytes: number): Promise<void>
}

/** Bytes of everything that a manifest names. */
function unpacked({ files }: Manifest): number {
  const proofs = files.flatMap((file) => [file, ...Object.values(file.encodings)])
  return proofs.reduce((sum, { size }) => sum + size, 0)
}

async function unpack(image: string, tree: string, signal: AbortSignal): Promise<void> {
  try {
    const options = { signal, timeout: UNPACK_TIME, env: { ...process.env, LC_ALL: 'C' } }
    await run('unsquashfs', ['-no-progress', '-no-xattrs', '-d', tree, image], options)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Refusal('unsquashfs is missing. Install it: apt-get install squashfs-tools', 'tool')
    signal.throwIfAborted()
    throw new Refusal(`The image cannot be unpacked: ${String((error as Error).message).split('\n')[0]}`, 'format')
  }
}

/**
 * @param file the update as it was sent
 * @param staging folder that is made, and has all of a slot when this returns; on the disk too
 * @throws Refusal
 */
export async function stage(
  file: string,
  staging: string,
  { trusted, budget, signal, makeSure }: StageOptions
): Promise<UploadedUpdate> {
  const bytes = readFileSync(file)
  const { statement, manifest, image, signed } = openUpdate(bytes, trusted)
  const said = JSON.parse(String(manifest)) as Manifest
  const [heavy] = budget ? over(lines(measurePack(said), budget)) : []
  if (heavy) throw new OverBudget(heavy.what, heavy.is, heavy.limit ?? 0)
  await makeSure(image.length + unpacked(said))

  rmSync(staging, { recursive: true, force: true })
  mkdirSync(staging, { recursive: true, mode: 0o700 })
  const [packed, tree] = [join(staging, 'image'), join(staging, 'tree')]
  writeFileSync(packed, image)
  await unpack(packed, tree, signal)
  if (!existsSync(join(tree, MANIFEST)) || !readFileSync(join(tree, MANIFEST)).equals(manifest))
    throw new Refusal('The manifest in the image is not the signed one.', 'tampered')
  const there = new Set(said.files.map(({ path }) => path))
  const page = there.has('index.html') ? readFileSync(join(tree, WEB_ROOT, 'index.html'), 'utf8') : ''
  // It could never say that it works.
  if (!scriptOf(page) || !namedBy(page).every((path) => there.has(path)))
    throw new Refusal('The update holds no page that starts a script.', 'format')
  const [fault] = verify(tree)
  if (fault) throw new Refusal(fault, 'tampered')

  renameSync(join(tree, WEB_ROOT), join(staging, WEB_ROOT))
  writeFileSync(join(staging, MANIFEST), manifest)
  writeFileSync(join(staging, STATEMENT), signed.text)
  writeFileSync(join(staging, SIGNATURE), signed.signature)
  for (const done of [packed, tree]) rmSync(done, { recursive: true })
  syncTree(staging)
  const id = createHash('sha256').update(signed.text).digest('hex')
  return { id, size: bytes.length, ...versionOf(statement) }
}
