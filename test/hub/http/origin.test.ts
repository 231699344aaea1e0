// What a page at another port of the hub's host could do with the browser of somebody who is signed in there: the cookies come along.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { NOT_PERMITTED } from '../../../contract/codes.ts'
import { addToken, UNLIMITED } from '../../../contract/token.ts'
import { isFromOwnPage, mayChange } from '../../../hub/http/origin.ts'
import { admin, hubForEach } from '../../kit/hub-of-test.ts'

const test = suite('origin')
const HOST = '192.0.2.1:3000'
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36'
hubForEach(test)

const said = (headers: Record<string, string>) => isFromOwnPage(new Headers(headers), HOST)

test('the origin is believed first, then what the browser says of the site, then the referrer', () => {
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
    assert.equal(said(headers as Record<string, string>), expected, JSON.stringify(headers))
})

test('a browser that says nothing of where it comes from may not change anything; a program may', () => {
  assert.equal(mayChange(new Headers({ 'user-agent': BROWSER }), HOST), false)
  assert.equal(mayChange(new Headers({ 'user-agent': BROWSER, referer: `http://${HOST}/` }), HOST), true)
  assert.equal(mayChange(new Headers({ 'user-agent': 'curl/8.5.0' }), HOST), true)
  assert.equal(mayChange(new Headers(), HOST), true)
})

test('the GET calls that change something ask for it, those that read do not', async () => {
  const relayed = (method: string) => `/socket/usapi?method=${method}&sc-client-id=x`
  const host = 'hub.test'
  const ask = async (path: string, headers: Record<string, string>) => {
    const response = await admin.raw('GET', path, { headers: { host, 'user-agent': BROWSER, ...headers } })
    return { status: response.status, result: (await response.json()).result }
  }
  for (const path of ['/api/logout', relayed('reboot')])
    for (const headers of [
      {},
      { referer: 'http://hub.test:4000/' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://hub.test:4000' }
    ])
      assert.deepEqual(
        await ask(path, headers as Record<string, string>),
        { status: 403, result: NOT_PERMITTED },
        `${path} ${JSON.stringify(headers)}`
      )
  assert.equal((await ask('/api/session', {})).result, 0, 'still signed in')
  assert.equal((await ask(relayed('get-status'), {})).status, 200)
  assert.equal((await ask(relayed('reboot'), { referer: 'http://hub.test/' })).status, 200)
  const { token } = await admin.send(addToken, { 'expired-time': UNLIMITED })
  const bearer = { authorization: `Bearer ${token}` }
  assert.equal((await ask(relayed('reboot'), bearer)).status, 200, 'no page has the token')
  assert.equal((await ask('/api/logout', { referer: 'http://hub.test/' })).result, 0)
})

test('a cookie that another port set in front of the session’s does not end the session', async () => {
  const [pair = ''] = admin.cookie.split(';')
  for (const before of ['mwcloud-sid=x', 'mwcloud-sid=', `mwcloud-sid=${'A'.repeat(43)}; mwcloud-sid=b`]) {
    admin.cookie = `${before}; ${pair}`
    assert.equal((await (await admin.raw('GET', '/api/session')).json()).result, 0, before)
  }
})

test('the console says to the hub alone where its requests come from', async () => {
  assert.equal((await admin.raw('GET', '/api/session')).headers.get('referrer-policy'), 'same-origin')
})

test.run()
