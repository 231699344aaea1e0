// Makes the scripts small. Terser, because it folds constants through objects, which esbuild does not: 5 % here.
import type { Plugin, RenderedChunk } from 'rollup'
import { type MinifyOptions, minify as terser } from 'terser'

/** Names of components: the first script takes them as properties of a module of the later one. */
const COMPONENT = /^[A-Z]\w*(Dialog|Screen|Frame|Menu)$/

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
    lhs_constants: false,
    // Fewer bytes, but not fewer with brotli.
    hoist_props: false,
    properties: false
  },
  mangle: { properties: { regex: COMPONENT } }
}

/** What the minified first script has named. */
interface Names {
  /** Minified name of each value that it exports to the later one, by the name under which it exports it. */
  exported: Map<string, string>
  /** Minified names of properties, as terser's cache has them. */
  properties: object | undefined
}

/** Matches one value of an `import` or `export` clause, as `name` or `name as alias`. */
const BINDING = /([\w$]+)(?: as ([\w$]+))?/g

/**
 * Returns the plugin. The first script is no module but runs in the global scope of the page, where the later script, a
 * module, finds its values by their minified names. So neither script lists their 700 names: 1.9 KB with brotli. For
 * that the later script is minified after the first. A script without a second stays a module with its exports.
 */
export function minify(): Plugin {
  let first: PromiseWithResolvers<Names>
  return {
    name: 'minify',
    renderStart() {
      first = Promise.withResolvers()
    },
    async renderChunk(source, chunk, { sourcemap }, { chunks }) {
      const options = { ...OPTIONS, sourceMap: Boolean(sourcemap) }
      const isAlone = Object.keys(chunks).length === 1
      const { code = '', map } = await (isAlone
        ? terser(source, options)
        : chunk.isEntry
          ? minifyFirst(source, options, first.resolve)
          : minifyLater(source, options, await first.promise, chunk))
      // Terser gives the source map as JSON.
      return { code, map: map === undefined ? null : String(map) }
    }
  }
}

/** Minifies the first script, as strict as a module, without its exports. Passes their minified names to `onNames`. */
async function minifyFirst(source: string, options: MinifyOptions, onNames: (names: Names) => void) {
  const nameCache: { props?: object } = {}
  const format = { ...options.format, preamble: '"use strict";' }
  const { code = '', map } = await terser(source, { ...options, format, nameCache })
  const [clause = ''] = /export\{[^}]*\};?$/.exec(code) ?? []
  const bindings = [...clause.slice('export'.length).matchAll(BINDING)]
  const exported = new Map(bindings.map(([, name = '', alias = name]) => [alias, name]))
  onNames({ exported, properties: nameCache.props })
  return { code: code.slice(0, code.length - clause.length), map }
}

/** Minifies a script that imports from the first, and removes the import. Throws an error if a name is not exported. */
async function minifyLater(
  source: string,
  options: MinifyOptions,
  { exported: names, properties }: Names,
  { fileName }: RenderedChunk
) {
  const props: Record<string, string> = {}
  const renamed = source.replace(/^import \{([^}]*)\}/, (_, clause: string) => {
    const bindings = [...clause.matchAll(BINDING)].map(([, exported = '', name = exported]) => {
      const minified = names.get(exported)
      if (minified === undefined)
        throw new Error(`${fileName} imports ${exported}, which the first script does not export`)
      props[`$${name}`] = minified
      return `${minified} as ${name}`
    })
    return `import {${bindings.sort()}}`
  })
  const { code = '', map } = await terser(renamed, { ...options, nameCache: { vars: { props }, props: properties } })
  // Blanks keep the columns of a source map right.
  const script = code.replace(/^import\{[^}]*\}from"[^"]*";/, ({ length }) => (map ? ' '.repeat(length) : ''))
  return { code: script, map }
}
