// Finds the test files.
import { globSync } from 'node:fs'
import { join } from 'node:path'

/** Folder of the tests that take many minutes, which only `make soak` runs. */
const SOAK = 'test/soak/'

/**
 * @param root the project's folder
 * @param filters parts of paths; an empty list selects all files
 * @param isSoak whether to find the files in `test/soak/` instead of all others
 * @returns absolute paths in order, and the filters that match no file
 */
export function findTests(
  root: string,
  filters: readonly string[] = [],
  isSoak = false
): { files: string[]; unmatched: string[] } {
  const found = globSync('test/**/*.test.{ts,tsx}', { cwd: root }).sort()
  const all = found.filter((file) => file.startsWith(SOAK) === isSoak)
  const patterns = filters.map((filter) => filter.replace(/^\.\//, ''))
  const matches = all.filter((file) => patterns.length === 0 || patterns.some((filter) => file.includes(filter)))
  return {
    files: matches.map((file) => join(root, file)),
    unmatched: patterns.filter((filter) => !all.some((file) => file.includes(filter)))
  }
}
