import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { getSession } from '../../contract/access/session.ts'
import { NOT_LOGGED_IN } from '../../contract/codes.ts'
import { UPLOAD_TIMEOUT } from '../../hub/upgrade/update-upload.ts'
import { peerOf } from '../../web-server/peer.ts'
import { SECURITY_HEADERS } from '../../web-server/security-headers.ts'
import { LIMITS } from '../../web-server/server.ts'
import { startHub, type TestHub } from '../kit/hub/hub.ts'
import { recordProcessLog } from '../kit/hub/process-log.ts'
import { serve } from '../kit/hub/web-server.ts'
import { sendRaw } from '../kit/net/raw-http.ts'

const test = suite('server')
const dist = mkdtempSync(join(tmpdir(), 'headend-server-'))
const page = '<!doctype html><title>Headend</title>'
writeFileSync(join(dist, 'index.html'), page)
let hub: TestHub
let port: number
test.before(async () => {
  hub = await startHub({ dist })
  port = (await hub.listen(0, 0)).port
})
test.after(async () => {
  await hub.close()
  rmSync(dist, { recursive: true })
})

const assertAlive = async () => assert.equal((await hub.client().send(getSession, {})).result, NOT_LOGGED_IN)

test('the system chooses the port, and the page is served with the security headers', async () => {
  assert.ok(port > 0)
  const response = await fetch(`http://127.0.0.1:${port}/`)
  assert.equal(await response.text(), page)
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) assert.equal(response.headers.get(name), value, name)
  assert.match(
    response.headers.get('content-security-policy') ?? '',
    /default-src 'none'.*media-src blob:.*frame-ancestors 'none'/
  )
})

test('API responses and errors have the same headers', async () => {
  for (const path of ['/api/session', '/api/nothing', '/nothing', '/socket/usapi']) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    await response.body?.cancel()
    for (const name of Object.keys(SECURITY_HEADERS)) assert.ok(response.headers.has(name), `${path} ${name}`)
  }
})

test('HEAD returns the headers of GET without a body', async () => {
  const { text } = await sendRaw(port, ['HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'], () => false)
  const [head = '', body = ''] = text.split('\r\n\r\n')
  assert.match(head, /^HTTP\/1\.1 200 /)
  assert.match(head, new RegExp(`^content-length: ${page.length}$`, 'im'))
  assert.equal(body, '')
})

test('listening on a port in use fails with EADDRINUSE', async () => {
  await assert.rejects(
    serve(() => undefined, { port }),
    { code: 'EADDRINUSE', port }
  )
})

const post = (headers: string) =>
  `POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`
const MEGABYTE = Buffer.alloc(1 << 20, 'x')
const NEXT = 'GET /api/session HTTP/1.1\r\nHost: localhost\r\n\r\n'

test('a body of 10 MB is refused with 413, and the connection is closed or handles the next request', async () => {
  const withLength = [post(`Content-Length: ${10 << 20}`), ...Array<Buffer>(10).fill(MEGABYTE), NEXT]
  const size = Buffer.from('100000\r\n')
  const chunk = Buffer.concat([size, MEGABYTE, Buffer.from('\r\n')])
  const chunked = [post('Transfer-Encoding: chunked'), ...Array<Buffer>(10).fill(chunk), '0\r\n\r\n', NEXT]
  for (const [name, parts] of Object.entries({ withLength, chunked })) {
    const { statuses, closed } = await sendRaw(port, parts, ({ statuses }) => statuses.length === 2)
    assert.equal(statuses[0], 413, name)
    assert.ok(closed || statuses[1] === 200, name)
    await assertAlive()
  }
})

test('an endless body is cut off', async () => {
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), MEGABYTE, Buffer.from('\r\n')])
  let sentChunks = 0
  function* endless() {
    yield post('Transfer-Encoding: chunked')
    for (; sentChunks < 1000; sentChunks++) yield chunk
  }
  const { statuses } = await sendRaw(port, endless(), () => false)
  assert.equal(statuses[0], 413)
  assert.ok(sentChunks < 100, `${sentChunks} MB were accepted`)
})

test('a body that is cut off, or has another length than declared, changes nothing', async () => {
  const body = '{"id":"Admin","pass":"e3afed0047b08059d0fada10f400c1e5"}'
  const short = connect(port, '127.0.0.1').end(post(`Content-Length: ${body.length + 1}`) + body)
  short.on('error', () => {}).resume()
  await new Promise((resolve) => short.on('close', resolve))
  const cut = connect(port, '127.0.0.1')
  cut.on('error', () => {})
  cut.write(post(`Content-Length: ${body.length + 1}`) + body, () => cut.resetAndDestroy())
  await new Promise((resolve) => cut.on('close', resolve))
  await assertAlive()
  assert.equal(hub.parts.store.database.all('SELECT * FROM session').length, 0)
})

test('headers are limited to 16 KB', async () => {
  const get = (size: number) => sendRaw(port, [`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(size)}\r\n\r\n`])
  assert.deepEqual((await get(15_000)).statuses, [200])
  const { statuses } = await get(20_000)
  assert.deepEqual(statuses, [431])
})

