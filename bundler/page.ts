// Writes `index.html` with the inline script and the names of the built files, and copies the rest of static/ for hubs.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Plugin } from 'rollup'
import { LATER } from './later-chunk.ts'
import { root } from './project.ts'
import { esbuildOptions } from './sources.ts'

/** File names that other build steps fill in, relative to `dist/`. */
export interface Page {
  css?: string
  /**
   * Files of the language packs by language: the sentences of the first script, and the further ones of the later
   * script.
   */
  packs?: Record<string, string[]>
  /** Numbers of sentences in these files. */
  sentences?: number[]
}

const SOURCE = join(root, 'static/index.html')
const LOADER = join(root, 'src/loader.ts')

/** The inline script. It must not contain file names: web servers allow it by its hash (`loaderHash`). */
async function buildLoader(): Promise<string> {
  const { outputFiles } = await build({
    ...esbuildOptions,
    entryPoints: [LOADER],
    bundle: true,
    minify: true,
    format: 'iife',
    write: false
  })
  return outputFiles[0]?.text.trim() ?? ''
}

/** @param hasHelp copies the rest of `static/` */
export function page(names: Page, hasHelp: boolean): Plugin {
  return {
    name: 'page',
    buildStart() {
      this.addWatchFile(SOURCE)
      this.addWatchFile(LOADER)
    },
    async generateBundle(_options, bundle) {
      const script = Object.values(bundle).find((file) => 'isEntry' in file && file.isEntry)
      const later = Object.values(bundle).find(({ name }) => name === LATER)
      const packs = Object.entries(names.packs ?? {}).map(
        ([language, files]) => `data-${language}="${files.join(' ')}"`
      )
      const loader = await buildLoader()
      const text = readFileSync(SOURCE, 'utf8')
        .replace(/\n\s*/g, '\n')
        .replace('data-packs="%PACKS%"', packs.join(' '))
        .replace('%SCRIPT%', script?.fileName ?? '')
        .replace('%LATER%', later?.fileName ?? '')
        .replace('%SENTENCES%', (names.sentences ?? []).join(' '))
        .replace('%STYLE%', names.css ?? '')
        .replace('/* loader */', () => loader)
      this.emitFile({ type: 'asset', fileName: 'index.html', source: text })
    },
    writeBundle({ dir = '' }) {
      if (hasHelp) cpSync(join(root, 'static'), dir, { recursive: true, filter: (from) => from !== SOURCE })
    }
  }
}

/**
 * Empties the output folder, so that no file of an earlier build is served or packed. The folder itself stays, for file
 * watchers.
 */
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
