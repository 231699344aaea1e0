// Breaks down the size of the script by screen, layer and package.
import { join, resolve } from 'node:path'
import { sync as brotliSize } from 'brotli-size'
import { rollup } from 'rollup'
import { parseAst } from 'rollup/parseAst'
import { minify } from 'terser'
import { pairsIn } from '../../bundler/language-packs.ts'
import { sources, TREESHAKE } from '../../bundler/sources.ts'
import { quickGzip } from '../format/encodings.ts'

const root = resolve(import.meta.dirname, '../..')
const PACKAGES = '/node_modules/'

/** A module of the script: its path in the project, and its code after tree shaking and minification. */
export interface Module {
  path: string
  text: string
}

export interface Part {
  name: string
  /** Bytes of its minified code, and of its sentences in both languages. */
  code: number
  sentences: number
  /** Bytes that the compressed script would lose without this part. Shared code is not included. */
  gzip: number
  brotli: number
}

/** Returns the part of the script that a module belongs to, such as 'screens/user', 'ui', 'preact' or 'contract'. */
export function partOf(path: string): string {
  return (
    /^(?:node_modules|src(?=\/screens))\/((?:screens\/)?[^/]+)/.exec(path)?.[1] ??
    path.replace(/^src\//, '').split('/')[0] ??
    path
  )
}

/** Measures the parts of a script. @returns the parts, largest first */
export function measureParts(modules: readonly Module[]): Part[] {
  const sizes = (selection: readonly Module[]) => {
    const bytes = Buffer.from(selection.map(({ text }) => text).join(''))
    return { gzip: quickGzip(bytes).length, brotli: brotliSize(bytes) }
  }
  const whole = sizes(modules)
  const groups = Map.groupBy(modules, ({ path }) => partOf(path))
  const parts = [...groups].map(([name, own]) => {
    const pairs = own.flatMap(({ text }) => pairsIn(parseAst(text).body))
    const sentences = Buffer.byteLength(pairs.map(({ en, zh }) => en + zh).join(''))
    const rest = sizes(modules.filter((module) => !own.includes(module)))
    return {
      name,
      code: Buffer.byteLength(own.map(({ text }) => text).join('')) - sentences,
      sentences,
      gzip: whole.gzip - rest.gzip,
      brotli: whole.brotli - rest.brotli
    }
  })
  return parts.sort((a, b) => b.brotli - a.brotli)
}

/** Builds the script like a release, and returns its modules separately. */
export async function buildModules(): Promise<Module[]> {
  const input = join(root, 'src/main.tsx')
  const bundle = await rollup({ input, treeshake: TREESHAKE, plugins: [sources()] })
  const { output } = await bundle.generate({ format: 'es', inlineDynamicImports: true })
  const modules = Object.entries(output[0].modules).filter(([, { code }]) => code)
  return Promise.all(
    modules.map(async ([id, { code }]) => ({
      path: id.includes(PACKAGES) ? id.slice(id.lastIndexOf(PACKAGES) + 1) : id.slice(root.length + 1),
      text: (await minify(code ?? '', { ecma: 2020, mangle: { toplevel: true } })).code ?? ''
    }))
  )
}
