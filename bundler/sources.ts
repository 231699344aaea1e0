// Resolves imports and compiles TypeScript and JSX.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Loader, type TransformOptions, transform } from 'esbuild'
import type { InputOptions, Plugin } from 'rollup'
import { alias, react, wouterShim } from './alias.ts'
import { root } from './project.ts'

/** Tree shaking may drop every package import that is not used: no package of the bundle has side effects on import. */
export const TREESHAKE: InputOptions['treeshake'] = {
  moduleSideEffects: (id) => !id.includes('/node_modules/'),
  propertyReadSideEffects: false
}

/**
 * Modules of packages that the bundle replaces. wouter's location in the path, its patterns and its server rendering
 * are not used: the console's location is in the hash. nanostores' life cycle has five events, of which the console
 * uses one.
 */
const replaced: Readonly<Record<string, string>> = {
  './use-browser-location.js': wouterShim,
  './paths.js': wouterShim,
  './react-deps.js': react,
  regexparam: wouterShim,
  '../lifecycle/index.js': join(root, 'src/ui/on-mount.ts')
}

/** The oldest supported browsers, those of summer 2024: they have popovers, light-dark() and dynamic import. */
export const browsers: Readonly<Record<string, number>> = { chrome: 123, firefox: 128, safari: 17.5 }

/** Options of esbuild for every file. */
export const esbuildOptions: Pick<TransformOptions, 'target' | 'charset' | 'define'> = {
  target: Object.entries(browsers).map(([name, version]) => name + version),
  // Chinese characters as they are: escape sequences would make the language pack a third larger.
  charset: 'utf8',
  define: { 'process.env.NODE_ENV': '"production"' }
}

/** What JSX compiles to. Children as arguments are shorter than the `children` property of the automatic runtime. */
const JSX_IMPORT = "import { createElement as $h, Fragment as $f } from 'react';"

/** Resolves packages, applies the aliases and compiles TypeScript. */
export function sources(): Plugin {
  return {
    name: 'sources',
    resolveId(name, importer) {
      if (!importer) return null
      const target = alias[name] ?? replaced[name] ?? name
      if (/^[./]/.test(target)) return target === name ? null : target
      return fileURLToPath(import.meta.resolve(target))
    },
    // Circular imports inside packages are not ours to fix.
    onLog: (_level, { code, ids = [] }) =>
      code !== 'CIRCULAR_DEPENDENCY' || !ids.some((id) => id.includes('/node_modules/')),
    async load(id) {
      const [, extension] = /\.(tsx?)$/.exec(id) ?? []
      const loader = (extension ?? 'js') as Loader
      const source = (loader === 'tsx' ? JSX_IMPORT : '') + (await readFile(id, 'utf8'))
      const { code, map } = await transform(source, {
        ...esbuildOptions,
        // Folds constants before rollup sees them, so that unused branches are dropped.
        minifySyntax: true,
        jsx: 'transform',
        jsxFactory: '$h',
        jsxFragment: '$f',
        loader,
        sourcefile: id,
        sourcemap: true
      })
      return { code, map }
    }
  }
}
