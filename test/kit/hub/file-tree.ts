// The files of a folder by content.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** SHA-256 of each file below a folder by relative path, without those whose first folder or name matches `except`. */
export function hashTree(folder: string, except = /^(hub\.lock|replaced-|last-backup)/): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !except.test(path))
  return Object.fromEntries(
    paths.sort().map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex')
    ])
  )
}
