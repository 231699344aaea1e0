// Finds the test files.
import { globSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @param root the project's folder
 * @param filters parts of paths; an empty list selects all files
 * @returns absolute paths in order, and the filters that match no file
 */
export function findTests(root: string, filters: readonly string[] = []): { files: string[]; unmatched: string[] } {
  const all = globSync('test/**/*.test.{ts,tsx}', { cwd: root }).sort()
  const patterns = filters.map((filter) => filter.replace(/^\.\//, ''))
  const matches = all.filter((file) => patterns.length === 0 || patterns.some((filter) => file.includes(filter)))
  return {
    files: matches.map((file) => join(root, file)),
    unmatched: patterns.filter((filter) => !all.some((file) => file.includes(filter)))
  }
}
