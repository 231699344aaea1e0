import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { type LockFile, type PackageFile, unknownScripts, unlocked, unpinned } from './dependencies.ts'
import { textOf } from './sources.ts'

const test = suite('dependencies')

const file = JSON.parse(textOf('package.json')) as PackageFile
const lock = JSON.parse(textOf('package-lock.json')) as LockFile

test('a range, a tag and a URL are not pinned versions', () => {
  const loose = { a: '^1.0.0', b: 'latest', c: '1', d: 'https://example.com/d.tgz', e: '1.2.3' }
  assert.equal(unpinned({ dependencies: loose }).length, 4)
  assert.deepEqual(unpinned({ devDependencies: { e: '1.2.3' } }), [])
})

test('a dependency that is missing in the lockfile is found', () => {
  const small: LockFile = { packages: { 'node_modules/a': { version: '1.0.0' } } }
  assert.deepEqual(unlocked({ dependencies: { a: '1.0.0' } }, small), [])
  assert.deepEqual(unlocked({ dependencies: { a: '1.0.1', b: '1.0.0' } }, small), ['a', 'b'])
})

test('install scripts are found at any depth', () => {
  const script = { hasInstallScript: true }
  const small: LockFile = { packages: { 'node_modules/a/node_modules/@b/c': script, 'node_modules/esbuild': script } }
  assert.deepEqual(unknownScripts(small), ['@b/c'])
})

test('every dependency is pinned and locked', () => {
  assert.deepEqual(unpinned(file), [])
  assert.deepEqual(unlocked(file, lock), [])
})

test('no package runs an install script', () => {
  assert.deepEqual(unknownScripts(lock), [])
  assert.match(textOf('.npmrc'), /^ignore-scripts=true$/m)
})

test.run()
