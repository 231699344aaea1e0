// What a browser can paint before the script is there, and what a second visit and a new version cost.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite } from 'uvu'
import { HASHED, readBundle } from '../../firmware-pack/bundle-files.ts'
import { gzip } from '../../firmware-pack/encodings.ts'
import { createFiles } from '../../hub/http/static-files.ts'
import { DOCUMENT } from '../../pack/budget.ts'
import { root } from './sources.ts'

const test = suite('first paint')

const dist = join(root, 'dist')
const files = readBundle(dist)
const page = files.find(({ path }) => path === 'index.html')?.bytes.toString() ?? ''
const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(page) ?? []

/** Bytes that a server sends before it waits for a first word back: ten packets. */
const AT_ONCE = 14 * 1024

test('frame and progress are in the page, and with their style in the first 14 KB', () => {
  const [head = '', body = ''] = page.split('<body>')
  for (const part of ['class="shell boot"', 'class="top"', 'class="side"', '<progress'])
    assert.ok(body.includes(part), part)
  assert.ok(head.indexOf('stylesheet') < head.indexOf('<script'), 'the style is asked for first')
  assert.match(head, /<script type="module"/, 'which blocks no painting')
  const css = files.find(({ path }) => path === style)
  assert.ok(css)
  const bytes = gzip(Buffer.from(page)).length + (css.gzip ?? gzip(css.bytes)).length
  assert.ok(bytes < AT_ONCE, `${bytes} bytes`)
})

test('what the page loads has a hashed name, and is asked for only once', () => {
  const serve = createFiles(dist)
  const loaded = files.filter(
    ({ path }) => path !== 'index.html' && /\.(html|css|js)$/.test(path) && !DOCUMENT.test(path)
  )
  assert.ok(loaded.length >= 2)
  for (const { path } of loaded) {
    assert.match(path, HASHED)
    assert.ok(page.includes(path), `${path} is named by the page`)
    assert.match(serve(new Request(`http://hub.test/${path}`))?.headers.get('cache-control') ?? '', /immutable/)
  }
})

test('a second visit costs no body', async () => {
  const serve = createFiles(dist)
  const first = serve(new Request('http://hub.test/', { headers: { 'accept-encoding': 'gzip' } }))
  assert.equal(first?.headers.get('cache-control'), 'no-cache')
  const headers = { 'accept-encoding': 'gzip', 'if-none-match': first?.headers.get('etag') ?? '' }
  const second = serve(new Request('http://hub.test/', { headers }))
  assert.equal(second?.status, 304)
  assert.equal((await second?.arrayBuffer())?.byteLength, 0)
})

test.run()
