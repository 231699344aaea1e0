// The options with which rollup builds a bundle of pages: the console of a hub, and the pages of the cloud. The same
// sources give the same bytes. Each step is a file in this folder.
import type { RollupOptions } from 'rollup'
import { arrowFunctions } from './arrow-functions.ts'
import { writeCompressedFiles } from './compressed-files.ts'
import { languagePacks } from './language-packs.ts'
import { laterChunk } from './later-chunk.ts'
import { licences } from './licences.ts'
import { minify } from './minify.ts'
import { emptyOutput, type Page, page } from './page.ts'
import { withoutSchemas } from './schemas.ts'
import { sources, TREESHAKE } from './sources.ts'
import { stylesheet } from './stylesheet.ts'
import { version } from './version.ts'

interface Bundle {
  /** The module that starts the pages. */
  input: string
  /** The output folder. */
  dir: string
  /** Whether the other files of `static/`, the help, are part of it. */
  hasHelp: boolean
  /** Pairs of sentences that replace others, by the English sentence of these. */
  reworded?: Readonly<Record<string, readonly [en: string, zh: string]>>
}

export function bundle({ input, dir, hasHelp, reworded }: Bundle): RollupOptions {
  /** File names that one step finds and another writes into the page. */
  const names: Page = {}
  return {
    input,
    output: {
      dir,
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
      languagePacks(names, reworded),
      minify(),
      stylesheet(names),
      page(names, hasHelp),
      licences(),
      version(),
      writeCompressedFiles()
    ]
  } as RollupOptions
}
