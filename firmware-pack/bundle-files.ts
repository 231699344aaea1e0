// Reads the bundle in `dist/`.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

export interface BundleFile {
  /** Path relative to the bundle, with `/`. */
  path: string
  bytes: Buffer
  /** The gzip copy that the build has written. Compressing again would take seconds. */
  gzip?: Buffer
}

/** File names with a hash of the content. Such a file never changes, so browsers may cache it without a time limit. */
export const HASHED = /-[\w-]{8,}\.\w+$/

/** Returns the gzip copy of a file if it has the same content. */
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
 * Returns the files of the bundle, sorted by path, independent of file system and locale.
 * Source maps are left out, because they are for developers, and so is `version.json`, because the manifest contains
 * the version.
 * @throws Error when there is no bundle
 */
export function readBundle(folder: string): BundleFile[] {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(map|br|gz)$|^version\.json$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length))
  if (!paths.includes('index.html')) throw new Error(`${folder} has no index.html. Run make build first.`)
  return paths
    .sort((a, b) => (a < b ? -1 : 1))
    .map((path) => {
      const bytes = readFileSync(join(folder, path))
      const gzip = gzipBeside(join(folder, path), bytes)
      return { path, bytes, ...(gzip && { gzip }) }
    })
}
