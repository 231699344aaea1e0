// Writes `index.html` with the names of the built files, and copies the rest of static/.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'rollup'
import { root } from './project.ts'

/** File names that other build steps fill in, relative to `dist/`. */
export interface Page {
  css?: string
  /** Language packs by language. */
  packs?: Record<string, string>
}

export function page(names: Page): Plugin {
  const source = join(root, 'static/index.html')
  return {
    name: 'page',
    buildStart() {
      this.addWatchFile(source)
    },
    generateBundle(_options, bundle) {
      const script = Object.values(bundle).find((file) => 'isEntry' in file && file.isEntry)
      const text = readFileSync(source, 'utf8')
        .replace('%SCRIPT%', script?.fileName ?? '')
        .replace('%STYLE%', names.css ?? '')
        .replace(/\n\s*/g, '\n')
      this.emitFile({ type: 'asset', fileName: 'index.html', source: text })
    },
    writeBundle({ dir = '' }) {
      cpSync(join(root, 'static'), dir, { recursive: true, filter: (from) => from !== source })
    }
  }
}

/** Empties the output folder, so that no file of an earlier build is served or packed. The folder itself stays, for file watchers. */
export function emptyOutput(): Plugin {
  return {
    name: 'empty-output',
    generateBundle: {
      order: 'pre',
      handler({ dir = '' }, _bundle, isWrite) {
        if (!isWrite) return
        mkdirSync(dir, { recursive: true })
        for (const name of readdirSync(dir)) rmSync(join(dir, name), { recursive: true, force: true })
      }
    }
  }
}
