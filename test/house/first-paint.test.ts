// The page before its script has arrived, and the transfer of a second visit.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { suite } from 'uvu'
import { HASHED, readBundle } from '../../firmware-pack/bundle-files.ts'
import { gzip } from '../../firmware-pack/format/encodings.ts'
import { HELP_PAGE } from '../../pack/budget.ts'
import { serveFolder } from '../kit/hub/web-server.ts'
import { root } from './sources.ts'

const test = suite('first paint')

const dist = join(root, 'dist')
const files = readBundle(dist)
const page = files.find(({ path }) => path === 'index.html')?.bytes.toString() ?? ''
const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(page) ?? []

/**
 * Bytes that a server sends before it waits for an acknowledgement: ten packets, the initial congestion window (RFC
 * 6928).
 */
const INITIAL_WINDOW = 14 * 1024

test('the frame and the login form are in the page, and together with the style sheet in the first 14 KB', () => {
  const [head = '', body = ''] = page.split('<body>')
  for (const part of [
    'class="shell boot"',
    '<progress',
    'class="alone boot-login"',
    'id="boot-name"',
    'id="boot-password"'
  ])
    assert.ok(body.includes(part), part)
  assert.ok(head.indexOf('data-en=') < head.indexOf('stylesheet'), 'the language pack waits for no style sheet')
  assert.doesNotMatch(page, /<script[^>]* src=/, 'the script would take the line from the style sheet')
  const css = files.find(({ path }) => path === style)
  assert.ok(css)
  const bytes = gzip(Buffer.from(page)).length + (css.gzip ?? gzip(css.bytes)).length
  assert.ok(bytes < INITIAL_WINDOW, `${bytes} bytes`)
})

test('the login form of the page holds both languages and cannot be submitted natively', () => {
  const [, form = ''] = /<main class="alone boot-login">(.*?)<\/main>/s.exec(page) ?? []
  for (const sentence of ['Sign in', '登录', 'User name', '用户名', 'Password', '密码'])
    assert.ok(form.includes(sentence))
  // Outside a dialog a form with this method does nothing when it is submitted (HTML, 4.10.22.3), and fields without a
  // name are not sent.
  assert.match(form, /<form[^>]* method="dialog"/)
  assert.doesNotMatch(form, /\s(name|action|formaction|formmethod)=/)
})

test('the policy of the page allows its inline script and no other', () => {
  const policy = serveFolder(dist)('/')?.headers.get('content-security-policy') ?? ''
  const [, script = ''] = /<script data-[^>]*>(.*?)<\/script>/s.exec(page) ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  assert.match(policy, new RegExp(`script-src 'self' 'sha256-${hash.replaceAll('+', '\\+')}';`))
  assert.doesNotMatch(script, /assets\//, 'a file name in the script would change its hash with every build')
})

test('everything that the page loads has a hashed name that the page contains', () => {
  const serve = serveFolder(dist)
  const loaded = files.filter(
    ({ path }) =>
      path !== 'index.html' && /\.(html|css|js|txt)$/.test(path) && !HELP_PAGE.test(path) && path !== 'legal.txt'
  )
  assert.ok(loaded.length >= 4)
  for (const { path } of loaded) {
    assert.match(path, HASHED)
    assert.ok(page.includes(path), `the page does not contain ${path}`)
    assert.match(serve(`/${path}`)?.headers.get('cache-control') ?? '', /immutable/)
  }
})

test('a second visit transfers no body', async () => {
  const serve = serveFolder(dist)
  const first = serve('/', { headers: { 'accept-encoding': 'gzip' } })
  assert.equal(first?.headers.get('cache-control'), 'no-cache')
  const headers = { 'accept-encoding': 'gzip', 'if-none-match': first?.headers.get('etag') ?? '' }
  const second = serve('/', { headers })
  assert.equal(second?.status, 304)
  assert.equal((await second?.arrayBuffer())?.byteLength, 0)
})

test.run()
