// What the build left in `dist/`.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface BundleFile {
  /** Relative, with `/`. */
  path: string
  bytes: Buffer
}

/** Names with a hash of the content: what lies behind one never changes, so browsers may keep it for ever. */
export const HASHED = /-[\w-]{8,}\.\w+$/

/** The help page is a document that some open later, in a window of its own: no part of the console. */
export const DOCUMENT = /^help\.(html|css)$/

/**
 * The files of the bundle in order of their paths, whatever order the file system and the locale have.
 * Source maps are for developers and stay out.
 * @throws when there is no bundle
 */
export function readBundle(folder: string): BundleFile[] {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(map|br|gz)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length))
  if (!paths.includes('index.html')) throw new Error(`${folder} has no index.html: build first`)
  return paths.sort((a, b) => (a < b ? -1 : 1)).map((path) => ({ path, bytes: readFileSync(join(folder, path)) }))
}
