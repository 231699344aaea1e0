// Brings to the disk what must be there before the next step may be taken.
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A file or a folder. Of a folder, the names in it. */
export function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** A folder with all that is in it. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    sync(join(entry.parentPath, entry.name))
  sync(folder)
}

/** Writes a file in the place of the one there is: whole or not at all, whatever happens in between. */
export function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.part`, text, { mode: 0o600, flush: true })
  renameSync(`${path}.part`, path)
  sync(dirname(path))
}
