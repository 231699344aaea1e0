// How the console's sources become what a browser runs. The build and the tests share it, so that both run the same code.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { minify as even } from '@swc/wasm'
import { transform } from 'esbuild'
import { minify as squeeze } from 'terser'
import { OWN_NAMES } from './names.mjs'

/** Packages only do what is asked of them. */
export const TREESHAKE = {
  moduleSideEffects: (id) => !id.includes('/node_modules/'),
  propertyReadSideEffects: false
}

/** What a bare import means instead: a file. */
export const alias = { react: join(import.meta.dirname, 'src/react.ts') }

/** The browsers the console is made for: those of summer 2024 and later, which have popovers and light-dark(). */
export const browsers = { chrome: 123, firefox: 128, safari: 17.5 }

/** Options for esbuild, per file and for the whole. */
export const esbuildOptions = {
  target: Object.entries(browsers).map(([name, version]) => name + version),
  // Chinese as it is: escapes would cost a tenth of the script.
  charset: 'utf8',
  define: { 'process.env.NODE_ENV': '"production"' }
}

/** What JSX becomes: calls of what `DRAW` imports. */
export const JSX = { jsx: 'transform', jsxFactory: '$h', jsxFragment: '$f' }

/** What JSX becomes calls of. Their children are arguments, which is shorter than the property that the newer form makes of them. */
export const DRAW = "import { createElement as $h, Fragment as $f } from 'react';"

/** Finds packages, maps the aliases and turns TypeScript into JavaScript. */
export function sources() {
  return {
    name: 'sources',
    resolveId(name, importer) {
      if (!importer || /^[./]/.test(name)) return null
      return alias[name] ?? fileURLToPath(import.meta.resolve(name))
    },
    async load(id) {
      const [, loader] = /\.(tsx?)$/.exec(id) ?? []
      const source = (loader === 'tsx' ? DRAW : '') + (await readFile(id, 'utf8'))
      const { code, map } = await transform(source, {
        ...esbuildOptions,
        // Constants that are keys become numbers, which terser leaves.
        minifySyntax: true,
        ...JSX,
        loader: loader ?? 'js',
        sourcefile: id,
        sourcemap: true
      })
      return { code, map }
    }
  }
}

/** How terser folds. It, not esbuild: it folds constants through objects, which is 5 % here. Unsafe for who changes what JavaScript has. */
const FOLDING = {
  passes: 3,
  pure_getters: true,
  unsafe: true,
  unsafe_arrows: true,
  inline: 1,
  hoist_vars: true,
  lhs_constants: false
}

/** How swc evens out what terser leaves uneven: one word for all variables, arguments and names that nobody reads, comparisons one way round. */
const EVENING = { passes: 2, toplevel: true, unsafe_arrows: true }

/** The names that the console keeps to itself. Nothing else in the script may be called so. */
const INTERNAL = new RegExp(`^(${OWN_NAMES.join('|').replaceAll('$', '\\$')})$`)

/**
 * Makes the finished script small: terser folds, swc evens out, which is 1 % less than terser alone. Names are made short when all else is
 * done: they are then of the letters that the text has most, which packs better. A source map is made in one go, with other names.
 */
export function minify() {
  const options = { module: true, ecma: 2020, format: { comments: false } }
  return {
    name: 'minify',
    async renderChunk(source, _chunk, { sourcemap }) {
      if (sourcemap) return squeeze(source, { ...options, compress: FOLDING, sourceMap: true })
      const folded = await squeeze(source, { ...options, compress: FOLDING, mangle: false })
      const { code } = await even(folded.code, { module: true, ecma: 2020, compress: EVENING, mangle: false })
      return squeeze(code, { ...options, compress: false, mangle: { properties: { regex: INTERNAL, builtins: true } } })
    }
  }
}
