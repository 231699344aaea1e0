import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import { readBundle } from '../../firmware-pack/bundle-files.ts'
import { createPayload } from '../../firmware-pack/payload.ts'
import type { Manifest } from '../../pack/manifest.ts'
import { verifyWebRoot } from '../../pack/verify.ts'

const test = suite('payload')

const folder = mkdtempSync(join(tmpdir(), 'headend-payload-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const COMMIT = { id: 'c'.repeat(40), time: 1_700_000_000, changed: false }
const PAGE = Buffer.from('<!doctype html>'.repeat(20))
const SCRIPT = Buffer.from('console.log(1)\n'.repeat(20))
const TINY = Buffer.from('{}')
const BUNDLE = [
  { path: 'index.html', bytes: PAGE },
  { path: 'main-AbCd1234.js', bytes: SCRIPT },
  { path: 'tiny.json', bytes: TINY }
]

function write(to: string, files: readonly { path: string; bytes: Uint8Array }[]): void {
  for (const { path, bytes } of files) {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    writeFileSync(join(to, path), bytes)
  }
}

test('each file is stored uncompressed and in both encodings if they are smaller', () => {
  const { files, manifest } = createPayload(BUNDLE, '1.2.3', COMMIT)
  const byPath = new Map(files.map(({ path, bytes }) => [path, bytes]))
  assert.deepEqual(
    [...byPath.keys()],
    [
      'manifest.json',
      'www/index.html',
      'www/index.html.br',
      'www/index.html.gz',
      'www/main-AbCd1234.js',
      'www/main-AbCd1234.js.br',
      'www/main-AbCd1234.js.gz',
      'www/tiny.json'
    ]
  )
  assert.deepEqual(brotliDecompressSync(byPath.get('www/index.html.br') as Buffer), PAGE)
  assert.deepEqual(gunzipSync(byPath.get('www/main-AbCd1234.js.gz') as Buffer), SCRIPT)
  assert.equal(manifest.version, '1.2.3')
  assert.equal(manifest.commit, COMMIT.id)
  assert.equal(manifest.time, '2023-11-14T22:13:20.000Z')
  assert.equal('changed' in manifest, false)
  assert.deepEqual(JSON.parse(String(byPath.get('manifest.json'))), manifest)
})

test('the manifest records whether the bundle has uncommitted changes', () => {
  assert.equal(createPayload(BUNDLE, '1.2.3', { ...COMMIT, changed: true }).manifest.changed, true)
})

test('a script without a hash in its name is refused', () => {
  assert.throws(() => createPayload([{ path: 'main.js', bytes: SCRIPT }], '1.2.3', COMMIT), /main\.js has no hash/)
})

test('a page without one of the two packs of a language is refused', () => {
  const page = Buffer.from('<script data-script="main-AbCd1234.js" data-en="en-12345678.txt en-later-12345678.txt">')
  const packs = ['en-12345678.txt', 'en-later-12345678.txt'].map((path) => ({ path, bytes: TINY }))
  const all = [{ path: 'index.html', bytes: page }, { path: 'main-AbCd1234.js', bytes: SCRIPT }, ...packs]
  createPayload(all, '1.2.3', COMMIT)
  for (const { path: missing } of packs)
    assert.throws(
      () =>
        createPayload(
          all.filter(({ path }) => path !== missing),
          '1.2.3',
          COMMIT
        ),
      new RegExp(`incomplete: index\\.html refers to ${missing}`)
    )
})

test('a page without its script or style sheet is refused', () => {
  const page = Buffer.from(
    '<link rel="stylesheet" href="a-12345678.css" /><script type="module" src="main-AbCd1234.js">'
  )
  const style = { path: 'a-12345678.css', bytes: TINY }
  const all = [{ path: 'index.html', bytes: page }, { path: 'main-AbCd1234.js', bytes: SCRIPT }, style]
  const { files } = createPayload(all, '1.2.3', COMMIT)
  for (const missing of ['main-AbCd1234.js', 'a-12345678.css']) {
    const rest = all.filter(({ path }) => path !== missing)
    assert.throws(
      () => createPayload(rest, '1.2.3', COMMIT),
      new RegExp(`incomplete: index\\.html refers to ${missing}`)
    )
    // Other tools could have signed such a pack.
    const half = join(folder, `without ${missing}`)
    const manifest = JSON.parse(String(files[0]?.bytes)) as Manifest
    manifest.files = manifest.files.filter(({ path }) => path !== missing)
    write(half, [
      ...files.filter(({ path }) => !path.startsWith(`www/${missing}`)),
      { path: 'manifest.json', bytes: Buffer.from(JSON.stringify(manifest)) }
    ])
    assert.deepEqual(verifyWebRoot(half), [`${missing}, which index.html refers to, is not in the manifest`])
  }
})

test('verification finds changed, missing and additional files', () => {
  const { files } = createPayload(BUNDLE, '1.2.3', COMMIT)
  const sound = join(folder, 'sound')
  write(sound, files)
  assert.deepEqual(verifyWebRoot(sound), [])

  const spoilt = join(folder, 'spoilt')
  write(spoilt, files)
  rmSync(join(spoilt, 'www/tiny.json'))
  write(spoilt, [
    { path: 'www/index.html.br', bytes: files[3]?.bytes as Buffer },
    { path: 'www/extra.js', bytes: SCRIPT }
  ])
  assert.deepEqual(verifyWebRoot(spoilt), [
    'index.html.br does not match the manifest',
    'tiny.json is missing',
    'extra.js is not in the manifest'
  ])
  assert.deepEqual(verifyWebRoot(join(folder, 'nowhere')), ['manifest.json is missing'])
})

test('the bundle is sorted by path, without source maps', () => {
  const dist = join(folder, 'dist')
  write(
    dist,
    ['b.js', 'a/z.js', 'index.html', 'B.css', 'b.js.map'].map((path) => ({ path, bytes: TINY }))
  )
  assert.deepEqual(
    readBundle(dist).map(({ path }) => path),
    ['B.css', 'a/z.js', 'b.js', 'index.html']
  )
  assert.throws(() => readBundle(join(folder, 'sound/www/nothing')))
})

test.run()
