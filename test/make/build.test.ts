import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import { root } from '../house/sources.ts'

const test = suite('build')

const dist = join(root, 'dist')

test('the page and all assets have compressed copies, so that no hub compresses them at its start', () => {
  const files = ['index.html', ...readdirSync(join(dist, 'assets')).map((name) => `assets/${name}`)]
  const plain = files.filter((name) => !/\.(gz|br)$/.test(name))
  assert.ok(plain.length >= 7, plain.join())
  for (const name of plain) {
    const path = join(dist, name)
    for (const copy of [`${path}.gz`, `${path}.br`]) assert.ok(existsSync(copy), copy)
    assert.deepEqual(gunzipSync(readFileSync(`${path}.gz`)), readFileSync(path))
    assert.deepEqual(brotliDecompressSync(readFileSync(`${path}.br`)), readFileSync(path))
  }
})

test.run()
