import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import { WebSocket, WebSocketServer } from 'ws'
import { writeFiles } from '../../firmware-pack/format/image.ts'
import { createPayload } from '../../firmware-pack/payload.ts'
import { inlineScriptSources } from '../../pack/inline-scripts.ts'
import { contentSecurityPolicy, SECURITY_HEADERS } from '../../web-server/security-headers.ts'
import { sendRaw } from '../kit/net/raw-http.ts'
import { until } from '../kit/until.ts'
import { FRONT_SERVERS, type FrontServer, startFrontServer } from './front-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'headend-servers-'))
// Servers started by root read files as nobody.
chmodSync(folder, 0o755)

const TIME = 1_700_000_000
const PAGE = Buffer.from(`<!doctype html>\n<script>let early = true</script>${'<p>console</p>\n'.repeat(50)}`)
const SCRIPT = Buffer.from('console.log("1")\n'.repeat(500))
const TINY = Buffer.from('{}')
const SECRET = 'not for the world'
const HASHED = '/assets/app-12345678.js'

/** Functions that a server lacks, as in README.md. */
interface Lacks {
  /** Does not support brotli. */
  brotli?: true
  /** Sends gzip even if its weight in the request is 0. */
  weights?: true
  /** Sends a body in response to HEAD. */
  head?: true
  /** Sets no headers. */
  headers?: true
  /** Has no proxy to the hub. */
  proxy?: true
}
const LACKS: Record<string, Lacks> = {
  'busybox httpd': { brotli: true, weights: true, head: true, headers: true, proxy: true }
}

interface HttpResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

