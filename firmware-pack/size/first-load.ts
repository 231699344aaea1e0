// Measures which files a page loads before it works, and all code in its folder. The same code measures this console
// and others.
import { posix } from 'node:path'
import { sync as brotliSize } from 'brotli-size'
import { parseAst } from 'rollup/parseAst'
import type { BundleFile } from '../bundle-files.ts'
import { quickGzip } from '../format/encodings.ts'

/** Number of files and their bytes: uncompressed, with gzip -9 and with brotli -11. */
export interface LoadSize {
  files: number
  raw: number
  gzip: number
  brotli: number
}

/**
 * Pages, style sheets and scripts. Images and fonts are not counted, to the advantage of consoles that have more of
 * them.
 */
const CODE = /\.(html|css|m?js)$/

const INDEX_PAGE = 'index.html'

/** Returns the attributes of each element with a tag name. Comments are ignored. */
function elements(html: string, kind: string): Map<string, string>[] {
  const tags = html.replace(/<!--.*?-->/gs, '').match(new RegExp(`<${kind}\\s[^>]*>`, 'gi')) ?? []
  return tags.map(
    (tag) =>
      new Map(
        Array.from(tag.matchAll(/\s([\w-]+)=(?:"([^"]*)"|'([^']*)'|([^\s>]+))/g), ([, name = '', ...values]) => [
          name.toLowerCase(),
          values.find((value) => value !== undefined) ?? ''
        ])
      )
  )
}

/** Resolves a reference to a path in the folder; undefined for another site. @param from the file with the reference */
function resolveReference(reference: string, from: string): string | undefined {
  if (/^([a-z]+:|\/\/)/i.test(reference)) return undefined
  const path = reference.replace(/[?#].*$/, '')
  return path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(from), path)
}

/** Returns the style sheets, scripts and preloaded modules of a page. */
function referencesOfPage(html: string): string[] {
  const base = elements(html, 'base')[0]?.get('href') ?? ''
  const from = resolveReference(posix.join(base || '.', INDEX_PAGE), '') ?? INDEX_PAGE
  const links = elements(html, 'link').filter((link) => /\b(stylesheet|modulepreload)\b/.test(link.get('rel') ?? ''))
  // The Headend page names its script and the two files of each language pack in attributes of the inline script. A
  // browser loads the first one of one pack.
  const scripts = elements(html, 'script').flatMap((script) =>
    ['src', 'data-script', 'data-en'].map((name) => script.get(name)?.split(' ')[0])
  )
  return [...links.map((link) => link.get('href')), ...scripts]
    .flatMap((reference) => (reference ? [resolveReference(reference, from)] : []))
    .filter((path) => path !== undefined)
}

/** A node of a syntax tree. */
interface Node {
  type: string
  [field: string]: unknown
}

/** Returns the text of a string literal or of a template without placeholders; undefined for anything else. */
function textIn({ type, value, quasis }: Node): unknown {
  if (type !== 'TemplateLiteral') return value
  const [only, ...more] = quasis as { value: { cooked: string } }[]
  return more.length === 0 ? only?.value.cooked : undefined
}

/**
 * Returns the module that a top-level statement imports dynamically at once: `import('./x.js').then(…)`, also wrapped
 * in a call such as `preload(() => import('./x.js'), …)`. A page whose only script is such a loader works only after
 * that import.
 */
function immediateImport(node: Node): unknown {
  if (node.type === 'ExpressionStatement') return immediateImport(node.expression as Node)
  if (node.type === 'ImportExpression') return textIn(node.source as Node)
  if (node.type === 'ArrowFunctionExpression') return immediateImport(node.body as Node)
  if (node.type === 'MemberExpression') return immediateImport(node.object as Node)
  if (node.type !== 'CallExpression') return undefined
  const [first] = node.arguments as Node[]
  return immediateImport(node.callee as Node) ?? (first && immediateImport(first))
}

/** Returns the files that a file depends on: imports of a module, `@import` of a style sheet. */
function dependenciesOf(path: string, text: string): string[] {
  if (path.endsWith('.css'))
    return Array.from(text.matchAll(/@import\s*(?:url\()?["']?([^"')\s;]+)/g), ([, to = '']) =>
      resolveReference(to, path)
    ).filter((to) => to !== undefined)
  // A language pack is text.
  if (!/\.m?js$/.test(path)) return []
  return parseAst(text).body.flatMap((node) => {
    const source = 'source' in node ? node.source?.value : immediateImport(node as unknown as Node)
    const to = typeof source === 'string' ? resolveReference(source, path) : undefined
    return to === undefined ? [] : [to]
  })
}

function sumSizes(files: readonly BundleFile[]): LoadSize {
  const load: LoadSize = { files: 0, raw: 0, gzip: 0, brotli: 0 }
  for (const { bytes } of files) {
    load.files++
    load.raw += bytes.length
    load.gzip += quickGzip(bytes).length
    load.brotli += brotliSize(bytes)
  }
  return load
}

/**
 * Measures the files that are loaded before the page works: the page, its style sheets, scripts and modules, and their
 * dependencies. Files that a script loads later are not included.
 * @throws Error when one of these files is missing
 */
export function measureFirstLoad(files: readonly BundleFile[]): LoadSize {
  const all = new Map(files.map((file) => [file.path, file]))
  const html = all.get(INDEX_PAGE)
  if (!html) throw new Error(`There is no ${INDEX_PAGE}`)
  const loaded = new Set([html])
  const queue = referencesOfPage(html.bytes.toString())
  for (const path of queue) {
    const file = all.get(path)
    if (!file) throw new Error(`${path} is required and missing`)
    if (loaded.has(file)) continue
    loaded.add(file)
    queue.push(...dependenciesOf(path, file.bytes.toString()))
  }
  return sumSizes([...loaded])
}

/**
 * Measures all pages, style sheets and scripts. A subfolder with an index page is another console and is not included.
 */
export function measureWholeLoad(files: readonly BundleFile[]): LoadSize {
  const others = files.flatMap(({ path }) =>
    path.endsWith(`/${INDEX_PAGE}`) ? [path.slice(0, -INDEX_PAGE.length)] : []
  )
  return sumSizes(files.filter(({ path }) => CODE.test(path) && !others.some((folder) => path.startsWith(folder))))
}
