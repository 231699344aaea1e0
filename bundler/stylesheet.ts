// Builds the style sheet: Sass with the parts of pico that the console uses, without rules that no source refers to,
// minified.
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'lightningcss'
import { PurgeCSS } from 'purgecss'
import type { Plugin } from 'rollup'
import { compile } from 'sass'
import { root } from './project.ts'
import { browsers } from './sources.ts'

const entry = join(root, 'src/styles/console.scss')

/** A browser version as lightningcss encodes it: major << 16, minor << 8. */
const version = (number: number) => (Math.trunc(number) << 16) | (Math.round((number % 1) * 10) << 8)

/** @param sources texts in which classes, elements and attributes are named; rules for others are dropped */
async function makeStylesheet(sources: readonly string[]): Promise<string> {
  const { css } = compile(entry, {
    loadPaths: [join(root, 'node_modules')],
    style: 'expanded',
    quietDeps: true,
    logger: { warn() {} }
  })
  const [purged = { css: '' }] = await new PurgeCSS().purge({
    content: sources.map((raw) => ({ raw, extension: 'html' })),
    css: [{ raw: css }],
    // Its values are characters such as ○, which are not found in the sources.
    dynamicAttributes: ['data-shape'],
    // Pseudo-classes are set by the browser and occur in no source. `--size` is read by scripts only. `.development` is
    // added by the hub.
    safelist: { standard: [/^:/, 'development'], greedy: [/popover-open/], variables: ['--size'] },
    variables: true
  })
  const { code } = transform({
    filename: entry,
    code: Buffer.from(purged.css),
    minify: true,
    targets: Object.fromEntries(Object.entries(browsers).map(([name, number]) => [name, version(number)]))
  })
  return code.toString()
}

/** Adds the style sheet to the bundle under a name with its hash. @param names receives that name */
export function stylesheet(names: { css?: string }): Plugin {
  return {
    name: 'stylesheet',
    buildStart() {
      for (const file of globSync('src/styles/*.scss', { cwd: root })) this.addWatchFile(join(root, file))
    },
    async generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => ('modules' in file ? Object.entries(file.modules) : []))
      const own = modules.filter(([id]) => !id.includes('/node_modules/')).map(([, { code }]) => code ?? '')
      const page = ['static/index.html', 'src/loader.ts'].map((path) => readFileSync(join(root, path), 'utf8'))
      const text = await makeStylesheet([...own, ...page])
      const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
      names.css = `assets/app-${hash}.css`
      this.emitFile({ type: 'asset', fileName: names.css, source: text })
    }
  }
}
