// Writes `version.json`: the commit that the bundle was built from, for a hub that serves `dist/` directly. A firmware
// pack has the commit in its manifest and leaves this file out, because the same sources may have been built from an
// earlier commit.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'rollup'
import { commitOf } from './commit.ts'
import { root } from './project.ts'

/** Writes nothing outside a git checkout. */
export function version(): Plugin {
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
        // Not a git checkout.
      }
    }
  }
}
