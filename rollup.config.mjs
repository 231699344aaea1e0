// Builds the console into dist/: a page, a script and a style sheet, the same bytes from the same sources.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { absent } from './absent.mjs'
import { arrows } from './arrows.mjs'
import { minify, sources, TREESHAKE } from './bundle.mjs'
import { legal } from './legal.mjs'
import { stylesheet } from './stylesheet.mjs'
import { version } from './version.mjs'
import { words } from './words.mjs'
import { encoded } from './zopfli.mjs'

const root = import.meta.dirname

/** What the page names. */
const page = {}

/** Writes the page, and copies what else is in static/. */
function html() {
  const source = join(root, 'static/index.html')
  return {
    name: 'html',
    buildStart() {
      this.addWatchFile(source)
    },
    generateBundle(_options, bundle) {
      const script = Object.values(bundle).find((file) => file.isEntry)
      const text = readFileSync(source, 'utf8')
        .replace('%SCRIPT%', script.fileName)
        .replace('%STYLE%', page.css)
        .replace(/\n\s*/g, '\n')
      this.emitFile({ type: 'asset', fileName: 'index.html', source: text })
    },
    writeBundle({ dir }) {
      cpSync(join(root, 'static'), dir, { recursive: true, filter: (from) => from !== source })
    }
  }
}

/** A file of the last build must not stay: it would be packed and served. The folder itself does, for who watches it. */
function clear() {
  return {
    name: 'clear',
    generateBundle: {
      order: 'pre',
      handler({ dir }, _bundle, isWrite) {
        if (!isWrite) return
        mkdirSync(dir, { recursive: true })
        for (const name of readdirSync(dir)) rmSync(join(dir, name), { recursive: true, force: true })
      }
    }
  }
}

export default {
  input: join(root, 'src/main.tsx'),
  output: {
    dir: join(root, 'dist'),
    format: 'es',
    entryFileNames: 'assets/app-[hash:8].js',
    hashCharacters: 'hex',
    sourcemap: process.env.SOURCEMAP === '1'
  },
  treeshake: TREESHAKE,
  plugins: [
    clear(),
    sources(),
    absent(),
    words(),
    arrows(),
    minify(),
    stylesheet(page),
    html(),
    legal(),
    version(),
    encoded()
  ]
}
