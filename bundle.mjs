// How the console's sources become what a browser runs. The build and the tests share it, so that both run the same code.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { minify as even } from '@swc/wasm'
import { transform } from 'esbuild'
import { minify as squeeze } from 'terser'
import { OWN_NAMES } from './names.mjs'

const react = join(import.meta.dirname, 'src/react.ts')
const place = join(import.meta.dirname, 'src/state/location.ts')

/** Packages only do what is asked of them. */
export const TREESHAKE = {
  moduleSideEffects: (id) => !id.includes('/node_modules/'),
  propertyReadSideEffects: false
}

/** What a bare import means instead: a file, or another package. */
export const alias = {
  react,
  'react-dom': react,
  'react/jsx-runtime': 'preact/jsx-runtime',
  'use-sync-external-store/shim': react,
  'use-sync-external-store/shim/index.js': react
}

const preact = join(fileURLToPath(import.meta.resolve('preact')), '../..')

/** Preact as its authors wrote it: where things have names, `absent.mjs` can tell what is not needed. */
const sourceOf = { preact: join(preact, 'src/index.js'), 'preact/hooks': join(preact, 'hooks/src/index.js') }

/**
 * What wouter has for other consoles: a location in the path of the address, below a base; patterns; a server that draws. Ours is in the
 * hash, and nowhere else.
 */
const unused = { './use-browser-location.js': place, './paths.js': place, './react-deps.js': react, regexparam: place }

/** What of nanostores ours takes the place of: its stores know five more events. */
const ours = { '../lifecycle/index.js': join(import.meta.dirname, 'src/ui/on-mount.ts') }

/** The browsers the console is made for: those of summer 2024 and later, which have popovers and light-dark(). */
export const browsers = { chrome: 123, firefox: 128, safari: 17.5 }

/** Options for esbuild, per file and for the whole. */
export const esbuildOptions = {
  target: Object.entries(browsers).map(([name, version]) => name + version),
  // Chinese as it is: escapes would cost a tenth of the script.
  charset: 'utf8',
  define: { 'process.env.NODE_ENV': '"production"' }
}

/** What JSX becomes calls of. Their children are arguments, which is shorter than the property that the newer form makes of them. */
const DRAW = "import { createElement as $h, Fragment as $f } from 'react';"

/** Finds packages, maps the aliases and turns TypeScript into JavaScript. */
export function sources() {
  return {
    name: 'sources',
    resolveId(name, importer) {
      if (!importer) return null
      const mapped = alias[name] ?? sourceOf[name] ?? unused[name] ?? ours[name] ?? name
      if (/^[./]/.test(mapped)) return mapped === name ? null : mapped
      return fileURLToPath(import.meta.resolve(mapped))
    },
    // Packages go round in circles, which nobody here can mend.
    onLog: (_level, { code, ids = [] }) =>
      code !== 'CIRCULAR_DEPENDENCY' || !ids.some((id) => id.includes('/node_modules/')),
    async load(id) {
      const [, loader] = /\.(tsx?)$/.exec(id) ?? []
      const source = (loader === 'tsx' ? DRAW : '') + (await readFile(id, 'utf8'))
      const { code, map } = await transform(source, {
        ...esbuildOptions,
        // Constants that are keys become numbers, which terser leaves.
        minifySyntax: true,
        jsx: 'transform',
        jsxFactory: '$h',
        jsxFragment: '$f',
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

/** The names that Preact keeps to itself, and the console. Nothing else in the script may be called so. */
const INTERNAL = new RegExp(`^(_[a-z].*|__hooks|${OWN_NAMES.join('|').replaceAll('$', '\\$')})$`)

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
