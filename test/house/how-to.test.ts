// The how-tos can be followed word for word. `test/docs/how-to.test.ts` compiles and tests the result.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { changedBy, copyFiles, FILES_MAX, followDocument, stepsOf } from './how-to.ts'
import { projectFiles, root, textOf } from './sources.ts'

const test = suite('how-tos')

test('the words before a block say what to do with it', () => {
  const document = [
    'A note. It is long. Create `a.ts`:',
    '',
    '```ts',
    'const a = 1',
    '```',
    '',
    '1. In `b.ts`, after the',
    '   line ``const b = `x` ``:',
    '',
    '   ```ts',
    '   const c = 2',
    '   ```',
    '',
    'Run, which writes `d.md` and `e.json`:',
    '```sh',
    'make d',
    '```',
    '```text',
    'shown',
    '```'
  ].join('\n')
  assert.deepEqual(
    stepsOf(document).map(({ action, code }) => [action, code]),
    [
      [{ kind: 'create', path: 'a.ts' }, 'const a = 1\n'],
      [{ kind: 'after', path: 'b.ts', anchor: 'const b = `x`' }, 'const c = 2\n'],
      [{ kind: 'run', paths: ['d.md', 'e.json'] }, 'make d\n'],
      [undefined, 'shown\n']
    ]
  )
  assert.throws(() => stepsOf('For example:\n\n```ts\nconst a = 1\n```'), /line 3: the words before the block/)
})

test('a step that does not fit is an error', () => {
  const folder = mkdtempSync(join(tmpdir(), 'how-to-'))
  try {
    cpSync(join(root, 'package.json'), join(folder, 'package.json'))
    const follow = (words: string) => {
      cpSync(join(root, 'package.json'), join(folder, 'other.json'))
      writeFileSync(join(folder, 'how-to.md'), `${words}\n\n\`\`\`ts\nx\n\`\`\`\n`)
      return followDocument(folder, 'how-to.md', false)
    }
    assert.deepEqual(follow('In `other.json`, before the line `"type": "module",`:'), ['other.json'])
    assert.match(readFileSync(join(folder, 'other.json'), 'utf8'), /\nx\n {2}"type"/)
    assert.throws(() => follow('In `other.json`, before the line `}`:'), /how-to.md, line 3: \d+ lines are: }/)
    assert.throws(() => follow('Create `other.json`:'), /other.json exists/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('every how-to is among those that are followed', () => {
  const documents = projectFiles().filter((path) => /^docs\/new-.*\.md$/.test(path))
  assert.deepEqual(
    documents.filter((path) => FILES_MAX[path] === undefined),
    []
  )
})

test('every how-to can be followed and touches few files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'how-to-'))
  try {
    for (const path of Object.keys(FILES_MAX)) copyFiles([path, ...changedBy(textOf(path))], folder)
    for (const [path, max] of Object.entries(FILES_MAX)) {
      const touched = followDocument(folder, path, false)
      assert.ok(touched.length <= max, `${path} touches ${touched.length} files: ${touched.join(', ')}`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.run()
