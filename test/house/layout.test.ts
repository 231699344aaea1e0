import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { LARGE_FOLDERS, LONG_FILES, TOP_LEVEL, tooFull, tooLong, unknownAtTop } from './layout.ts'
import { projectFiles, root, textOf } from './sources.ts'

const test = suite('layout')

const paths = projectFiles()
const codeFiles = paths
  .filter((path) => /\.(tsx?|mjs|c|h|scss)$/.test(path))
  .map((path) => ({ path, lines: textOf(path).split('\n').length - 1 }))

test('a new name at the top level, a long file and a full folder are found', () => {
  assert.deepEqual(unknownAtTop(['src/a.ts', 'helpers.mjs', 'lib/a.ts']), ['helpers.mjs', 'lib'])
  const lengths = [
    { path: 'src/a.ts', lines: 300 },
    { path: 'src/b.ts', lines: 301 },
    { path: 'test/a.test.ts', lines: 400 },
    { path: 'test/b.test.ts', lines: 401 }
  ]
  assert.deepEqual(tooLong(lengths), ['src/b.ts: 301 lines', 'test/b.test.ts: 401 lines'])
  const files = (count: number) => Array.from({ length: count }, (_, index) => `src/${count}/${index}.ts`)
  assert.deepEqual(tooFull([...files(24), ...files(25)]), ['src/25: 25 files'])
})

test('the top level holds only what is listed', () => {
  assert.deepEqual(unknownAtTop(paths), [])
  assert.deepEqual(
    TOP_LEVEL.filter((name) => !existsSync(join(root, name))),
    []
  )
})

test('no file is too long, but for those that are named', () => {
  assert.ok(codeFiles.length > 500)
  assert.deepEqual(tooLong(codeFiles), [])
})

test('no folder has too many files, except the listed ones', () => {
  assert.deepEqual(tooFull(paths), [])
})

test('every named exception is still needed', () => {
  for (const path of Object.keys(LONG_FILES)) {
    const lines = codeFiles.find((file) => file.path === path)?.lines ?? 0
    assert.ok(lines > (path.startsWith('test/') ? 400 : 300), `${path} has ${lines} lines`)
  }
  for (const folder of Object.keys(LARGE_FOLDERS))
    assert.ok(paths.filter((path) => path.slice(0, path.lastIndexOf('/')) === folder).length > 24, folder)
})

test.run()
