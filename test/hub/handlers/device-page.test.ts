import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request as makeRequest } from 'node:http'
import { suite } from 'uvu'
import { WebSocket, WebSocketServer } from 'ws'
import { acceptDevices, deleteDevices, setDeviceSecurity } from '../../../contract/device/device.ts'
import { webPagePath } from '../../../contract/device/web-page.ts'
import { listLog } from '../../../contract/log.ts'
import { ALL_PERMISSIONS, DEVICE_VIEW } from '../../../contract/permissions.ts'
import { logout } from '../../../contract/session.ts'
import { asBytes } from '../../../fleet/ports.ts'
import { helloOf, register } from '../../kit/device.ts'
import { type Client, join } from '../../kit/hub.ts'
import { admin, hub, hubForEach } from '../../kit/hub-of-test.ts'
import { dial, type LinkDevice, type Serve } from '../../kit/link-device.ts'
import { until } from '../../kit/until.ts'

const test = suite('device pages')
const { sn } = helloOf(1)
let device: LinkDevice
let web: Server
/** What the device's web server does. */
let serve: RequestListener
/** What the device does with a CONNECT, where it is not to reach its web server. */
let connected: Serve | undefined
let asked: IncomingMessage[]

test.after.each(async () => {
  await device.end()
  web.close()
})
hubForEach(test)
test.before.each(async () => {
  asked = []
  connected = undefined
  serve = (_request, response) => response.end('the page')
  web = createServer((request, response) => {
    asked.push(request)
    serve(request, response)
  })
  register(hub, 2)
  await admin.send(acceptDevices, { sn: [sn] })
  const { linkPort } = await hub.listen(0, 0)
  device = await dial(linkPort, helloOf(1), (call, stream) => {
    if (call.method !== 'CONNECT') return { result: 0 }
    if (connected) return connected(call, stream)
    stream.respond({ ':status': call.path === '127.0.0.1:80' ? 200 : 502 })
    web.emit('connection', asBytes(stream))
    return undefined
  })
  await until(() => hub.hub.links.online(sn), 'it is online')
})

interface Door {
  port: number
  /** The page's ticket, as the browser sends it. */
  cookie: string
}

