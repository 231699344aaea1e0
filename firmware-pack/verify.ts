// Checks a pack without building it: `node firmware-pack/verify.ts [folder]`. Every file is the one the manifest names, every
// encoded copy decodes to it, and nothing else lies in the web root.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type Manifest, type Proof, WEB_ROOT } from './payload.ts'

const DECODE = { br: brotliDecompressSync, gz: gunzipSync }

/** @returns what is wrong, a line each; none for a sound pack */
export function verify(folder: string): string[] {
  const manifestPath = join(folder, 'manifest.json')
  if (!existsSync(manifestPath)) return ['manifest.json is missing']
  const { files } = JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest
  const wrong: string[] = []
  const named = new Set<string>()

  function check(path: string, { size, sha256 }: Proof): Buffer | undefined {
    named.add(path)
    const full = join(folder, WEB_ROOT, path)
    if (!existsSync(full)) return void wrong.push(`${path} is missing`)
    const bytes = readFileSync(full)
    if (bytes.length === size && createHash('sha256').update(bytes).digest('hex') === sha256) return bytes
    wrong.push(`${path} is not what the manifest says`)
  }

  for (const file of files) {
    const plain = check(file.path, file)
    for (const [ending, proof] of Object.entries(file.encodings) as ['br' | 'gz', Proof][]) {
      const encoded = check(`${file.path}.${ending}`, proof)
      if (plain && encoded && !DECODE[ending](encoded).equals(plain))
        wrong.push(`${file.path}.${ending} decodes to something else`)
    }
  }
  const webRoot = join(folder, WEB_ROOT)
  for (const entry of readdirSync(webRoot, { recursive: true, withFileTypes: true })) {
    const path = relative(webRoot, join(entry.parentPath, entry.name))
    if (entry.isFile() && !named.has(path)) wrong.push(`${path} is not in the manifest`)
  }
  return wrong
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(import.meta.dirname, 'out'))
  const wrong = verify(folder)
  for (const line of wrong) console.error(line)
  console.log(wrong.length ? `${wrong.length} faults` : 'The pack is sound.')
  process.exitCode = wrong.length ? 1 : 0
}
