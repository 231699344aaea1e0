// What a page loads before it works, and all that its folder can make a browser load: of our bundle and, by the same code, of others'.
import { posix } from 'node:path'
import { sync as brotliSize } from 'brotli-size'
import { parseAst } from 'rollup/parseAst'
import type { BundleFile } from '../bundle-files.ts'
import { quickGzip } from '../format/encodings.ts'

/** Bytes as they lie there, with gzip -9, and with brotli -11. */
export interface LoadSize {
  files: number
  raw: number
  gzip: number
  brotli: number
}

/** What browsers fetch and run or apply. Pictures and fonts are left out, in favour of who has more of them. */
const CODE = /\.(html|css|m?js)$/

const INDEX_PAGE = 'index.html'

/** The attributes of each element of a kind. What stands in a comment is none. */
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

/** Where a reference leads, as a path of the folder; nothing for another site. @param from the file it stands in */
function resolveReference(reference: string, from: string): string | undefined {
  if (/^([a-z]+:|\/\/)/i.test(reference)) return undefined
  const path = reference.replace(/[?#].*$/, '')
  return path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(from), path)
}

/** Style sheets, scripts and modules loaded ahead that a page names. */
function referencesOfPage(html: string): string[] {
  const base = elements(html, 'base')[0]?.get('href') ?? ''
  const from = resolveReference(posix.join(base || '.', INDEX_PAGE), '') ?? INDEX_PAGE
  const links = elements(html, 'link').filter((link) => /\b(stylesheet|modulepreload)\b/.test(link.get('rel') ?? ''))
  // Our own page names its script and its language packs in attributes of the inline script; a browser fetches one pack.
  const scripts = elements(html, 'script').flatMap((script) =>
    ['src', 'data-script', 'data-en'].map((name) => script.get(name))
  )
  return [...links.map((link) => link.get('href')), ...scripts]
    .flatMap((reference) => (reference ? [resolveReference(reference, from)] : []))
    .filter((path) => path !== undefined)
}

/** A node of a syntax tree, as far as it is looked at. */
interface Node {
  type: string
  [field: string]: unknown
}

/** The text of a plain string or of a template without places; undefined for anything else. */
function textIn({ type, value, quasis }: Node): unknown {
  if (type !== 'TemplateLiteral') return value
  const [only, ...more] = quasis as { value: { cooked: string } }[]
  return more.length === 0 ? only?.value.cooked : undefined
}

/**
 * What a statement imports that does nothing else than that at once: `import('./x.js').then(…)`, alone or wrapped in one call as
 * `ahead(() => import('./x.js'), …)`. A loader that is all a page names needs the rest before anything works.
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

/** What a file needs before it works: imports of a module, `@import` of a style sheet. */
function dependenciesOf(path: string, text: string): string[] {
  if (path.endsWith('.css'))
    return Array.from(text.matchAll(/@import\s*(?:url\()?["']?([^"')\s;]+)/g), ([, to = '']) => resolveReference(to, path)).filter(
      (to) => to !== undefined
    )
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
 * What is loaded before the page works: the page, the style sheets, scripts and modules that it names, and what those need in turn.
 * What a script asks for later is not in it.
 * @throws when a file that is needed is not there
 */
export function measureFirstLoad(files: readonly BundleFile[]): LoadSize {
  const all = new Map(files.map((file) => [file.path, file]))
  const html = all.get(INDEX_PAGE)
  if (!html) throw new Error(`there is no ${INDEX_PAGE}`)
  const loaded = new Set([html])
  const queue = referencesOfPage(html.bytes.toString())
  for (const path of queue) {
    const file = all.get(path)
    if (!file) throw new Error(`${path} is needed and not there`)
    if (loaded.has(file)) continue
    loaded.add(file)
    queue.push(...dependenciesOf(path, file.bytes.toString()))
  }
  return sumSizes([...loaded])
}

/** Every page, style sheet and script. A folder with a page of its own to begin at is another console, and does not count. */
export function measureWholeLoad(files: readonly BundleFile[]): LoadSize {
  const others = files.flatMap(({ path }) => (path.endsWith(`/${INDEX_PAGE}`) ? [path.slice(0, -INDEX_PAGE.length)] : []))
  return sumSizes(files.filter(({ path }) => CODE.test(path) && !others.some((folder) => path.startsWith(folder))))
}
