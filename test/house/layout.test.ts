import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { LONG_FILES, lookups, TOP_LEVEL, tooLong, unknownAtTop, wideComments } from './layout.ts'
import { projectFiles, root, textOf } from './sources.ts'

const test = suite('layout')

const paths = projectFiles()
const codeFiles = paths
  .filter((path) => /\.(tsx?|mjs|c|h|scss)$/.test(path))
  .map((path) => ({ path, lines: textOf(path).split('\n').length - 1 }))

test('a new name at the top level, a long file and a wide comment are found', () => {
  assert.deepEqual(unknownAtTop(['src/a.ts', 'helpers.mjs', 'lib/a.ts']), ['helpers.mjs', 'lib'])
  const lengths = [
    { path: 'src/a.ts', lines: 400 },
    { path: 'test/b.test.ts', lines: 401 }
  ]
  assert.deepEqual(tooLong(lengths), ['test/b.test.ts: 401 lines'])
  const words = (columns: number) => 'word '.repeat(columns).slice(0, columns)
  const comments = [`// ${words(117)}`, `// ${words(118)}`, `  /** ${words(119)} */`, `const a = '${words(120)}'`]
  assert.deepEqual(wideComments('src/a.ts', comments.join('\n')), [
    'src/a.ts:2: 121 columns',
    'src/a.ts:3: 128 columns'
  ])
})

test('the top level holds only what is listed', () => {
  assert.deepEqual(unknownAtTop(paths), [])
  assert.deepEqual(
    TOP_LEVEL.filter((name) => !existsSync(join(root, name))),
    []
  )
})

test('no file is longer than 400 lines, but for those that are named with a reason', () => {
  assert.ok(codeFiles.length > 500)
  assert.deepEqual(tooLong(codeFiles), [])
})

test('texts that are chosen by a value are in tables of their own', () => {
  assert.deepEqual(lookups('src/a.ts', 't(TEXT.on)\nt(TEXT[state])\nt(STATES[state])'), ['src/a.ts:2'])
  const sources = paths.filter((path) => /^src\/.*\.tsx?$/.test(path))
  assert.deepEqual(
    sources.flatMap((path) => lookups(path, textOf(path))),
    []
  )
})

test('every named exception is still needed', () => {
  for (const path of Object.keys(LONG_FILES)) {
    const lines = codeFiles.find((file) => file.path === path)?.lines ?? 0
    assert.ok(lines > 400, `${path} has ${lines} lines`)
  }
})

test('comments are wrapped at 120 columns', () => {
  assert.deepEqual(
    codeFiles.flatMap(({ path }) => wideComments(path, textOf(path))),
    []
  )
})

test.run()
