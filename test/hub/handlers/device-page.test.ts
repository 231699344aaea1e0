import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request as makeRequest } from 'node:http'
import { suite } from 'uvu'
import { WebSocket, WebSocketServer } from 'ws'
import { ALL_PERMISSIONS, DEVICE_VIEW } from '../../../contract/access/permissions.ts'
import { logout } from '../../../contract/access/session.ts'
import { acceptDevices, deleteDevices, setDeviceSecurity } from '../../../contract/device/device.ts'
import { webPagePath } from '../../../contract/device/web-page.ts'
import { listLog } from '../../../contract/log.ts'
import { tunnelAsDuplex } from '../../../device-link/tunnel-duplex.ts'
import { type CallHandler, connectLinkDevice, type LinkDevice } from '../../kit/fleet/link-device.ts'
import { addSignedInUser, type Client } from '../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { helloOf, registerDevices } from '../../kit/hub/register-devices.ts'
import { until } from '../../kit/until.ts'

const test = suite('device pages')
const { sn } = helloOf(1)
let device: LinkDevice
let web: Server
/** Request handler of the device's web server. */
let serve: RequestListener
/** The device's response to a CONNECT request that must not reach its web server. */
let onConnect: CallHandler | undefined
let requests: IncomingMessage[]

test.after.each(async () => {
  await device.end()
  web.close()
})
hubForEach(test)
test.before.each(async () => {
  requests = []
  onConnect = undefined
  serve = (_request, response) => response.end('the page')
  web = createServer((request, response) => {
    requests.push(request)
    serve(request, response)
  })
  registerDevices(hub, 2)
  await admin.send(acceptDevices, { sn: [sn] })
  const { linkPort } = await hub.listen(0, 0)
  device = await connectLinkDevice(linkPort, helloOf(1), (call, stream) => {
    if (call.method !== 'CONNECT') return { result: 0 }
    if (onConnect) return onConnect(call, stream)
    stream.respond({ ':status': call.path === '127.0.0.1:80' ? 200 : 502 })
    web.emit('connection', tunnelAsDuplex(stream))
    return undefined
  })
  await until(() => hub.parts.links.isOnline(sn), 'the device is online')
})

interface PageAccess {
  port: number
  /** The cookie with the ticket for the page. */
  cookie: string
}

/** Opens the page through the redirect on the console's origin. */
async function openPage(client = admin, serial = sn): Promise<PageAccess> {
  const response = await client.raw('GET', webPagePath(serial))
  assert.equal(response.status, 303)
  const { port, pathname, search } = new URL(response.headers.get('location') ?? '')
  assert.deepEqual([pathname, search], ['/', ''])
  const [line = ''] = response.headers.getSetCookie()
  return { port: Number(port), cookie: line.split(';')[0] ?? '' }
}

