// Finds the test files.
import { globSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @param root the project's folder
 * @param filters parts of paths; without any, all files are meant
 * @returns absolute paths in order, and the filters that no file answers to
 */
export function findTests(root: string, filters: readonly string[] = []): { files: string[]; unmatched: string[] } {
  const all = globSync('test/**/*.test.{ts,tsx}', { cwd: root }).sort()
  const asked = filters.map((filter) => filter.replace(/^\.\//, ''))
  const chosen = all.filter((file) => asked.length === 0 || asked.some((filter) => file.includes(filter)))
  return {
    files: chosen.map((file) => join(root, file)),
    unmatched: asked.filter((filter) => !all.some((file) => file.includes(filter)))
  }
}
