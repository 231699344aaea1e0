// Requests that a page of another site could send with the browser of a signed-in user, over plain HTTP.
import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { suite } from 'uvu'
import { addToken, deleteTokens, NEVER_EXPIRES } from '../../../contract/access/token.ts'
import { INVALID_ARG, NOT_LOGGED_IN, NOT_PERMITTED, SUCCESS } from '../../../contract/codes.ts'
import { openFeed } from '../../kit/hub/feed-listener.ts'
import { type Client, md5, startHub, type TestHub } from '../../kit/hub/hub.ts'
import { sendRaw } from '../../kit/net/raw-http.ts'

const test = suite('cross-site')
let hub: TestHub
let port: number
let admin: Client
test.before.each(async () => {
  hub = await startHub()
  port = (await hub.listen(0, 0)).port
  admin = hub.clientAs()
})
test.after.each(() => hub.close())

interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
  result: number | undefined
}

/** Sends exactly these headers and Host; `fetch` would add others. */
function send(method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = body ? { 'content-length': String(Buffer.byteLength(body)) } : {}
    const request = httpRequest(
      { port, host: '127.0.0.1', method, path, headers: { ...length, ...headers } },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => {
          const json = response.headers['content-type']?.startsWith('application/json') && text ? JSON.parse(text) : {}
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, result: json.result })
        })
      }
    )
    request.on('error', reject)
    request.end(body)
  })
}

const JSON_TYPE = { 'content-type': 'application/json' }
const channels = () => hub.parts.store.channels.all().length

const addChannel = (headers: Record<string, string>, body = '{"name":"Evil"}') =>
  send('POST', '/api/channel/add', { cookie: admin.cookie, ...headers }, body)

test('the session cookie is HttpOnly and SameSite=Strict', async () => {
  const body = JSON.stringify({ id: 'Admin', pass: md5('Admin') })
  const { headers } = await send('POST', '/api/login', JSON_TYPE, body)
  const [sid = '', uid = '', ...more] = headers['set-cookie'] ?? []
  assert.deepEqual(more, [])
  assert.match(sid, /^mwcloud-sid=[\w-]{43}; Path=\/; SameSite=Strict; Max-Age=\d+; HttpOnly$/)
  assert.match(uid, /^mwcloud-uid=Admin; Path=\/; SameSite=Strict; Max-Age=\d+$/, 'the user name is not secret')
  const [readable = ''] = uid.split(';')
  assert.equal((await send('GET', '/api/session', { cookie: readable })).result, NOT_LOGGED_IN)
  assert.equal(
    (await send('GET', '/api/session', { cookie: 'mwcloud-sid=Admin; mwcloud-uid=Admin' })).result,
    NOT_LOGGED_IN
  )
  assert.equal(headers['cache-control'], 'no-store')
  const secure = await send('POST', '/api/login', { ...JSON_TYPE, 'x-forwarded-proto': 'https' }, body)
  for (const cookie of secure.headers['set-cookie'] ?? []) assert.match(cookie, /; Secure$/)
})

