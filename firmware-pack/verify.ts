// Checks a web root against its manifest: every file is the one it names, every encoded copy decodes to it, and nothing else is there.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type Manifest, type Proof, proves, WEB_ROOT } from './payload.ts'

const DECODE = { br: brotliDecompressSync, gz: gunzipSync }

function decodesTo(plain: Buffer, encoded: Buffer, ending: 'br' | 'gz'): boolean {
  try {
    return DECODE[ending](encoded).equals(plain)
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

  function check(path: string, proof: Proof): Buffer | undefined {
    named.add(path)
    const full = join(folder, WEB_ROOT, path)
    if (!existsSync(full)) return void wrong.push(`${path} is missing`)
    const bytes = readFileSync(full)
    if (proves(proof, bytes)) return bytes
    wrong.push(`${path} is not what the manifest says`)
  }

  for (const file of files) {
    const plain = check(file.path, file)
    for (const [ending, proof] of Object.entries(file.encodings) as ['br' | 'gz', Proof][]) {
      const encoded = check(`${file.path}.${ending}`, proof)
      if (plain && encoded && !decodesTo(plain, encoded, ending))
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
