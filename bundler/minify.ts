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
  /** Minified name of each value that it exports, by the name under which it exports it. */
  exported: Map<string, string>
  /** Minified names of properties, as terser's cache has them. */
  properties: object | undefined
}

/** Matches one value of an `import` or `export` clause, as `name` or `name as alias`. */
const BINDING = /([\w$]+)(?: as ([\w$]+))?/g

/**
 * Returns the plugin. A value that the later script imports has the same minified name in both scripts, so that neither
 * clause has to name it twice: 0.9 KB with brotli. For that the later script is minified after the first. A script
 * without a second keeps the names of its exports.
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

/** Minifies the first script, exports each value under its minified name and passes these names to `onNames`. */
async function minifyFirst(source: string, options: MinifyOptions, onNames: (names: Names) => void) {
  const nameCache: { props?: object } = {}
  const { code = '', map } = await terser(source, { ...options, nameCache })
  const exported: Names['exported'] = new Map()
  const renamed = code.replace(/export\{([^}]*)\};?$/, (_, clause: string) => {
    for (const [, name = '', alias = name] of clause.matchAll(BINDING)) exported.set(alias, name)
    return `export{${[...exported.values()].sort()}};`
  })
  onNames({ exported, properties: nameCache.props })
  return { code: renamed, map }
}

/** Minifies a script that imports from the first. Throws an error if the first does not export one of the names. */
function minifyLater(
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
  return terser(renamed, { ...options, nameCache: { vars: { props }, props: properties } })
}
