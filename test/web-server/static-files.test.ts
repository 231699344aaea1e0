import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import { chooseEncoding as choose, type Encoding } from '../../web-server/encoding.ts'
import { serveFolder } from '../kit/hub/web-server.ts'

const test = suite('files')
const folder = mkdtempSync(join(tmpdir(), 'headend-files-'))
const page = `<!doctype html><title>Headend</title>${'<p>channel</p>'.repeat(200)}`
writeFileSync(join(folder, 'index.html'), page)
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'assets/app-AbCd1234.js'), 'export {}')
writeFileSync(join(folder, 'app.js.map'), '{}')
const files = serveFolder(folder)
test.after(() => rmSync(folder, { recursive: true }))

const serveFile = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  files(path, { method, headers })

const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity']
const chooseEncoding = (accept: string | null) => choose(accept, ENCODINGS)

async function bytesOf(response: Response | undefined): Promise<Buffer> {
  return Buffer.from((await response?.arrayBuffer()) ?? new ArrayBuffer(0))
}

test('each encoding carries the same file under its own strong tag', async () => {
  const br = serveFile('/', { 'accept-encoding': 'gzip, br' })
  const gzip = serveFile('/', { 'accept-encoding': 'gzip' })
  const plain = serveFile('/')
  assert.equal(brotliDecompressSync(await bytesOf(br)).toString(), page)
  assert.equal(gunzipSync(await bytesOf(gzip)).toString(), page)
  assert.equal(await plain?.text(), page)
  const tags = [br, gzip, plain].map((response) => response?.headers.get('etag'))
  assert.equal(new Set(tags).size, 3)
  for (const tag of tags) assert.match(tag ?? '', /^"[^"]+"$/)
  assert.equal(br?.headers.get('vary'), 'accept-encoding')
})

test('a request with a known ETag gets 304 without a body', async () => {
  const tag = serveFile('/')?.headers.get('etag') ?? ''
  for (const header of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
    const response = serveFile('/', { 'if-none-match': header })
    assert.equal(response?.status, 304)
    assert.equal(await response?.text(), '')
  }
  assert.equal(serveFile('/', { 'if-none-match': '"other"' })?.status, 200)
})

test('only hashed names are cached for long', () => {
  assert.match(serveFile('/assets/app-AbCd1234.js')?.headers.get('cache-control') ?? '', /immutable/)
  assert.equal(serveFile('/index.html')?.headers.get('cache-control'), 'no-cache')
})

test('HEAD returns the headers of GET without the body', async () => {
  const head = serveFile('/', {}, 'HEAD')
  assert.equal(head?.headers.get('content-length'), String(page.length))
  assert.equal(await head?.text(), '')
  assert.equal(serveFile('/', {}, 'DELETE')?.status, 405)
})

test('nothing outside the bundle and no source map is served', () => {
  for (const path of ['/../package.json', '/..%2fpackage.json', '/%2e%2e/package.json', '/assets', '/app.js.map', '/x'])
    assert.equal(serveFile(path), undefined, path)
})

test('in development every page has the banner, in each encoding and instead of the compressed copies', async () => {
  const pageFolder = mkdtempSync(join(tmpdir(), 'headend-files-'))
  writeFileSync(join(pageFolder, 'index.html'), `<body>${page}</body>`)
  writeFileSync(join(pageFolder, 'index.html.br'), brotliCompressSync(page))
  writeFileSync(join(pageFolder, 'app.js'), 'export {}')
  const serve = serveFolder(pageFolder, true)
  const read = (path: string, encoding = 'identity') =>
    bytesOf(serve(path, { headers: { 'accept-encoding': encoding } }))
  const plain = (await read('/')).toString()
  assert.match(
    plain,
    /<p class="banner development" .*trusts a signing key that everybody has.*公开的签名密钥.*<\/p><\/body>$/
  )
  assert.equal(brotliDecompressSync(await read('/', 'br')).toString(), plain)
  assert.equal(gunzipSync(await read('/', 'gzip')).toString(), plain)
  assert.equal((await read('/app.js')).toString(), 'export {}')
  rmSync(pageFolder, { recursive: true })
})

test('q-values decide, and the smallest wins among equals', () => {
  assert.equal(chooseEncoding('gzip, deflate, br, zstd'), 'br')
  assert.equal(chooseEncoding('br;q=0, gzip'), 'gzip')
  assert.equal(chooseEncoding('br;q=0.5, gzip;q=0.9'), 'gzip')
  assert.equal(chooseEncoding('*'), 'br')
  assert.equal(chooseEncoding('*;q=0, identity'), 'identity')
  assert.equal(chooseEncoding(''), 'identity')
  assert.equal(chooseEncoding(null), 'identity')
  assert.equal(chooseEncoding('identity;q=0, *;q=0'), undefined)
  assert.equal(chooseEncoding('x-gzip'), 'gzip')
})

test('the policy of a page allows its inline scripts by their hashes, and scripts of no other origin', () => {
  const pageFolder = mkdtempSync(join(tmpdir(), 'headend-files-'))
  try {
    writeFileSync(join(pageFolder, 'index.html'), '<script data-a="b">let a = 1</script><script src="c.js"></script>')
    const page = serveFolder(pageFolder)('/')
    const policy = page?.headers.get('content-security-policy') ?? ''
    const hash = createHash('sha256').update('let a = 1').digest('base64')
    assert.ok(policy.includes(`script-src 'self' 'sha256-${hash}';`), policy)
  } finally {
    rmSync(pageFolder, { recursive: true })
  }
  const script = serveFile('/assets/app-AbCd1234.js')?.headers.get('content-security-policy') ?? ''
  assert.ok(script.includes("script-src 'self';"), script)
})

test.run()
