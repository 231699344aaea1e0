import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import { zopfli } from '../../bundler/zopfli.ts'
import { root, textOf } from '../house/sources.ts'

const test = suite('zopfli')

test('compressed data decompresses to the original', () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('a'), randomBytes(10_000), Buffer.from(textOf('README.md'))])
    assert.deepEqual(gunzipSync(zopfli(bytes)), bytes)
})

test('the result is smaller than gzip -9 and reproducible', () => {
  const text = Buffer.from(textOf('src/ui/table/table.tsx'))
  const packed = zopfli(text)
  assert.ok(packed.length < gzipSync(text, { level: 9 }).length)
  assert.deepEqual(zopfli(text), packed)
  assert.equal(packed.readUInt32LE(4), 0, 'no time in it')
})

test('an uncaught error is printed unchanged when the compressor is loaded', () => {
  const script = "import('./bundler/zopfli.ts').then(() => { throw new Error('ours') })"
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' })
  assert.equal(status, 1)
  assert.match(stderr, /Error: ours/)
  assert.ok(stderr.length < 5000, `${stderr.length} characters`)
})

test.run()
