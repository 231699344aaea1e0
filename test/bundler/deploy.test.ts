// A new version changes only the names of files with changed content, so that browsers load only those again.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type OutputOptions, type Plugin, rollup } from 'rollup'
import { suite } from 'uvu'
import { root } from '../../bundler/project.ts'
import { readBundle } from '../../firmware-pack/bundle-files.ts'
import config from '../../rollup.config.mjs'

const test = suite('deploy')

/** A sentence of the console, and its replacement. */
const [BEFORE, AFTER] = ['Sign in', 'Log me in']

/** Files of `dist/` that are copied as they are. */
const COPIED = /^help\./

/** Builds the console with one changed sentence, without writing files. @returns texts by path, without the commit */
async function buildOther(): Promise<Map<string, string>> {
  const reword: Plugin = { name: 'reword', renderChunk: (code) => code.replaceAll(`"${BEFORE}"`, `"${AFTER}"`) }
  const { input, treeshake, plugins, output: options } = config
  const bundle = await rollup({ input, treeshake, plugins: [reword, ...(plugins as Plugin[])] })
  const { output } = await bundle.generate(options as OutputOptions)
  const files = output.filter(({ fileName }) => fileName !== 'version.json')
  return new Map(files.map((file) => [file.fileName, String(file.type === 'chunk' ? file.code : file.source)]))
}

test('a changed English sentence changes the English pack, its name in the page, and nothing else', async () => {
  const other = await buildOther()
  const built = readBundle(join(root, 'dist')).filter(({ path }) => !COPIED.test(path))
  const one = new Map(built.map(({ path, bytes }) => [path, bytes.toString()]))
  const [pack = '', otherPack = ''] = [one, other].map(
    (files) => [...files.keys()].find((path) => path.startsWith('assets/en-')) ?? ''
  )
  assert.notEqual(otherPack, pack)
  assert.ok(other.get(otherPack)?.includes(AFTER), `no sentence reads '${BEFORE}'`)
  assert.equal(other.size, one.size)
  // Further languages fall back to English, so their packs change with it.
  const isFurtherPack = (path: string) => /^assets\/(?!en-|zh-)[a-z]{2}-\w+\.txt$/.test(path)
  const withoutFurther = (page: string) => page.replaceAll(/ data-(?!en|zh)[a-z]{2}="[^"]*"/g, '')
  for (const [path, text] of one) {
    if (path === pack || isFurtherPack(path)) continue
    const isPage = path === 'index.html'
    const expected = isPage ? withoutFurther(text).replace(pack, otherPack) : text
    const changed: string = other.get(path) ?? ''
    assert.equal(isPage ? withoutFurther(changed) : changed, expected, path)
  }
})

test.run()
