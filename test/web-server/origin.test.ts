// Requests from pages at other ports of the hub's host, with which a browser sends the session cookie.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addToken, NEVER_EXPIRES } from '../../contract/access/token.ts'
import { NOT_PERMITTED, SUCCESS } from '../../contract/codes.ts'
import { isFromOwnPage, isWriteAllowed } from '../../web-server/origin.ts'
import { admin, hubForEach } from '../kit/hub/hub-for-each.ts'

const test = suite('origin')
const HOST = '192.0.2.1:3000'
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36'
hubForEach(test)

const fromOwnPage = (headers: Record<string, string>) => isFromOwnPage(new Headers(headers), HOST)

test('Origin is checked first, then Sec-Fetch-Site, then Referer', () => {
  for (const [headers, expected] of [
    [{ origin: `http://${HOST}` }, true],
    [{ origin: 'http://192.0.2.1:4000', 'sec-fetch-site': 'same-origin' }, false],
    [{ origin: 'null' }, false],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ 'sec-fetch-site': 'same-site', referer: `http://${HOST}/` }, false],
    [{ referer: `http://${HOST}/x` }, true],
    [{ referer: 'http://192.0.2.1:4000/' }, false],
    [{ referer: '' }, false],
    [{ 'user-agent': BROWSER }, undefined],
    [{}, undefined]
  ] as const)
    assert.equal(fromOwnPage(headers as Record<string, string>), expected, JSON.stringify(headers))
})

test('a browser without any of these headers may not write; a program may', () => {
  assert.equal(isWriteAllowed(new Headers({ 'user-agent': BROWSER }), HOST), false)
  assert.equal(isWriteAllowed(new Headers({ 'user-agent': BROWSER, referer: `http://${HOST}/` }), HOST), true)
  assert.equal(isWriteAllowed(new Headers({ 'user-agent': 'curl/8.5.0' }), HOST), true)
  assert.equal(isWriteAllowed(new Headers(), HOST), true)
})

test('GET calls that change something check the origin, those that read do not', async () => {
  const relayPath = (method: string) => `/socket/usapi?method=${method}&sc-client-id=x`
  const host = 'localhost'
  const request = async (path: string, headers: Record<string, string>) => {
    const response = await admin.raw('GET', path, { headers: { host, 'user-agent': BROWSER, ...headers } })
    return { status: response.status, result: (await response.json()).result }
  }
  for (const path of ['/api/logout', relayPath('reboot')])
    for (const headers of [
      {},
      { referer: 'http://localhost:4000/' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://localhost:4000' }
    ])
      assert.deepEqual(
        await request(path, headers as Record<string, string>),
        { status: 403, result: NOT_PERMITTED },
        `${path} ${JSON.stringify(headers)}`
      )
  assert.equal((await request('/api/session', {})).result, SUCCESS, 'still signed in')
  assert.equal((await request(relayPath('get-status'), {})).status, 200)
  assert.equal((await request(relayPath('reboot'), { referer: 'http://localhost/' })).status, 200)
  const { token } = await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, scopes: ['devices'] })
  const bearer = { authorization: `Bearer ${token}` }
  assert.equal((await request(relayPath('reboot'), bearer)).status, 200, 'pages do not know the token')
  assert.equal((await request('/api/logout', { referer: 'http://localhost/' })).result, SUCCESS)
})

test('a session cookie set by another port before ours does not end the session', async () => {
  const [pair = ''] = admin.cookie.split(';')
  for (const before of ['mwcloud-sid=x', 'mwcloud-sid=', `mwcloud-sid=${'A'.repeat(43)}; mwcloud-sid=b`]) {
    admin.cookie = `${before}; ${pair}`
    assert.equal((await (await admin.raw('GET', '/api/session')).json()).result, SUCCESS, before)
  }
})

test('the console sends its Referer to the hub only', async () => {
  assert.equal((await admin.raw('GET', '/api/session')).headers.get('referrer-policy'), 'same-origin')
})

test.run()