interface PageResponse {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Sends a request to the page's origin, by default with the headers of a page of that origin. */
function sendRequest(
  { port, cookie }: PageAccess,
  path = '/',
  { method = 'GET', body, headers = {} }: { method?: string; body?: string; headers?: Record<string, string> } = {}
): Promise<PageResponse> {
  const own = { cookie, 'sec-fetch-site': 'same-origin', ...headers }
  return new Promise((resolve, reject) => {
    const call = makeRequest({ host: '127.0.0.1', port, path, method, headers: own, agent: false }, (response) => {
      let text = ''
      response.setEncoding('latin1').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      response.on('error', reject)
    })
    call.on('error', reject)
    call.end(body)
  })
}

test('the page has an origin of its own, and is served at its root as the device made it', async () => {
  serve = (request, response) => {
    response.setHeader('content-type', 'text/html')
    response.setHeader('x-model', 'AIO')
    response.end(`<h1>${request.method} ${request.url}</h1>`)
  }
  const page = await openPage()
  const response = await sendRequest(page, '/settings?tab=1')
  assert.deepEqual([response.status, response.text], [200, '<h1>GET /settings?tab=1</h1>'])
  assert.deepEqual([response.headers['content-type'], response.headers['x-model']], ['text/html', 'AIO'])
  assert.equal(requests[0]?.headers.host, `127.0.0.1:${page.port}`)
  assert.deepEqual(await openPage().then(({ port }) => port), page.port, 'opening it again gives the same port')
})

test('request and response bodies pass unchanged', async () => {
  serve = (request, response) => {
    response.statusCode = 418
    request.pipe(response)
  }
  const page = await openPage()
  const body = 'a=1&b=é'.repeat(50_000)
  const framings: Record<string, string>[] = [
    { 'content-length': String(Buffer.byteLength(body)) },
    { 'transfer-encoding': 'chunked' }
  ]
  for (const headers of framings) {
    const { status, text } = await sendRequest(page, '/set', { method: 'POST', body, headers })
    assert.deepEqual([status, Buffer.from(text, 'latin1').toString()], [418, body])
  }
  assert.equal((await sendRequest(page, '/set', { method: 'POST' })).status, 418)
})

test('the console’s cookies and other private headers never reach a device', async () => {
  const page = await openPage()
  const secrets = `${admin.cookie}; mwcloud-uid=Admin; lang=en; mwcloud-page-other=x`
  await sendRequest({ ...page, cookie: `${secrets}; ${page.cookie}` }, '/a', {
    headers: { 'x-forwarded-for': '1.2.3.4', 'sc-client-id': 'x', 'x-own': '1', authorization: 'Basic eDp5' }
  })
  const { headers } = requests[0] ?? {}
  assert.equal(headers?.cookie, undefined)
  assert.equal(headers?.['x-forwarded-for'], undefined)
  assert.deepEqual([headers?.['x-own'], headers?.authorization], ['1', 'Basic eDp5'])
  assert.ok(!JSON.stringify(requests[0]?.rawHeaders).includes('mwcloud'))
})

test('cookies that a device sets stay in the hub, per session, and are sent back to the device', async () => {
  serve = (request, response) => {
    if (request.url === '/login') response.setHeader('set-cookie', ['mwcloud-sid=stolen; Path=/', 'sid=1; HttpOnly'])
    response.end(request.headers.cookie ?? 'none')
  }
  const page = await openPage()
  const login = await sendRequest(page, '/login')
  assert.equal(login.headers['set-cookie'], undefined)
  assert.equal((await sendRequest(page, '/')).text, 'mwcloud-sid=stolen; sid=1')
  assert.equal((await sendRequest(await openPage(hub.clientAs()), '/')).text, 'none', 'another session')
  assert.equal(
    (await sendRequest(await openPage(), '/')).text,
    'mwcloud-sid=stolen; sid=1',
    'the same session, opened again'
  )
})

test('response headers that affect the whole host are removed or replaced', async () => {
  serve = (_request, response) => {
    for (const [name, value] of Object.entries({
      'clear-site-data': '"cookies"',
      'strict-transport-security': 'max-age=1000',
      'access-control-allow-origin': '*',
      'service-worker-allowed': '/',
      'alt-svc': 'h3=":1"',
      'content-security-policy': "img-src 'none'",
      'cross-origin-opener-policy': 'unsafe-none',
      'referrer-policy': 'unsafe-url',
      'x-frame-options': 'ALLOWALL',
      'cache-control': 'public, max-age=99999'
    }))
      response.setHeader(name, value)
    response.end()
  }
  const { headers } = await sendRequest(await openPage())
  for (const name of ['clear-site-data', 'strict-transport-security', 'access-control-allow-origin', 'alt-svc'])
    assert.equal(headers[name], undefined, name)
  assert.equal(headers['service-worker-allowed'], undefined)
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
  assert.equal(headers['referrer-policy'], 'same-origin')
  assert.equal(headers['x-frame-options'], 'SAMEORIGIN')
  assert.equal(headers['cache-control'], 'private, no-cache')
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /^default-src 'self' .*sandbox [^,]*, img-src 'none'$/)
  assert.ok(!policy.includes('allow-top-navigation'))
})

