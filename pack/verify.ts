// Verifies a web root against its manifest: every file matches its digest, every encoded copy decodes to the file, and
// there are no other files.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import {
  type FileDigest,
  type Manifest,
  type ManifestFile,
  matchesDigest,
  referencedPaths,
  WEB_ROOT
} from './manifest.ts'

const DECODE = { br: brotliDecompressSync, gz: gunzipSync }

function decodesTo(plain: Buffer, encoded: Buffer, ending: 'br' | 'gz'): boolean {
  try {
    // Limits the output to the size of the file, which protects against decompression bombs.
    return DECODE[ending](encoded, { maxOutputLength: Math.max(1, plain.length) }).equals(plain)
  } catch {
    return false
  }
}

/**
 * Files below a folder by path, and whether each is a regular file. Symbolic links are not, because they can point
 * anywhere.
 */
function listFiles(folder: string): Map<string, boolean> {
  const files = new Map<string, boolean>()
  if (!existsSync(folder)) return files
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (!entry.isDirectory()) files.set(relative(folder, join(entry.parentPath, entry.name)), entry.isFile())
  return files
}

class WebRootVerifier {
  readonly errors: string[] = []
  readonly #webRoot: string
  readonly #manifestFiles: readonly ManifestFile[]
  readonly #existing: Map<string, boolean>
  readonly #listed = new Set<string>()

  constructor(webRoot: string, manifestFiles: readonly ManifestFile[]) {
    this.#webRoot = webRoot
    this.#manifestFiles = manifestFiles
    this.#existing = listFiles(webRoot)
  }

  run(): void {
    for (const file of this.#manifestFiles) this.#checkFile(file)
    for (const path of this.#existing.keys())
      if (!this.#listed.has(path)) this.errors.push(`${path} is not in the manifest`)
  }

  #checkFile(file: ManifestFile): void {
    const plain = this.#read(file.path, file)
    if (plain && file.path === 'index.html') this.#checkReferences(String(plain))
    for (const [ending, digest] of Object.entries(file.encodings) as ['br' | 'gz', FileDigest][]) {
      const encoded = this.#read(`${file.path}.${ending}`, digest)
      if (plain && encoded && !decodesTo(plain, encoded, ending))
        this.errors.push(`${file.path}.${ending} decodes to something else`)
    }
  }

  /** A page that refers to a missing file would never start, even if all files match the manifest. */
  #checkReferences(page: string): void {
    for (const path of referencedPaths(page))
      if (!this.#manifestFiles.some((file) => file.path === path))
        this.errors.push(`${path}, which index.html refers to, is not in the manifest`)
  }

  #read(path: string, digest: FileDigest): Buffer | undefined {
    this.#listed.add(path)
    if (!this.#existing.get(path)) return void this.errors.push(`${path} is missing`)
    const file = join(this.#webRoot, path)
    // Checks the size first, so that a huge file is not read into memory.
    const bytes = statSync(file).size === digest.size ? readFileSync(file) : undefined
    if (bytes && matchesDigest(digest, bytes)) return bytes
    this.errors.push(`${path} does not match the manifest`)
  }
}

/** Verifies the web root of a pack. @returns one line per error; empty if the pack is valid */
export function verifyWebRoot(folder: string): string[] {
  const manifestPath = join(folder, 'manifest.json')
  if (!existsSync(manifestPath)) return ['manifest.json is missing']
  const { files } = JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest
  const verifier = new WebRootVerifier(join(folder, WEB_ROOT), files)
  verifier.run()
  return verifier.errors
}
