// The names that become shorter in the script are nobody else's.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rollup } from 'rollup'
import { parseAst } from 'rollup/parseAst'
import { suite } from 'uvu'
import { absent } from '../../absent.mjs'
import { sources, TREESHAKE } from '../../bundle.mjs'
import { OWN_NAMES } from '../../names.mjs'
import { words } from '../../words.mjs'

const test = suite('names')

const ROOT = join(import.meta.dirname, '../..')

/** More than this is the gathered words of a language, not a name. */
const TEXT_MAX = 3000

/** The properties of the script, and the words in its texts. */
async function script() {
  const plugins = [sources(), absent(), words()]
  const bundle = await rollup({ input: join(ROOT, 'src/main.tsx'), treeshake: TREESHAKE, plugins })
  const { output } = await bundle.generate({ format: 'es' })
  const properties = new Set<string>()
  const said = new Set<string>()
  const hear = (text: string) => {
    for (const word of text.length < TEXT_MAX ? (text.match(/[\w$-]+/g) ?? []) : []) said.add(word)
  }
  // biome-ignore lint/suspicious/noExplicitAny: any node of an ESTree
  function walk(node: any): void {
    if (Array.isArray(node)) for (const one of node) walk(one)
    if (typeof node?.type !== 'string') return
    if (node.type === 'MemberExpression' && !node.computed) properties.add(node.property.name)
    if (node.type === 'Property' && !node.computed) properties.add(node.key.name)
    if (/^(Method|Property)Definition$/.test(node.type)) properties.add(node.key.name)
    if (node.type === 'Literal' && typeof node.value === 'string') hear(node.value)
    if (node.type === 'TemplateElement') hear(node.value.cooked)
    for (const part of Object.values(node)) if (typeof part === 'object') walk(part)
  }
  walk(parseAst(output[0].code))
  return { properties, said }
}

/** The code of files, without comments. */
function codeOf(...patterns: string[]): string {
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  assert.ok(files.length > 0, patterns.join())
  const texts = files.map((file) => readFileSync(join(ROOT, file), 'utf8'))
  return texts.join('\n').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
}

function noneOf(names: ReadonlySet<string | undefined>): void {
  assert.ok(names.size > 200)
  assert.deepEqual(
    OWN_NAMES.filter((name) => names.has(name)),
    []
  )
}

test('each is a property in the script, and no text of it says one', async () => {
  const { properties, said } = await script()
  assert.ok(OWN_NAMES.length > 40)
  assert.deepEqual(
    OWN_NAMES.filter((name) => !properties.has(name)),
    []
  )
  noneOf(said)
})

test('no browser, nor Preact, knows one', () => {
  const code = codeOf('node_modules/@typescript/*/lib/lib.*.d.ts', 'node_modules/preact/{src,hooks/src}/*.d.ts')
  noneOf(new Set(code.match(/[\w$]+/g)))
})

test('nothing between console and hub is called like one', () => {
  const found = codeOf('contract/**/*.ts').matchAll(/([\w$]+)'?\??\s*[:,}(]|[.{]\s*([\w$]+)|'([\w$]+)'/g)
  noneOf(new Set([...found].map(([, key, property, text]) => key ?? property ?? text)))
})

test.run()