test('a page needs a valid ticket of its own, and the ticket gives access only to that page', async () => {
  const session = admin.cookie
  const page = await openPage()
  const name = page.cookie.split('=')[0]
  for (const cookie of [
    '',
    session,
    `${name}=`,
    `${name}=x`,
    `${page.cookie}x`,
    `mwcloud-page-x=${page.cookie.split('=')[1]}`
  ])
    assert.equal((await sendRequest({ ...page, cookie })).status, 403, cookie)
  const anonymous = hub.client()
  anonymous.cookie = `${page.cookie}; mwcloud-sid=${page.cookie.split('=')[1]}`
  assert.equal((await (await anonymous.raw('GET', '/api/session')).json()).result, 37)
  assert.deepEqual(requests, [])
})

test('requests from other origins and service workers are refused; only the page’s root accepts links', async () => {
  const page = await openPage()
  const ownOrigin = `http://127.0.0.1:${page.port}`
  const from = async (headers: Record<string, string>, path = '/set?x=1') => {
    const call = makeRequest({ ...page, host: '127.0.0.1', path, headers: { cookie: page.cookie, ...headers } })
    call.end()
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }
  for (const headers of [
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: `http://127.0.0.1:${page.port + 1}` },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-origin' },
    { referer: 'http://127.0.0.1:1/' },
    {},
    { 'sec-fetch-site': 'same-origin', 'service-worker': 'script' }
  ])
    assert.equal(await from(headers as Record<string, string>), 403, JSON.stringify(headers))
  assert.deepEqual(requests, [])
  const allowedHeaders: Record<string, string>[] = [
    { origin: ownOrigin },
    { referer: `${ownOrigin}/a` },
    { 'sec-fetch-site': 'same-origin' }
  ]
  for (const headers of allowedHeaders) assert.equal(await from(headers), 200, JSON.stringify(headers))
  assert.equal(await from({ 'sec-fetch-site': 'same-site' }, '/'), 200)
  assert.equal(await from({ 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' }, '/'), 403)
})

test('callers without permission, hidden devices, and other origins are refused before the redirect', async () => {
  const status = async (client: Client, serial = sn, headers = {}) =>
    (await client.raw('GET', webPagePath(serial), { headers })).status
  assert.equal(await status(hub.client()), 401)
  assert.equal(await status(addSignedInUser(hub, 'Viewer', DEVICE_VIEW)), 403)
  assert.equal(await status(admin, sn, { 'sec-fetch-site': 'same-site' }), 403)
  assert.equal(await status(admin, sn, { referer: 'http://localhost:1/' }), 403)
  for (const serial of ['unknown', helloOf(2).sn, '..%2f', '%00'])
    assert.equal(await status(admin, serial), 404, serial)
  await admin.send(setDeviceSecurity, { sn, security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 } })
  assert.equal(await status(addSignedInUser(hub, 'Blind', ALL_PERMISSIONS)), 404)
  assert.equal((await admin.raw('POST', webPagePath(sn))).status, 405)
  assert.deepEqual(hub.parts.devicePages.ports(), [])
  await device.end()
  await until(() => !hub.parts.links.isOnline(sn), 'the device is offline')
  assert.equal(await status(admin), 502)
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.equal(list.filter(({ event }) => event === '/socket/sc-remote').length, 10)
})

test('a WebSocket passes messages in both directions, and only from the page itself', async () => {
  const sockets = new WebSocketServer({ server: web })
  const upgradeRequests: IncomingMessage[] = []
  sockets.on('connection', (socket, request) => {
    upgradeRequests.push(request)
    socket.on('message', (data, binary) => socket.send(data, { binary }))
  })
  const { port, cookie } = await openPage()
  const socketUrl = `ws://127.0.0.1:${port}/live`
  const origin = `http://127.0.0.1:${port}`
  for (const headers of [
    { cookie },
    { cookie, origin: 'http://127.0.0.1:1' },
    { cookie, origin: 'null' },
    { origin }
  ]) {
    const refusedSocket = new WebSocket(socketUrl, { headers })
    assert.match(String((await once(refusedSocket, 'error').catch((error) => error)) as unknown), /403/)
  }
  assert.equal(upgradeRequests.length, 0)
  const socket = new WebSocket(socketUrl, { headers: { cookie: `${admin.cookie}; ${cookie}`, origin } })
  await once(socket, 'open')
  socket.send('hello')
  assert.equal(String((await once(socket, 'message'))[0]), 'hello')
  socket.send(Buffer.alloc(1 << 20, 9))
  assert.equal(((await once(socket, 'message'))[0] as Buffer).length, 1 << 20)
  assert.equal(upgradeRequests[0]?.headers.cookie, undefined)
  await admin.send(logout, {})
  await once(socket, 'close')
  await until(() => sockets.clients.size === 0, 'the socket at the device is closed')
  sockets.close()
})

test('a page closes when the session ends, or when the device becomes hidden or is deleted', async () => {
  const user = addSignedInUser(hub, 'Vera', ALL_PERMISSIONS)
  const page = await openPage(user)
  assert.equal((await sendRequest(page)).status, 200)
  const security = { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 }
  await admin.send(setDeviceSecurity, { sn, security })
  assert.equal((await sendRequest(page)).status, 403)
  const ownPage = await openPage()
  assert.equal((await sendRequest(ownPage)).status, 200)
  await admin.send(deleteDevices, { sn: [sn] })
  await assert.rejects(sendRequest(ownPage).then(({ status }) => assert.equal(status, 200)))
})

test('an open response is aborted when the session ends', async () => {
  let isClosed = false
  serve = (_request, response) => {
    response.write('forever')
    response.on('close', () => {
      isClosed = true
    })
  }
  const page = await openPage()
  const response = sendRequest(page)
  response.catch(() => {})
  await until(() => requests.length === 1, 'the request has reached the device')
  await admin.send(logout, {})
  await assert.rejects(response)
  await until(() => isClosed, 'the request at the device is closed')
})

test('an invalid, empty, oversized or truncated response fails that request only', async () => {
  const page = await openPage()
  const raw =
    (text: string, end = true): CallHandler =>
    (_call, stream) => {
      stream.respond({ ':status': 200 })
      stream.write(text)
      if (end) stream.end()
      return undefined
    }
  for (const [text, status] of [
    ['this is not HTTP\r\n\r\n', 502],
    ['', 502],
    ['HTTP/1.1 200 OK\r\nx-a: \x01\r\n\r\n', 502],
    [`HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(40_000)}\r\n\r\n`, 502],
    ['HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n', 502],
    ['HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', 502],
    ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n', 502]
  ] as const) {
    onConnect = raw(text)
    assert.equal((await sendRequest(page)).status, status, JSON.stringify(text.slice(0, 60)))
  }
  onConnect = raw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')
  await assert.rejects(sendRequest(page))
  onConnect = (_call, stream) => {
    stream.respond({ ':status': 502 }, { endStream: true })
    return undefined
  }
  assert.equal((await sendRequest(page)).status, 502)
  onConnect = undefined
  assert.equal((await sendRequest(page)).text, 'the page')
})

test('fifty megabytes pass with back-pressure from the browser', async () => {
  const size = 50 << 20
  let sentBytes = 0
  serve = (_request, response) => {
    const write = () => {
      while (sentBytes < size) {
        sentBytes += 65_536
        if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', write)
      }
      response.end()
    }
    write()
  }
  const { port, cookie } = await openPage()
  const call = makeRequest({ port, host: '127.0.0.1', headers: { cookie } })
  call.end()
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  let previous = -1
  await until(() => {
    const isUnchanged = previous === sentBytes
    previous = sentBytes
    return isUnchanged
  }, 'sending has stopped')
  assert.ok(sentBytes < 24 << 20, `${sentBytes >> 20} MB`)
  let receivedBytes = 0
  for await (const chunk of response) receivedBytes += chunk.length
  assert.equal(receivedBytes, size)
})

test('a request is aborted at the device when the browser disconnects', async () => {
  let isClosed = 0
  serve = (request) => {
    request.on('close', () => isClosed++)
  }
  const { port, cookie } = await openPage()
  const call = makeRequest({ port, host: '127.0.0.1', headers: { cookie } })
  call.on('error', () => {})
  call.end()
  await until(() => requests.length === 1, 'the request has reached the device')
  call.destroy()
  await until(() => isClosed === 1, 'the request at the device is closed')
})

test.run()
