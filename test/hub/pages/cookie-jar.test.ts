import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createJar, type Jar } from '../../../hub/pages/cookie-jar.ts'

const test = suite('jar')
let time: number
let jar: Jar
test.before.each(() => {
  time = 1_000_000
  jar = createJar(() => time)
})

test('a cookie comes back to its path and what is below it, the longer path first', () => {
  jar.take(
    ['a=1', 'b=2; Path=/', 'c=3; path=/set/deep; HttpOnly; Secure; SameSite=None; Domain=example.com'],
    '/set/name'
  )
  assert.equal(jar.header('/'), 'b=2')
  assert.equal(jar.header('/set'), 'a=1; b=2')
  assert.equal(jar.header('/set/deep/er'), 'c=3; a=1; b=2')
  assert.equal(jar.header('/setting'), 'b=2')
  jar.take(['x=1; Path=folder'], '/top')
  assert.equal(jar.header('/other'), 'b=2; x=1')
})

test('a later one of the same name and path takes its place, and one that is over is forgotten', () => {
  jar.take(['a=1', 'b=1; Max-Age=60', 'c=1; Expires=Thu, 01 Jan 1970 01:00:00 GMT', 'd=1; Max-Age=60; Expires=x'], '/')
  jar.take(['a=2'], '/')
  assert.equal(jar.header('/'), 'b=1; c=1; d=1; a=2')
  time += 60_000
  assert.equal(jar.header('/'), 'c=1; a=2')
  time = 4_000_000
  assert.equal(jar.header('/'), 'a=2')
  jar.take(['a=; Max-Age=0'], '/')
  assert.equal(jar.header('/'), undefined)
})

test('what is no cookie is left out, and there are never more than fifty', () => {
  jar.take(['', '=', '=x', 'novalue', 'a\r\nb=1', 'a=1\u0001', 'ü=1', `long=${'x'.repeat(4096)}`, 'ok=="q"; ;'], '/')
  assert.equal(jar.header('/'), 'ok=="q"')
  jar.take(
    Array.from({ length: 100 }, (_, index) => `n${index}=1`),
    '/'
  )
  const names = jar.header('/')?.split('; ') ?? []
  assert.deepEqual([names.length, names[0], names.at(-1)], [50, 'n50=1', 'n99=1'])
})

test.run()
