// Syncs files and folders to disk, so that a power cut cannot lose them.
import { closeSync, fchmodSync, fsyncSync, openSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Syncs a file, or the entries of a folder. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Syncs a folder and everything in it. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    syncPath(join(entry.parentPath, entry.name))
  syncPath(folder)
}

/** Replaces a file atomically. @param mode permissions of the file, whatever the umask */
export function replaceFile(path: string, text: string, mode = 0o600): void {
  const handle = openSync(`${path}.part`, 'w', 0o600)
  try {
    writeFileSync(handle, text)
    fchmodSync(handle, mode)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(`${path}.part`, path)
  syncPath(dirname(path))
}
