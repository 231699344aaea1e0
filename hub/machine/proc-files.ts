// Reads files of the kernel, under /proc and /sys.
import { readdirSync, readFileSync } from 'node:fs'

/** The text of a file; empty if it cannot be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The names in a folder; none if it cannot be read. */
export function listFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
