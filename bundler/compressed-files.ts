// Compressed copies of the page and the assets, so that neither the hub nor another web server compresses them: a hub
// would need half a second of processor time at each start.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Plugin } from 'rollup'
import { zopfli } from './zopfli.ts'

/** brotli at quality 11. */
export function brotli(bytes: Uint8Array): Buffer {
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length
    }
  })
}

/** What a copy is compressed with, by the end of its name. */
const FORMATS: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = { '.gz': zopfli, '.br': brotli }

/** Writes a compressed copy in each format beside the page and each asset. */
export function writeCompressedFiles(): Plugin {
  return {
    name: 'compressed-files',
    writeBundle({ dir = '' }) {
      const assets = readdirSync(join(dir, 'assets')).map((name) => `assets/${name}`)
      for (const path of ['index.html', ...assets.filter((name) => /\.(js|css|txt)$/.test(name))])
        for (const [end, compress] of Object.entries(FORMATS)) {
          const copy = join(dir, path + end)
          // In watch mode nothing is compressed, and the page of an earlier build must not be served.
          if (this.meta.watchMode) rmSync(copy, { force: true })
          else writeFileSync(copy, compress(readFileSync(join(dir, path))))
        }
    }
  }
}
