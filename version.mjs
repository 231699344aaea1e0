// Writes `version.json`: which commit the bundle was made from, for a hub that serves it as it lies there. A pack says it in its manifest,
// and leaves this one out: the same commit may have been built before, from another one with the same sources.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commitOf } from './firmware-pack/commit.ts'

const root = import.meta.dirname

/** Nothing is written outside a git checkout. */
export function version() {
  return {
    name: 'version',
    generateBundle() {
      try {
        const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
        const { id: commit, time, changed } = commitOf(root)
        this.emitFile({
          type: 'asset',
          fileName: 'version.json',
          source: JSON.stringify({ version, commit, ...(changed && { changed }), time: new Date(time * 1000) })
        })
      } catch {
        // Nobody knows the commit.
      }
    }
  }
}
