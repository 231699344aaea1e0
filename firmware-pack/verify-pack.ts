// `make firmware-verify`: checks a pack without building it. What is checked, a folder or one file of it, is taken for hostile until
// its signature holds.
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Budget, lines, over } from '../pack/budget.ts'
import { WEB_ROOT } from '../pack/manifest.ts'
import { Refusal } from '../pack/refusal.ts'
import { untar } from '../pack/tar.ts'
import { openUpdate, type Statement, type Update } from '../pack/update.ts'
import { verify } from '../pack/verify.ts'
import { measure } from './budget.ts'
import { readBundle } from './bundle-files.ts'
import { inImage } from './image.ts'
import { DEVELOPMENT_SWU_KEY, readTrusted } from './keys.ts'
import { runVerb } from './run-verb.ts'
import { openSwu } from './swu.ts'

/** Keys to trust, by path; each has a development key in its place. */
export interface Trusted {
  /** Ed25519, public or private. */
  key?: string | undefined
  /** Certificate of swupdate's key. */
  certificate?: string | undefined
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

function unzip(path: string, bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes)
  } catch {
    throw new Refusal(`${path} is cut short or no gzip file.`)
  }
}

function refuseAny(faults: readonly string[]): void {
  if (faults.length) throw new Refusal(faults.join('\n'))
}

/** What is in the image is what the signed manifest says, and within the budget. */
function checkImage({ image, manifest }: Update, budget: Budget): void {
  inImage(image, (folder) => {
    if (!readFileSync(join(folder, 'manifest.json')).equals(manifest))
      throw new Refusal('The manifest in the image is not the signed one.')
    refuseAny(verify(folder))
    const heavy = over(lines(measure(readBundle(join(folder, WEB_ROOT))), budget))
    refuseAny(heavy.map(({ what, is, limit }) => `Over budget: ${what}: ${is} bytes, limit ${limit}`))
  })
}

/** What lies beside the update in a pack is the same as in it. */
function checkBeside(folder: string, { image, manifest }: Update, certificate: string | undefined): void {
  const bytesOf = (path: string) => {
    if (!existsSync(join(folder, path))) throw new Refusal(`${path} is missing.`)
    return readFileSync(join(folder, path))
  }
  const same = (what: string, one: Uint8Array, signed: Uint8Array) => {
    if (Buffer.compare(one, signed)) throw new Refusal(`${what} is not what was signed.`)
  }
  same('manifest.json', bytesOf('manifest.json'), manifest)
  refuseAny(verify(folder))
  for (const path of globSync('*.squashfs', { cwd: folder })) same(path, bytesOf(path), image)
  for (const path of globSync('*.swu', { cwd: folder }))
    if (certificate) same(`The image in ${path}`, openSwu(bytesOf(path), certificate), image)
  inImage(image, (inside) => {
    const signed = new Map(filesIn(inside).map((path) => [path, readFileSync(join(inside, path))]))
    for (const [path, bytes] of signed) same(path, bytesOf(path), bytes)
    for (const path of globSync('*.tar.gz', { cwd: folder })) {
      const entries = untar(unzip(path, bytesOf(path)))
      if (entries.length !== signed.size) throw new Refusal(`${path} holds other files than were signed.`)
      for (const entry of entries) {
        const bytes = signed.get(entry.path.replace(/^[^/]*\//, ''))
        same(`${entry.path} in ${path}`, entry.bytes, bytes ?? Buffer.of())
      }
    }
  })
}

/**
 * @param path a pack's folder or its update
 * @returns what is vouched for
 * @throws Refusal for everything that is not as it should be
 */
export function verifyPack(path: string, budget: Budget, trusted: Trusted): Statement {
  const key = readTrusted(trusted.key)
  if (!existsSync(path)) throw new Refusal(`There is no pack at ${path}.`)
  const folder = statSync(path).isDirectory()
  const [update, ...others] = folder ? globSync('*.update', { cwd: path }).map((name) => join(path, name)) : [path]
  if (!update || others.length) throw new Refusal(`${path} has ${update ? 'more than one' : 'no'} update in it.`)
  const opened = openUpdate(readFileSync(update), [key])
  checkImage(opened, budget)
  const { development } = opened.statement
  if (folder) checkBeside(path, opened, trusted.certificate || (development && DEVELOPMENT_SWU_KEY) || undefined)
  return opened.statement
}

if (import.meta.main)
  runVerb(() => {
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
