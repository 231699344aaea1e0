// What the build left in `dist/`.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

export interface BundleFile {
  /** Relative, with `/`. */
  path: string
  bytes: Buffer
  /** As it lies packed beside, made by the build or a pack. Packing again would take seconds. */
  gzip?: Buffer
}

/** Names with a hash of the content: what lies behind one never changes, so browsers may keep it for ever. */
export const HASHED = /-[\w-]{8,}\.\w+$/

/** The packed copy beside a file, when it is one of this very file. */
function gzipBeside(path: string, bytes: Buffer): Buffer | undefined {
  if (!existsSync(`${path}.gz`)) return undefined
  const packed = readFileSync(`${path}.gz`)
  try {
    return gunzipSync(packed).equals(bytes) ? packed : undefined
  } catch {
    return undefined
  }
}

/**
 * The files of the bundle in order of their paths, whatever order the file system and the locale have.
 * Source maps are for developers and stay out, and so does `version.json`: the manifest says it.
 * @throws when there is no bundle
 */
export function readBundle(folder: string): BundleFile[] {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(map|br|gz)$|^version\.json$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length))
  if (!paths.includes('index.html')) throw new Error(`${folder} has no index.html: build first`)
  return paths
    .sort((a, b) => (a < b ? -1 : 1))
    .map((path) => {
      const bytes = readFileSync(join(folder, path))
      const gzip = gzipBeside(join(folder, path), bytes)
      return { path, bytes, ...(gzip && { gzip }) }
    })
}
