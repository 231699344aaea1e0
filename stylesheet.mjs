// Makes the one style sheet: Sass with the wanted parts of pico, without the rules that no source can use, made small.
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'lightningcss'
import { PurgeCSS } from 'purgecss'
import { compile } from 'sass'
import { browsers } from './bundle.mjs'

const root = import.meta.dirname
const entry = join(root, 'src/styles/console.scss')

/** lightningcss writes a version as one number. */
const version = (number) => (Math.trunc(number) << 16) | (Math.round((number % 1) * 10) << 8)

/** What pico's ground has for other documents than this: a shadow's host, type set with its own weight, code. */
const FOREIGN =
  /,\s*:where\(:host\)|^\s*(text-underline-offset|font-weight: var|tab-size|-webkit-tap-highlight-color|text-rendering).*;$/gm

/** @returns the style sheet's text, and the files it was made from */
export async function makeStylesheet() {
  const { css, loadedUrls } = compile(entry, {
    loadPaths: [join(root, 'node_modules')],
    style: 'expanded',
    quietDeps: true,
    logger: { warn() {} }
  })
  const users = globSync(['src/**/*.{ts,tsx}', 'static/*.html'], { cwd: root }).map((file) => join(root, file))
  const [purged] = await new PurgeCSS().purge({
    content: users,
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
  return { text: code.toString(), files: [...loadedUrls.map(({ pathname }) => pathname), ...users] }
}

/** Adds the style sheet to the bundle, under a name with its hash, and says so to `page`. */
export function stylesheet(page) {
  let made
  return {
    name: 'stylesheet',
    async buildStart() {
      made = await makeStylesheet()
      for (const file of made.files) if (!file.includes('/node_modules/')) this.addWatchFile(file)
    },
    generateBundle() {
      const hash = createHash('sha256').update(made.text).digest('hex').slice(0, 8)
      page.css = `assets/app-${hash}.css`
      this.emitFile({ type: 'asset', fileName: page.css, source: made.text })
    }
  }
}