/** Goes through the door on the console's origin. */
async function open(client = admin, serial = sn): Promise<Door> {
  const response = await client.raw('GET', webPagePath(serial))
  assert.equal(response.status, 303)
  const { port, pathname, search } = new URL(response.headers.get('location') ?? '')
  assert.deepEqual([pathname, search], ['/', ''])
  const [line = ''] = response.headers.getSetCookie()
  return { port: Number(port), cookie: line.split(';')[0] ?? '' }
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Asks the page's origin, as a page of it would unless told otherwise. */
function ask(
  { port, cookie }: Door,
  path = '/',
  { method = 'GET', body, headers = {} }: { method?: string; body?: string; headers?: Record<string, string> } = {}
): Promise<Answer> {
  const own = { cookie, 'sec-fetch-site': 'same-origin', ...headers }
  return new Promise((resolve, reject) => {
    const call = makeRequest({ host: '127.0.0.1', port, path, method, headers: own, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('latin1').on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
      answer.on('error', reject)
    })
    call.on('error', reject)
    call.end(body)
  })
}

test('the page is at an origin of its own, at its root, as the device made it', async () => {
  serve = (request, response) => {
    response.setHeader('content-type', 'text/html')
    response.setHeader('x-model', 'AIO')
    response.end(`<h1>${request.method} ${request.url}</h1>`)
  }
  const door = await open()
  const page = await ask(door, '/settings?tab=1')
  assert.deepEqual([page.status, page.text], [200, '<h1>GET /settings?tab=1</h1>'])
  assert.deepEqual([page.headers['content-type'], page.headers['x-model']], ['text/html', 'AIO'])
  assert.equal(asked[0]?.headers.host, `127.0.0.1:${door.port}`)
  assert.deepEqual(await open().then(({ port }) => port), door.port, 'a second one is the same')
})

test('a body goes to the device and an answer comes back, whatever they are', async () => {
  serve = (request, response) => {
    response.statusCode = 418
    request.pipe(response)
  }
  const door = await open()
  const body = 'a=1&b=é'.repeat(50_000)
  const framings: Record<string, string>[] = [
    { 'content-length': String(Buffer.byteLength(body)) },
    { 'transfer-encoding': 'chunked' }
  ]
  for (const headers of framings) {
    const { status, text } = await ask(door, '/set', { method: 'POST', body, headers })
    assert.deepEqual([status, Buffer.from(text, 'latin1').toString()], [418, body])
  }
  assert.equal((await ask(door, '/set', { method: 'POST' })).status, 418)
})

test('what the browser keeps for the console never reaches a device', async () => {
  const door = await open()
  const secrets = `${admin.cookie}; mwcloud-uid=Admin; lang=en; mwcloud-page-other=x`
  await ask({ ...door, cookie: `${secrets}; ${door.cookie}` }, '/a', {
    headers: { 'x-forwarded-for': '1.2.3.4', 'sc-client-id': 'x', 'x-own': '1', authorization: 'Basic eDp5' }
  })
  const { headers } = asked[0] ?? {}
  assert.equal(headers?.cookie, undefined)
  assert.equal(headers?.['x-forwarded-for'], undefined)
  assert.deepEqual([headers?.['x-own'], headers?.authorization], ['1', 'Basic eDp5'])
  assert.ok(!JSON.stringify(asked[0]?.rawHeaders).includes('mwcloud'))
})

test('what a device sets as a cookie stays in the hub, each session its own, and comes back to the device', async () => {
  serve = (request, response) => {
    if (request.url === '/login') response.setHeader('set-cookie', ['mwcloud-sid=stolen; Path=/', 'sid=1; HttpOnly'])
    response.end(request.headers.cookie ?? 'none')
  }
  const door = await open()
  const login = await ask(door, '/login')
  assert.equal(login.headers['set-cookie'], undefined)
  assert.equal((await ask(door, '/')).text, 'mwcloud-sid=stolen; sid=1')
  assert.equal((await ask(await open(hub.enter()), '/')).text, 'none', 'another session')
  assert.equal((await ask(await open(), '/')).text, 'mwcloud-sid=stolen; sid=1', 'the same one, entered again')
})

test('a device says only what concerns its page: nothing that holds for the whole host', async () => {
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
  const { headers } = await ask(await open())
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

test('nobody is let in without a good ticket of this page, and a ticket opens nothing else', async () => {
  const session = admin.cookie
  const door = await open()
  const name = door.cookie.split('=')[0]
  for (const cookie of [
    '',
    session,
    `${name}=`,
    `${name}=x`,
    `${door.cookie}x`,
    `mwcloud-page-x=${door.cookie.split('=')[1]}`
  ])
    assert.equal((await ask({ ...door, cookie })).status, 403, cookie)
  const nobody = hub.client()
  nobody.cookie = `${door.cookie}; mwcloud-sid=${door.cookie.split('=')[1]}`
  assert.equal((await (await nobody.raw('GET', '/api/session')).json()).result, 37)
  assert.deepEqual(asked, [])
})

test('requests from elsewhere, and service workers, are refused; the door alone is open to links', async () => {
  const door = await open()
  const own = `http://127.0.0.1:${door.port}`
  const from = async (headers: Record<string, string>, path = '/set?x=1') => {
    const call = makeRequest({ ...door, host: '127.0.0.1', path, headers: { cookie: door.cookie, ...headers } })
    call.end()
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }
  for (const headers of [
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: `http://127.0.0.1:${door.port + 1}` },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-origin' },
    { referer: 'http://127.0.0.1:1/' },
    {},
    { 'sec-fetch-site': 'same-origin', 'service-worker': 'script' }
  ])
    assert.equal(await from(headers as Record<string, string>), 403, JSON.stringify(headers))
  assert.deepEqual(asked, [])
  const proofs: Record<string, string>[] = [
    { origin: own },
    { referer: `${own}/a` },
    { 'sec-fetch-site': 'same-origin' }
  ]
  for (const headers of proofs) assert.equal(await from(headers), 200, JSON.stringify(headers))
  assert.equal(await from({ 'sec-fetch-site': 'same-site' }, '/'), 200)
  assert.equal(await from({ 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' }, '/'), 403)
})

test('who may not, sees no such device, or comes from elsewhere, is told so at the door', async () => {
  const status = async (client: Client, serial = sn, headers = {}) =>
    (await client.raw('GET', webPagePath(serial), { headers })).status
  assert.equal(await status(hub.client()), 401)
  assert.equal(await status(join(hub, 'Viewer', DEVICE_VIEW)), 403)
  assert.equal(await status(admin, sn, { 'sec-fetch-site': 'same-site' }), 403)
  assert.equal(await status(admin, sn, { referer: 'http://hub.test:1/' }), 403)
  for (const serial of ['unknown', helloOf(2).sn, '..%2f', '%00'])
    assert.equal(await status(admin, serial), 404, serial)
  await admin.send(setDeviceSecurity, { sn, security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 } })
  assert.equal(await status(join(hub, 'Blind', ALL_PERMISSIONS)), 404)
  assert.equal((await admin.raw('POST', webPagePath(sn))).status, 405)
  assert.deepEqual(hub.hub.pages.ports(), [])
  await device.end()
  await until(() => !hub.hub.links.online(sn), 'it is away')
  assert.equal(await status(admin), 502)
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.equal(list.filter(({ event }) => event === '/socket/sc-remote').length, 10)
})

test('a WebSocket goes through both ways, and only from the page itself', async () => {
  const sockets = new WebSocketServer({ server: web })
  const seen: IncomingMessage[] = []
  sockets.on('connection', (socket, request) => {
    seen.push(request)
    socket.on('message', (data, binary) => socket.send(data, { binary }))
  })
  const { port, cookie } = await open()
  const at = `ws://127.0.0.1:${port}/live`
  const origin = `http://127.0.0.1:${port}`
  for (const headers of [
    { cookie },
    { cookie, origin: 'http://127.0.0.1:1' },
    { cookie, origin: 'null' },
    { origin }
  ]) {
    const refused = new WebSocket(at, { headers })
    assert.match(String((await once(refused, 'error').catch((error) => error)) as unknown), /403/)
  }
  assert.equal(seen.length, 0)
  const socket = new WebSocket(at, { headers: { cookie: `${admin.cookie}; ${cookie}`, origin } })
  await once(socket, 'open')
  socket.send('hello')
  assert.equal(String((await once(socket, 'message'))[0]), 'hello')
  socket.send(Buffer.alloc(1 << 20, 9))
  assert.equal(((await once(socket, 'message'))[0] as Buffer).length, 1 << 20)
  assert.equal(seen[0]?.headers.cookie, undefined)
  await admin.send(logout, {})
  await once(socket, 'close')
  await until(() => sockets.clients.size === 0, 'the device hears that it is gone')
  sockets.close()
})

test('a page ends with the session, the sight or the device', async () => {
  const user = join(hub, 'Vera', ALL_PERMISSIONS)
  const door = await open(user)
  assert.equal((await ask(door)).status, 200)
  const security = { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 }
  await admin.send(setDeviceSecurity, { sn, security })
  assert.equal((await ask(door)).status, 403)
  const own = await open()
  assert.equal((await ask(own)).status, 200)
  await admin.send(deleteDevices, { sn: [sn] })
  await assert.rejects(ask(own).then(({ status }) => assert.equal(status, 200)))
})

test('what is under way is cut when the session ends', async () => {
  let gone = false
  serve = (_request, response) => {
    response.write('forever')
    response.on('close', () => {
      gone = true
    })
  }
  const door = await open()
  const answer = ask(door)
  answer.catch(() => {})
  await until(() => asked.length === 1, 'it is under way')
  await admin.send(logout, {})
  await assert.rejects(answer)
  await until(() => gone, 'the device hears of it')
})

test('a device that answers garbage, nothing, too much of a head, or breaks off ends nothing but its own answer', async () => {
  const door = await open()
  const raw =
    (text: string, end = true): Serve =>
    (_call, stream) => {
      stream.respond({ ':status': 200 })
      stream.write(text)
      if (end) stream.end()
      return undefined
    }
  for (const [text, status] of [
    ['this is no HTTP\r\n\r\n', 502],
    ['', 502],
    ['HTTP/1.1 200 OK\r\nx-a: \x01\r\n\r\n', 502],
    [`HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(40_000)}\r\n\r\n`, 502],
    ['HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n', 502],
    ['HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', 502],
    ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n', 502]
  ] as const) {
    connected = raw(text)
    assert.equal((await ask(door)).status, status, JSON.stringify(text.slice(0, 60)))
  }
  connected = raw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')
  await assert.rejects(ask(door))
  connected = (_call, stream) => {
    stream.respond({ ':status': 502 }, { endStream: true })
    return undefined
  }
  assert.equal((await ask(door)).status, 502)
  connected = undefined
  assert.equal((await ask(door)).text, 'the page')
})

test('fifty megabytes pass as fast as the browser reads them', async () => {
  const size = 50 << 20
  let sent = 0
  serve = (_request, response) => {
    const more = () => {
      while (sent < size) {
        sent += 65_536
        if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  }
  const { port, cookie } = await open()
  const call = makeRequest({ port, host: '127.0.0.1', headers: { cookie } })
  call.end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  let last = -1
  await until(() => {
    const same = last === sent
    last = sent
    return same
  }, 'it is held up')
  assert.ok(sent < 24 << 20, `${sent >> 20} MB`)
  let got = 0
  for await (const chunk of answer) got += chunk.length
  assert.equal(got, size)
})

test('a browser that goes away ends its request at the device', async () => {
  let gone = 0
  serve = (request) => {
    request.on('close', () => gone++)
  }
  const { port, cookie } = await open()
  const call = makeRequest({ port, host: '127.0.0.1', headers: { cookie } })
  call.on('error', () => {})
  call.end()
  await until(() => asked.length === 1, 'it is asked')
  call.destroy()
  await until(() => gone === 1, 'the device hears of it')
})

test.run()