test('malformed request lines are refused, and the hub keeps running', async () => {
  const host = 'Host: localhost\r\n'
  for (const text of [
    `GET // HTTP/1.1\r\n${host}\r\n`,
    `GET //evil.example/api/session HTTP/1.1\r\n${host}\r\n`,
    'GET / HTTP/1.1\r\n\r\n',
    'GET /api/session HTTP/1.1\r\nHost: a b\r\n\r\n',
    'GET /api/session HTTP/1.1\r\nHost: [\r\n\r\n',
    'GET /api/session HTTP/1.1\r\nHost: evil/../x\r\n\r\n',
    `OPTIONS * HTTP/1.1\r\n${host}\r\n`,
    `GET /%zz HTTP/1.1\r\n${host}\r\n`,
    `GET /%00 HTTP/1.1\r\n${host}\r\n`,
    `GET /\0 HTTP/1.1\r\n${host}\r\n`,
    `TRACE / HTTP/1.1\r\n${host}\r\n`,
    `BREW / HTTP/1.1\r\n${host}\r\n`,
    `POST /api/login HTTP/1.1\r\n${host}Content-Length: -5\r\n\r\n`,
    `POST /api/login HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'hello\r\n\r\n',
    '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03'
  ]) {
    const { statuses } = await sendRaw(port, [text])
    assert.ok(statuses[0] && statuses[0] >= 400 && statuses[0] < 500, `${JSON.stringify(text)}: ${statuses}`)
  }
  await assertAlive()
})

test('an upgrade to anything but the change feed is refused, and the hub keeps running', async () => {
  const upgrade = 'Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  for (const target of ['//', 'http://', '/', '/api', '/api/session', '/api/socket/', '/%', '*', '[', ''])
    assert.ok((await sendRaw(port, [`GET ${target} HTTP/1.1\r\n${upgrade}`])).statuses[0] !== 101, target)
  assert.deepEqual((await sendRaw(port, [`GET /api/socket HTTP/1.1\r\n${upgrade}`])).statuses, [401])
  await assertAlive()
})

test('an error in the upgrade listener closes its connection only', async () => {
  const fail = () => {
    throw new Error('oops')
  }
  const server = await serve(() => new Response('here'), { onUpgrade: fail })
  try {
    const upgrade = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
    const lines = await recordProcessLog(async () => {
      assert.deepEqual(await sendRaw(server.port, [upgrade]), { text: '', statuses: [], closed: true })
    })
    assert.equal(lines.length, 1)
    assert.equal(await (await fetch(`http://127.0.0.1:${server.port}/`)).text(), 'here')
  } finally {
    await server.close()
  }
})

test('the request timeout is not shorter than the timeout of a console update', () => {
  assert.ok(LIMITS.requestTimeout >= UPLOAD_TIMEOUT)
})

test('closing ends open connections, including idle and upgraded ones', async () => {
  const server = await serve(() => new Promise<Response>(() => {}))
  const closed = [
    '',
    'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: x\r\nHost: localhost\r\n\r\n'
  ].map(
    (text) =>
      new Promise((resolve) => {
        const socket = connect(server.port, '127.0.0.1', () => socket.write(text))
        socket.on('error', () => {}).on('close', resolve)
        socket.resume()
      })
  )
  // Answered only after the server accepted the three connections before it.
  await new Promise<void>((resolve) => {
    const probe = request({ port: server.port, host: '127.0.0.1', headers: { expect: '100-continue' } })
    probe.on('continue', () => {
      probe.destroy()
      resolve()
    })
    probe.on('error', () => {})
    probe.flushHeaders()
  })
  await server.close()
  await Promise.all(closed)
})

test('X-Forwarded-For and -Proto count only from a reverse proxy on this machine, and only the entry that it added', () => {
  const headers = new Headers({ 'x-forwarded-for': '127.0.0.1, 10.0.0.5', 'x-forwarded-proto': 'https' })
  const clientOf = (...[given, socket]: Parameters<typeof peerOf>) => {
    const { address, secure } = peerOf(given, socket)
    return { address, secure }
  }
  for (const local of ['127.0.0.1', '::ffff:127.0.0.1', '::1', '127.9.9.9'])
    assert.deepEqual(clientOf(headers, { remoteAddress: local }), { address: '10.0.0.5', secure: true }, local)
  for (const far of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1', '128.0.0.1'])
    assert.deepEqual(
      clientOf(headers, { remoteAddress: far }),
      { address: far.replace('::ffff:', ''), secure: false },
      far
    )
  const none = new Headers()
  assert.deepEqual(clientOf(none, { remoteAddress: '127.0.0.1' }), { address: '127.0.0.1', secure: false })
  assert.deepEqual(clientOf(none, { remoteAddress: undefined }), { address: '', secure: false })
  assert.deepEqual(peerOf(new Headers({ 'x-forwarded-for': ' ' }), { remoteAddress: '::1' }).address, '::1')
})

test('only an IP address in X-Forwarded-For is taken as the address of the client', () => {
  const addressWith = (entry: string) =>
    peerOf(new Headers({ 'x-forwarded-for': entry }), { remoteAddress: '127.0.0.1' }).address
  assert.equal(addressWith('192.0.2.7:1234'), '192.0.2.7')
  assert.equal(addressWith('[2001:db8::1]:1234'), '2001:db8::1')
  assert.equal(addressWith('[2001:db8::1]'), '2001:db8::1')
  assert.equal(addressWith('2001:db8::1'), '2001:db8::1')
  assert.equal(addressWith('::ffff:192.0.2.7'), '192.0.2.7')
  for (const entry of [
    'unknown',
    '_hidden',
    'x'.repeat(12_000),
    '1'.repeat(12_000),
    '192.0.2.256',
    '192.0.2.7 x',
    '<b>'
  ])
    assert.equal(addressWith(entry), '127.0.0.1', entry.slice(0, 20))
})

test.run()
