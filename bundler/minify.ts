// Makes the script small. Terser, because it folds constants through objects, which esbuild does not: 5 % here.
import type { Plugin } from 'rollup'
import { type MinifyOptions, minify as terser } from 'terser'

const OPTIONS: MinifyOptions = {
  module: true,
  ecma: 2020,
  format: { comments: false },
  compress: {
    passes: 3,
    pure_getters: true,
    unsafe: true,
    unsafe_arrows: true,
    inline: 1,
    hoist_vars: true,
    lhs_constants: false
  }
}

export function minify(): Plugin {
  return {
    name: 'minify',
    async renderChunk(source, _chunk, { sourcemap }) {
      const { code = '', map } = await terser(source, { ...OPTIONS, sourceMap: Boolean(sourcemap) })
      return { code, map: map ? JSON.stringify(map) : null }
    }
  }
}
