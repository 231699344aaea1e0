import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { type CookieJar, createCookieJar } from '../../web-server/page-proxy/cookie-jar.ts'

const test = suite('cookie jar')
let time: number
let jar: CookieJar
test.before.each(() => {
  time = 1_000_000
  jar = createCookieJar(() => time)
})

test('a cookie is sent to its path and paths below it, longer paths first', () => {
  jar.storeCookies(
    ['a=1', 'b=2; Path=/', 'c=3; path=/set/deep; HttpOnly; Secure; SameSite=None; Domain=example.com'],
    '/set/name'
  )
  assert.equal(jar.cookieHeader('/'), 'b=2')
  assert.equal(jar.cookieHeader('/set'), 'a=1; b=2')
  assert.equal(jar.cookieHeader('/set/deep/er'), 'c=3; a=1; b=2')
  assert.equal(jar.cookieHeader('/setting'), 'b=2')
  jar.storeCookies(['x=1; Path=folder'], '/top')
  assert.equal(jar.cookieHeader('/other'), 'b=2; x=1')
})

test('a cookie with the same name and path replaces the earlier one, and expired cookies are removed', () => {
  jar.storeCookies(
    ['a=1', 'b=1; Max-Age=60', 'c=1; Expires=Thu, 01 Jan 1970 01:00:00 GMT', 'd=1; Max-Age=60; Expires=x'],
    '/'
  )
  jar.storeCookies(['a=2'], '/')
  assert.equal(jar.cookieHeader('/'), 'b=1; c=1; d=1; a=2')
  time += 60_000
  assert.equal(jar.cookieHeader('/'), 'c=1; a=2')
  time = 4_000_000
  assert.equal(jar.cookieHeader('/'), 'a=2')
  jar.storeCookies(['a=; Max-Age=0'], '/')
  assert.equal(jar.cookieHeader('/'), undefined)
})

test('malformed cookies are ignored, and at most fifty are stored', () => {
  jar.storeCookies(
    ['', '=', '=x', 'novalue', 'a\r\nb=1', 'a=1\u0001', 'ü=1', `long=${'x'.repeat(4096)}`, 'ok=="q"; ;'],
    '/'
  )
  assert.equal(jar.cookieHeader('/'), 'ok=="q"')
  jar.storeCookies(
    Array.from({ length: 100 }, (_, index) => `n${index}=1`),
    '/'
  )
  const names = jar.cookieHeader('/')?.split('; ') ?? []
  assert.deepEqual([names.length, names[0], names.at(-1)], [50, 'n50=1', 'n99=1'])
})

test.run()
