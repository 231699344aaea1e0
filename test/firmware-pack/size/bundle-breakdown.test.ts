import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { measureParts, partOf } from '../../../firmware-pack/size/bundle-breakdown.ts'

const test = suite('bundle breakdown')

test('a module is counted for its screen, otherwise its layer, otherwise its package', () => {
  const parts = {
    'src/screens/user/list.tsx': 'screens/user',
    'src/ui/table/table.tsx': 'ui',
    'src/paths.ts': 'paths.ts',
    'contract/access/user.ts': 'contract',
    'node_modules/preact/hooks/dist/hooks.mjs': 'preact'
  }
  for (const [path, part] of Object.entries(parts)) assert.equal(partOf(path), part)
})

test('sentences and code are counted separately, and a part counts the bytes saved without it', () => {
  const code = Array.from({ length: 200 }, (_, index) => `f${index}(${index * index});`).join('')
  const modules = [
    { path: 'src/ui/a.ts', text: code },
    { path: 'src/text/b.ts', text: `const T=['Name','名称'];` },
    { path: 'src/ui/c.ts', text: 'c();' }
  ]
  const [first, second, ...others] = measureParts(modules)
  assert.deepEqual([first?.name, first?.code, first?.sentences], ['ui', code.length + 4, 0])
  assert.deepEqual([second?.name, second?.code, second?.sentences], ['text', 16, 10])
  assert.equal(others.length, 0)
  assert.ok((first?.brotli ?? 0) > 200 && (first?.gzip ?? 0) > (second?.gzip ?? 0))
  assert.ok((second?.brotli ?? 0) > 0)
})

test('content shared with another part counts almost nothing', () => {
  const text = Array.from({ length: 200 }, (_, index) => `g${index}(${index ** 3});`).join('')
  const [one, two] = measureParts([
    { path: 'src/screens/a/list.tsx', text },
    { path: 'src/screens/b/list.tsx', text }
  ])
  assert.ok((one?.brotli ?? 0) < 20 && (two?.brotli ?? 0) < 20)
})

test.run()
