// What a new version costs who has the one before: only names with a hash change, and only those of what is new.
import assert from 'node:assert/strict'
import { type OutputOptions, type Plugin, rollup } from 'rollup'
import { suite } from 'uvu'
import config from '../../rollup.config.mjs'

const test = suite('deploy')

/** A sentence of the console, and one that says it otherwise. */
const [BEFORE, AFTER] = ['Sign in', 'Log me in']

/** The console as it is shipped, and with one sentence changed. Nothing is written. */
async function buildTwo(): Promise<Map<string, string>[]> {
  let other = false
  const reword: Plugin = {
    name: 'reword',
    renderChunk: (code) => (other ? code.replaceAll(`"${BEFORE}"`, `"${AFTER}"`) : null)
  }
  const { input, treeshake, plugins, output: options } = config
  const bundle = await rollup({ input, treeshake, plugins: [reword, ...(plugins as Plugin[])] })
  const builds = []
  for (other of [false, true]) {
    const { output } = await bundle.generate(options as OutputOptions)
    const files = output.map(
      (file) => [file.fileName, String(file.type === 'chunk' ? file.code : file.source)] as const
    )
    builds.push(new Map(files))
  }
  return builds
}

test('a word that is said otherwise changes the script and its name, the name in the page, and nothing else', async () => {
  const [one, other] = await buildTwo()
  assert.ok(one && other)
  const [[script = '', ...rest], [otherScript = '', ...otherRest]] = [one, other].map((files) =>
    [...files.keys()].filter((path) => path.endsWith('.js'))
  ) as [string[], string[]]
  assert.deepEqual([rest, otherRest], [[], []])
  assert.notEqual(otherScript, script)
  assert.ok(other.get(otherScript)?.includes(AFTER), `nothing says ${BEFORE}`)
  assert.equal(other.size, one.size)
  for (const [path, text] of one) {
    if (path === script) continue
    assert.equal(other.get(path), path === 'index.html' ? text.replace(script, otherScript) : text, path)
  }
})

test.run()
