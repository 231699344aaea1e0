// Checks a web root against its manifest: every file is the one it names, every encoded copy decodes to it, and nothing else is there.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type Manifest, namedBy, type Proof, proves, WEB_ROOT } from './manifest.ts'

const DECODE = { br: brotliDecompressSync, gz: gunzipSync }

function decodesTo(plain: Buffer, encoded: Buffer, ending: 'br' | 'gz'): boolean {
  try {
    // What becomes larger than the file is not the file, however large it would become.
    return DECODE[ending](encoded, { maxOutputLength: Math.max(1, plain.length) }).equals(plain)
  } catch {
    return false
  }
}

/** @returns what is wrong, a line each; none for a sound pack */
export function verify(folder: string): string[] {
  const manifestPath = join(folder, 'manifest.json')
  if (!existsSync(manifestPath)) return ['manifest.json is missing']
  const { files } = JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest
  const wrong: string[] = []
  const named = new Set<string>()
  const webRoot = join(folder, WEB_ROOT)
  /** Whether it is a plain file, by path. A link might lead anywhere, so it is none. */
  const there = new Map<string, boolean>()
  for (const entry of existsSync(webRoot) ? readdirSync(webRoot, { recursive: true, withFileTypes: true }) : [])
    if (!entry.isDirectory()) there.set(relative(webRoot, join(entry.parentPath, entry.name)), entry.isFile())

  function check(path: string, proof: Proof): Buffer | undefined {
    named.add(path)
    if (!there.get(path)) return void wrong.push(`${path} is missing`)
    const file = join(webRoot, path)
    // By its size first: one that is far too large need not fit into memory.
    const bytes = statSync(file).size === proof.size ? readFileSync(file) : undefined
    if (bytes && proves(proof, bytes)) return bytes
    wrong.push(`${path} is not what the manifest says`)
  }

  for (const file of files) {
    const plain = check(file.path, file)
    // Whole as it is, such a console would never start.
    if (plain && file.path === 'index.html')
      for (const path of namedBy(String(plain)))
        if (!files.some((other) => other.path === path))
          wrong.push(`${path}, which index.html names, is not in the manifest`)
    for (const [ending, proof] of Object.entries(file.encodings) as ['br' | 'gz', Proof][]) {
      const encoded = check(`${file.path}.${ending}`, proof)
      if (plain && encoded && !decodesTo(plain, encoded, ending))
        wrong.push(`${file.path}.${ending} decodes to something else`)
    }
  }
  for (const path of there.keys()) if (!named.has(path)) wrong.push(`${path} is not in the manifest`)
  return wrong
}
