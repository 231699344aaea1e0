// Makes the one style sheet: Sass with the wanted parts of pico, without the rules that no source can use, made small.
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

/** lightningcss writes a version as one number. */
const version = (number: number) => (Math.trunc(number) << 16) | (Math.round((number % 1) * 10) << 8)

/** What pico's ground has for other documents than this: a shadow's host, type set with its own weight, code. */
const FOREIGN =
  /,\s*:where\(:host\)|^\s*(text-underline-offset|text-decoration: inherit|vertical-align: inherit|background-repeat|font-weight: var|tab-size|-webkit-tap-highlight-color|text-rendering).*;$/gm

/**
 * @param users what may name a class, an element or an attribute
 * @returns the style sheet's text
 */
async function makeStylesheet(users: readonly string[]): Promise<string> {
  const { css } = compile(entry, {
    loadPaths: [join(root, 'node_modules')],
    style: 'expanded',
    quietDeps: true,
    logger: { warn() {} }
  })
  const [purged = { css: '' }] = await new PurgeCSS().purge({
    content: users.map((raw) => ({ raw, extension: 'html' })),
    css: [{ raw: css }],
    // A state that only the platform or an attribute sets is in no source's text; what only the console reads is in no rule.
    safelist: { standard: [/^:/], greedy: [/popover-open/], variables: ['--size'] },
    variables: true
  })
  const { code } = transform({
    filename: entry,
    code: Buffer.from(purged.css.replace(FOREIGN, '')),
    minify: true,
    targets: Object.fromEntries(Object.entries(browsers).map(([name, number]) => [name, version(number)]))
  })
  return code.toString()
}

/** Adds the style sheet to the bundle, under a name with its hash, and says so to `page`. */
export function stylesheet(page: { css?: string }): Plugin {
  return {
    name: 'stylesheet',
    buildStart() {
      for (const file of globSync('src/styles/*.scss', { cwd: root })) this.addWatchFile(join(root, file))
    },
    async generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => ('modules' in file ? Object.entries(file.modules) : []))
      const own = modules.filter(([id]) => !id.includes('/node_modules/')).map(([, { code }]) => code ?? '')
      const text = await makeStylesheet([...own, readFileSync(join(root, 'static/index.html'), 'utf8')])
      const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
      page.css = `assets/app-${hash}.css`
      this.emitFile({ type: 'asset', fileName: page.css, source: text })
    }
  }
}
