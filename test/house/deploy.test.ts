// What a new version costs who has the one before: only names with a hash change, and only those of what is new.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type OutputOptions, type Plugin, rollup } from 'rollup'
import { suite } from 'uvu'
import { readBundle } from '../../firmware-pack/bundle-files.ts'
import config from '../../rollup.config.mjs'
import { root } from './sources.ts'

const test = suite('deploy')

/** A sentence of the console, and one that says it otherwise. */
const [BEFORE, AFTER] = ['Sign in', 'Log me in']

/** Builds the console with one sentence changed, as it is shipped. Nothing is written. */
async function buildOther(): Promise<Map<string, Buffer>> {
  let changes = 0
  const reword = {
    name: 'reword',
    transform: {
      order: 'pre' as const,
      handler(code: string, id: string) {
        if (!id.startsWith(join(root, 'src'))) return undefined
        const reworded = code.replaceAll(`"${BEFORE}"`, `"${AFTER}"`)
        if (reworded !== code) changes++
        return reworded
      }
    }
  }
  const { input, treeshake, plugins, output: options } = config
  const bundle = await rollup({ input, treeshake, plugins: [reword, ...(plugins as Plugin[])] })
  const { output } = await bundle.generate(options as OutputOptions)
  assert.ok(changes > 0, `nothing says ${BEFORE}`)
  return new Map(
    output.map((file) => [file.fileName, Buffer.from(file.type === 'chunk' ? file.code : file.source)] as const)
  )
}

test('a word that is said otherwise changes the script and its name, the name in the page, and nothing else', async () => {
  const now = new Map(readBundle(join(root, 'dist')).map(({ path, bytes }) => [path, bytes]))
  const other = await buildOther()
  const scripts = [now, other].map((files) => [...files.keys()].filter((path) => path.endsWith('.js')))
  const [[script = '', ...rest] = [], [otherScript = '', ...otherRest] = []] = scripts
  assert.deepEqual([rest, otherRest], [[], []])
  assert.notEqual(otherScript, script)
  assert.ok(other.get(otherScript)?.includes(AFTER))
  for (const [path, bytes] of other) {
    if (path === otherScript || path === 'version.json') continue
    const expected = path === 'index.html' ? String(now.get(path)).replace(script, otherScript) : String(now.get(path))
    assert.equal(String(bytes), expected, path)
  }
})

test.run()