test('a write from another origin is refused, whatever its headers, and changes nothing', async () => {
  for (const origin of [
    'http://evil.example',
    'null',
    '',
    'file://',
    'http://127.0.0.1',
    `http://127.0.0.1:${port + 1}`,
    `http://localhost:${port}`,
    `http://127.0.0.1:${port}.evil.example`,
    `http://evil.example/127.0.0.1:${port}`,
    `http://127.0.0.1:${port}@evil.example`
  ]) {
    const { status, result } = await addChannel({ ...JSON_TYPE, origin })
    assert.deepEqual([status, result], [403, NOT_PERMITTED], origin)
  }
  for (const site of ['cross-site', 'same-site', 'CROSS-SITE', 'nonsense', ''])
    assert.equal((await addChannel({ ...JSON_TYPE, 'sec-fetch-site': site })).status, 403, site)
  const reply = await addChannel({ ...JSON_TYPE, origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' })
  assert.equal(reply.status, 403, 'one foreign header is enough')
  assert.equal(channels(), 0)
  assert.equal(
    (await addChannel({ ...JSON_TYPE, origin: `http://127.0.0.1:${port}` })).result,
    0,
    'the console’s own page'
  )
  assert.equal(channels(), 1)
})

test('signing in and signing out are refused from another site', async () => {
  const foreign = { ...JSON_TYPE, origin: 'http://evil.example' }
  const login = await send('POST', '/api/login', foreign, JSON.stringify({ id: 'Admin', pass: md5('Admin') }))
  assert.deepEqual([login.status, login.headers['set-cookie']], [403, undefined])
  // This GET changes something: an image of another site is recognized by Sec-Fetch-Site.
  const cookie = admin.cookie
  const image = await send('GET', '/api/logout', {
    cookie,
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'no-cors'
  })
  assert.equal(image.status, 403)
  assert.equal((await send('GET', '/api/session', { cookie })).result, SUCCESS, 'still signed in')
})

test('a body that a form can send is refused, whatever its content type', async () => {
  const form = 'name=Evil'
  for (const [type, body] of [
    ['application/x-www-form-urlencoded', form],
    ['application/x-www-form-urlencoded', '{"name":"Evil"}'],
    ['multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name="name"\r\n\r\nEvil\r\n--x--\r\n'],
    ['text/plain', '{"name":"Evil"}'],
    ['text/plain;charset=UTF-8', '{"name":"Evil"}'],
    ['text/plain; application/json', '{"name":"Evil"}'],
    ['application/jsonp', '{"name":"Evil"}'],
    ['', '{"name":"Evil"}']
  ] as const) {
    const { status, result } = await addChannel({ 'content-type': type }, body)
    assert.deepEqual([status, result], [415, INVALID_ARG], type)
  }
  assert.equal((await addChannel({})).status, 415, 'without a type')
  assert.equal(channels(), 0)
})

test('no response has CORS headers', async () => {
  const origin = 'http://evil.example'
  const preflight = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type'
  }
  for (const [method, path, headers] of [
    ['OPTIONS', '/api/channel/add', preflight],
    ['OPTIONS', '/api/session', preflight],
    ['GET', '/api/session', { origin, cookie: admin.cookie }],
    ['GET', '/', { origin }]
  ] as const) {
    const response = await send(method, path, headers)
    for (const name of Object.keys(response.headers)) assert.ok(!name.startsWith('access-control'), `${method} ${name}`)
    assert.ok(response.status >= 400, `${method} ${path} ${response.status}`)
    assert.equal(response.headers['cross-origin-resource-policy'], 'same-origin')
    assert.equal(response.headers['x-frame-options'], 'DENY')
  }
})

test('methods other than the declared one have no effect', async () => {
  const { cookie } = admin
  const path = '/api/channel/add'
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])
    assert.ok((await send(method, `${path}?name=Evil`, { cookie })).status >= 400, method)
  for (const method of ['HEAD', 'OPTIONS']) assert.equal((await send(method, '/api/session', { cookie })).status, 405)
  for (const method of ['TRACE', 'TRACK', 'CONNECT']) {
    const { text, statuses } = await sendRaw(
      port,
      [`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`],
      ({ closed }) => closed
    )
    assert.ok(
      statuses.every((status) => status >= 400),
      `${method}: ${text.slice(0, 40)}`
    )
    assert.ok(!text.includes(cookie), `${method} does not echo the cookie`)
  }
  for (const name of ['x-http-method-override', 'x-method-override'])
    assert.equal((await send('GET', `${path}?name=Evil`, { cookie, [name]: 'POST' })).status, 405)
  assert.equal(channels(), 0)
})

test('a token does not bypass the origin check, needs no Origin header, and opens the change feed until it is revoked', async () => {
  const { token, id } = await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, scopes: ['channels'] })
  const authorization = `Bearer ${token}`
  const bare = { ...JSON_TYPE, authorization }
  const make = (headers: Record<string, string>, name: string) =>
    send('POST', '/api/channel/add', headers, JSON.stringify({ name }))
  assert.equal((await make({ ...bare, origin: 'http://evil.example' }, 'A')).status, 403)
  assert.equal((await make(bare, 'B')).result, SUCCESS)
  await assert.rejects(openFeed(port, { authorization, origin: 'http://evil.example' }), /\b403$/)
  await assert.rejects(openFeed(port, { authorization: `${authorization}x` }), /\b401$/)
  await assert.rejects(openFeed(port, { authorization: 'Bearer x', cookie: admin.cookie }), /\b401$/)
  const listener = await openFeed(port, { authorization })
  listener.subscribe('channel')
  await listener.waitFor((messages) => messages[0], 'a message arrives')
  await admin.send(deleteTokens, { id })
  assert.equal(await listener.closed, 4001)
  assert.equal((await make(bare, 'C')).result, NOT_LOGGED_IN)
  for (const path of [`/api/session?token=${token}`, `/api/session?access_token=${token}&mwcloud-sid=${token}`])
    assert.equal((await send('GET', path)).result, NOT_LOGGED_IN, 'a token in a URL is ignored')
})

test.run()
