// Builds the console into dist/. The same sources give the same bytes. Each step is a file in bundler/.
import { arrowFunctions } from './bundler/arrow-functions.ts'
import { writeCompressedFiles } from './bundler/compressed-files.ts'
import { languagePacks } from './bundler/language-packs.ts'
import { laterChunk } from './bundler/later-chunk.ts'
import { licences } from './bundler/licences.ts'
import { minify } from './bundler/minify.ts'
import { emptyOutput, page } from './bundler/page.ts'
import { withoutSchemas } from './bundler/schemas.ts'
import { sources, TREESHAKE } from './bundler/sources.ts'
import { stylesheet } from './bundler/stylesheet.ts'
import { version } from './bundler/version.ts'

/** File names that one step finds and another writes into the page. */
const names = {}

export default {
  input: 'src/main.tsx',
  output: {
    dir: 'dist',
    format: 'es',
    entryFileNames: 'assets/app-[hash:8].js',
    chunkFileNames: 'assets/[name]-[hash:8].js',
    manualChunks: laterChunk(),
    onlyExplicitManualChunks: true,
    hashCharacters: 'hex',
    // Lists of a script's exports without the properties that only debuggers read: 190 bytes.
    freeze: false,
    generatedCode: { preset: 'es2015', symbols: false },
    sourcemap: process.env.SOURCEMAP === '1'
  },
  treeshake: TREESHAKE,
  plugins: [
    emptyOutput(),
    sources(),
    withoutSchemas(),
    arrowFunctions(),
    languagePacks(names),
    minify(),
    stylesheet(names),
    page(names),
    licences(),
    version(),
    writeCompressedFiles()
  ]
}
