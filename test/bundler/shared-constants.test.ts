// Constants that both scripts of the console use.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rollup } from 'rollup'
import { suite } from 'uvu'
import { laterChunk } from '../../bundler/later-chunk.ts'
import { sharedConstants } from '../../bundler/shared-constants.ts'

const test = suite('shared constants')

const MODULES: Readonly<Record<string, string>> = {
  main: `import { LIMIT, STATE, state, NAMES, double } from 'shared'
    globalThis.runBoth = async () =>
      [LIMIT, STATE.off, state.count, NAMES.a, double(1), (await import('rare')).rare(), state.count]`,
  shared: `export const LIMIT = -7
    export const title = 12
    export const STATE = { off: 0, on: 1 }
    export const state = { count: 5 }
    export const NAMES = { a: 'A', b: 'B' }
    export const double = (value) => 2 * value`,
  rare: `import { LIMIT as limit, STATE, state, NAMES, double, title } from 'shared'
    export const rare = () => [limit, title, STATE.on, ++state.count, NAMES.b, double(limit)]`
}

test('the later script has numbers and tables of numbers itself, and shares everything else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shared-constants-'))
  try {
    const bundle = await rollup({
      input: 'main',
      plugins: [
        { name: 'modules', resolveId: (id) => (id in MODULES ? id : null), load: (id) => MODULES[id] ?? null },
        sharedConstants()
      ]
    })
    await bundle.write({
      dir: folder,
      format: 'es',
      entryFileNames: 'app.mjs',
      chunkFileNames: '[name].mjs',
      manualChunks: laterChunk(),
      onlyExplicitManualChunks: true
    })
    const later = await readFile(join(folder, 'later.mjs'), 'utf8')
    const [, imported = ''] = /import \{([^}]*)\}/.exec(later) ?? []
    assert.deepEqual(
      imported
        .split(',')
        .map((name) => name.replace(/.* as /, '').trim())
        .sort(),
      ['NAMES', 'double', 'state']
    )
    await import(join(folder, 'app.mjs'))
    const { runBoth } = globalThis as unknown as { runBoth: () => Promise<unknown> }
    assert.deepEqual(await runBoth(), [-7, 0, 5, 'A', 2, [-7, 12, 1, 6, 'B', -14], 6])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test.run()
