import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createCookieBlanker } from '../../../hub/devices/console-cookies.ts'

const test = suite('own cookies')

const SECRET = 'A-z_'.repeat(10)
const REQUEST =
  `GET / HTTP/1.1\r\nHost: hub\r\nCookie: a=1; mwcloud-sid=${SECRET}; lang=en; mwcloud-page-B313=${SECRET};mwcloud-uid=Admin\r\n` +
  'Accept: */*\r\n\r\n'

/** Sends a text in pieces that end at these places. */
function through(text: string, ...cuts: number[]): string {
  const blank = createCookieBlanker()
  const ends = [...cuts, text.length]
  return ends
    .map((end, index) => {
      const piece = Buffer.from(text.slice(ends[index - 1] ?? 0, end), 'latin1')
      blank(piece)
      return piece.toString('latin1')
    })
    .join('')
}

const expected = REQUEST.replaceAll(SECRET, 'x'.repeat(SECRET.length)).replace('Admin', 'xxxxx')

test('the values of the hub’s cookies are blanked, and nothing else is', () => {
  assert.equal(through(REQUEST), expected)
})

test('wherever the request is cut', () => {
  for (let first = 1; first < REQUEST.length; first++) {
    assert.equal(through(REQUEST, first), expected, String(first))
    assert.equal(through(REQUEST, first, Math.min(first + 3, REQUEST.length)), expected, String(first))
  }
  assert.equal(through(REQUEST, ...Array.from(REQUEST.slice(1), (_, index) => index + 1)), expected, 'byte by byte')
})

test('in every request of a connection, however the header is spelled, and however long it is', () => {
  const long = REQUEST.replace('a=1', `a=${'b'.repeat(5000)}`)
  const text = REQUEST + long.replace('Cookie', 'cOOKIE') + REQUEST.replace('Cookie: ', 'Cookie:')
  for (const cuts of [[], [REQUEST.length + 3000], [REQUEST.length + 5100, REQUEST.length + 5140]])
    assert.ok(!through(text, ...cuts).includes('A-z_'), String(cuts))
  assert.equal(through(text).length, text.length)
})

test('what is no HTTP, and what only speaks of cookies, arrives as it was', () => {
  for (const text of [
    `SSH-2.0-x\r\nCookie: mwcloud-sid=${SECRET}\r\n`,
    `\x16\x03\x01\ncookie: mwcloud-sid=${SECRET}`,
    `POST /up HTTP/1.1\r\nHost: hub\r\n\r\nx-cookie: mwcloud-sid=${SECRET}; document.cookie="mwcloud-sid=1"\nnocookie: mwcloud-sid=2`,
    'GET / HTTP/1.1\r\nCookie: sid=1; my-mwcloud-sid=2\r\n\r\n'
  ])
    for (const cut of [text.length, 20, 30, 55]) assert.equal(through(text, Math.min(cut, text.length)), text)
})

test.run()