function sendRequest(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  body?: Buffer
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path, headers, method: body ? 'POST' : 'GET', agent: false }
    const outgoing = request(options, async (message) => {
      const chunks: Buffer[] = []
      for await (const chunk of message) chunks.push(chunk)
      resolve({ status: message.statusCode ?? 0, headers: message.headers, body: Buffer.concat(chunks) })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

const requestEncoded = (port: number, path: string, encoding: string) =>
  sendRequest(port, path, { 'accept-encoding': encoding })

function decoded({ headers, body }: HttpResponse): Buffer {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(body)
  return headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
}

/** Open preview responses. */
let openPreviews = 0

/** Replaces the hub: returns the request, echoes over a WebSocket, and starts a preview that never ends. */
const hub = createServer((incoming, response) => {
  if (incoming.url === '/api/preview/open') {
    response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=x' })
    openPreviews++
    const more = setInterval(() => response.write('more'), 50)
    response.on('close', () => {
      openPreviews--
      clearInterval(more)
    })
    return void response.write('the first image')
  }
  let length = 0
  incoming.on('data', (chunk) => {
    length += chunk.length
  })
  incoming.on('end', () => response.end(JSON.stringify({ url: incoming.url, headers: incoming.headers, length })))
})
const sockets = new WebSocketServer({ server: hub, path: '/api/socket' })
sockets.on('connection', (socket) => {
  socket.on('message', (data) => socket.send(`echo ${data}`))
  // A closing server may leave a partial frame.
  socket.on('error', () => {})
})

const test = suite('servers')
const servers = new Map<string, FrontServer>()

test.before(async () => {
  const bundle = [
    { path: 'index.html', bytes: PAGE },
    { path: HASHED.slice(1), bytes: SCRIPT },
    { path: 'tiny.json', bytes: TINY }
  ]
  const { files } = createPayload(bundle, '1.2.3', { id: 'c'.repeat(40), time: TIME, changed: false })
  writeFiles(folder, files)
  for (const { path } of files) utimesSync(join(folder, path), TIME, TIME)
  writeFileSync(join(folder, 'secret.txt'), SECRET)
  hub.listen(0, '127.0.0.1')
  await once(hub, 'listening')
  const { port: hubPort } = hub.address() as AddressInfo
  for (const name of FRONT_SERVERS) servers.set(name, await startFrontServer(name, { folder, hubPort }))
})
test.after(async () => {
  await Promise.all([...servers.values()].map((server) => server.stop()))
  for (const socket of sockets.clients) socket.terminate()
  sockets.close()
  hub.closeAllConnections()
  hub.close()
  rmSync(folder, { recursive: true, force: true })
})

for (const name of FRONT_SERVERS) {
  const lacks = LACKS[name] ?? {}
  /** Registers a test of this server. */
  const each = (title: string, run: (port: number) => Promise<void>) =>
    test(`${name}: ${title}`, () => run(servers.get(name)?.port ?? 0))

  each('each file is sent in the accepted encoding, brotli before gzip', async (port) => {
    const br = lacks.brotli ? undefined : 'br'
    const rows = [
      ['br', br],
      ['gzip', 'gzip'],
      ['gzip, deflate, br', br ?? 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['brotli', undefined],
      ['gzip;q=0', lacks.weights ? 'gzip' : undefined],
      ['identity', undefined],
      ['', undefined]
    ] as const
    for (const [path, plain, type] of [
      ['/', PAGE, /^text\/html; ?charset=utf-8$/],
      ['/index.html', PAGE, /^text\/html; ?charset=utf-8$/],
      [HASHED, SCRIPT, /^(text|application)\/javascript; ?charset=utf-8$/]
    ] as const)
      for (const [accept, encoding] of rows) {
        const response = await requestEncoded(port, path, accept)
        const what = `${path} for '${accept}'`
        assert.equal(response.status, 200, what)
        assert.equal(response.headers['content-encoding'], encoding, what)
        assert.equal(response.headers['content-length'], String(response.body.length), what)
        assert.ok(decoded(response).equals(plain), what)
        assert.match(response.headers['content-type'] ?? '', type, what)
        if (!lacks.headers) assert.equal(response.headers.vary, 'Accept-Encoding', what)
      }
    const tiny = await requestEncoded(port, '/tiny.json', 'gzip, br')
    assert.deepEqual([tiny.status, tiny.headers['content-encoding'], tiny.body], [200, undefined, TINY])
  })

  each('files with a hash in their name are immutable, and all others are revalidated', async (port) => {
    for (const [path, caching] of [
      ['/', 'no-cache'],
      ['/tiny.json', 'no-cache'],
      [HASHED, 'public, max-age=31536000, immutable'],
      ['/assets/app-99999999.js', undefined]
    ] as const)
      for (const encoding of ['br', 'gzip', 'identity']) {
        const { headers } = await requestEncoded(port, path, encoding)
        assert.equal(headers['cache-control'], lacks.headers ? undefined : caching, `${path} ${encoding}`)
      }
  })

  each('a conditional request with a matching ETag returns 304, in every encoding', async (port) => {
    const tags = new Set<string>()
    for (const encoding of ['br', 'gzip', 'identity']) {
      const { headers, body } = await requestEncoded(port, '/', encoding)
      assert.equal(headers['last-modified'], new Date(TIME * 1000).toUTCString())
      const etag = headers.etag ?? ''
      tags.add(`${etag} ${body.length}`)
      const again = await sendRequest(port, '/', { 'accept-encoding': encoding, 'if-none-match': etag })
      assert.deepEqual([again.status, again.body.length], [304, 0], encoding)
      const other = await sendRequest(port, '/', { 'accept-encoding': encoding, 'if-none-match': '"another"' })
      assert.equal(other.status, 200, encoding)
    }
    // Different encodings need different ETags, or a cache would confuse them.
    assert.equal(tags.size, lacks.brotli ? 2 : 3)
    assert.equal(new Set([...tags].map((tag) => tag.split(' ')[0])).size, tags.size)
  })

  each('HEAD returns the headers of GET without the body', async (port) => {
    const get = await requestEncoded(port, '/', 'gzip')
    const head = await sendRaw(
      port,
      ['HEAD / HTTP/1.1\r\nhost: x\r\naccept-encoding: gzip\r\nconnection: close\r\n\r\n'],
      ({ closed }) => closed
    )
    const [lines = '', body = ''] = head.text.split('\r\n\r\n')
    assert.deepEqual(head.statuses, [200])
    for (const field of ['content-type', 'content-encoding', 'etag'])
      assert.match(lines, new RegExp(`^${field}: ${String(get.headers[field])}\\r?$`, 'im'), field)
    assert.equal(body === '', !lacks.head)
  })

  each('a range request returns that part of the file', async (port) => {
    const { status, headers, body } = await sendRequest(port, '/', {
      range: 'bytes=10-19',
      'accept-encoding': 'identity'
    })
    assert.deepEqual([status, headers['content-range']], [206, `bytes 10-19/${PAGE.length}`])
    assert.deepEqual(body, PAGE.subarray(10, 20))
  })

  each('methods that write are refused', async (port) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'TRACE']) {
      const head = `${method} / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`
      const { statuses, text } = await sendRaw(port, [head], ({ closed }) => closed)
      assert.ok((statuses[0] ?? 0) >= 400, `${method} returns ${statuses}`)
      assert.equal(text.includes(String(PAGE)), false, method)
    }
  })

  each('a missing file returns 404, and folders are not listed', async (port) => {
    for (const path of ['/nothing', '/assets/app-99999999.js', '/manifest.json'])
      assert.equal((await requestEncoded(port, path, 'br, gzip')).status, 404, path)
    for (const path of ['/assets/', '/index.html/x']) {
      const { status, body } = await sendRequest(port, path)
      assert.ok(status === 403 || status === 404, path)
      assert.equal(body.includes('app-') || body.includes('doctype html'), false, path)
    }
  })

  each('no file outside of the web root is served', async (port) => {
    for (const path of [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e%2fsecret.txt',
      '/%252e%252e/secret.txt',
      '/assets/../../secret.txt',
      '/assets/..%5c..%5csecret.txt',
      '/assets/%c0%ae%c0%ae/%c0%ae%c0%ae/secret.txt',
      '//../secret.txt',
      `//..${folder}/secret.txt`,
      '/../manifest.json',
      '/%00',
      '/../secret.txt%00.js'
    ]) {
      const line = `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`
      const { statuses, text } = await sendRaw(port, [line], ({ closed }) => closed)
      assert.ok((statuses[0] ?? 400) >= 400, `${path} returns ${statuses}`)
      assert.equal(text.includes(SECRET), false, path)
    }
  })

  each('the console is served with the same security headers as by the hub', async (port) => {
    for (const path of ['/', HASHED]) {
      const { headers } = await requestEncoded(port, path, 'gzip')
      const policy = contentSecurityPolicy(inlineScriptSources(String(PAGE)))
      assert.match(policy, /script-src 'self' 'sha256-/)
      for (const [field, value] of Object.entries({ ...SECURITY_HEADERS, 'content-security-policy': policy }))
        assert.equal(headers[field], lacks.headers ? undefined : value, `${path} ${field}`)
    }
  })

  each('calls are forwarded to the hub unchanged, with the address of the client', async (port) => {
    if (lacks.proxy) {
      assert.equal((await sendRequest(port, '/api/state')).status, 404)
      return
    }
    const forged = {
      host: 'hub.example:99',
      'x-forwarded-for': '192.0.2.6',
      'x-forwarded-proto': 'https',
      cookie: 'a=b'
    }
    for (const path of ['/api/some/call?a=%2F&b', '/socket/usapi?x', '/hls/1/live.m3u8']) {
      const { status, body, headers } = await sendRequest(port, path, forged)
      const received = JSON.parse(String(body))
      assert.deepEqual(
        [status, received.url, received.headers.host, received.headers.cookie],
        [200, path, 'hub.example:99', 'a=b']
      )
      // The hub uses the last one.
      assert.match(received.headers['x-forwarded-for'], /(^|[ ,])127\.0\.0\.1$/)
      assert.equal(received.headers['x-forwarded-proto'], 'http')
      // The server must not change the response of the hub.
      assert.deepEqual([headers['content-security-policy'], headers['cache-control']], [undefined, undefined])
    }
    const { body } = await sendRequest(port, '/api/firmware', {}, Buffer.alloc(5_000_000))
    assert.equal(JSON.parse(String(body)).length, 5_000_000)
  })

  each(
    'preview images are forwarded without delay, and the request to the hub ends when the client disconnects',
    async (port) => {
      if (lacks.proxy) return
      const before = openPreviews
      const open = 'GET /api/preview/open HTTP/1.1\r\nhost: x\r\n\r\n'
      const { text } = await sendRaw(port, [open], (response) => response.text.includes('image'))
      assert.match(text, /the first image/)
      await until(() => openPreviews === before, 'the preview stream of a disconnected client is closed')
    }
  )

  each('a WebSocket carries messages in both directions', async (port) => {
    if (lacks.proxy) return
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/socket`)
    await once(socket, 'open')
    socket.send('hello')
    const [data] = await once(socket, 'message')
    assert.equal(String(data), 'echo hello')
    socket.terminate()
  })
}

test('nginx: the URL of a download, which has its ticket, is not in the access log; others are', async () => {
  const port = servers.get('nginx')?.port ?? 0
  assert.match(String((await sendRequest(port, '/api/file/get?ticket=secret-1')).body), /secret-1/)
  assert.equal((await sendRequest(port, '/api/session?ticket=secret-2')).status, 200)
  const readLog = () => readFileSync(join(folder, 'nginx-access.log'), 'utf8')
  await until(() => readLog().includes('secret-2'), 'the log line')
  assert.ok(!readLog().includes('secret-1'))
})

test.run()
