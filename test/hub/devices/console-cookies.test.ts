import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createCookieBlanker } from '../../../hub/devices/console-cookies.ts'

const test = suite('console cookies')

const SECRET = 'A-z_'.repeat(10)
const REQUEST =
  `GET / HTTP/1.1\r\nHost: hub\r\nCookie: a=1; mwcloud-sid=${SECRET}; lang=en; mwcloud-page-B313=${SECRET};mwcloud-uid=Admin\r\n` +
  'Accept: */*\r\n\r\n'

/** Passes a text through the blanker in chunks that end at the offsets `cuts`. */
function blankCookies(text: string, ...cuts: number[]): string {
  const blankChunk = createCookieBlanker()
  const ends = [...cuts, text.length]
  return ends
    .map((end, index) => {
      const piece = Buffer.from(text.slice(ends[index - 1] ?? 0, end), 'latin1')
      blankChunk(piece)
      return piece.toString('latin1')
    })
    .join('')
}

const expected = REQUEST.replaceAll(SECRET, 'x'.repeat(SECRET.length)).replace('Admin', 'xxxxx')

test('only the values of the hub’s cookies are blanked', () => {
  assert.equal(blankCookies(REQUEST), expected)
})

test('cookies are blanked wherever the request is split into chunks', () => {
  for (let first = 1; first < REQUEST.length; first++) {
    assert.equal(blankCookies(REQUEST, first), expected, String(first))
    assert.equal(blankCookies(REQUEST, first, Math.min(first + 3, REQUEST.length)), expected, String(first))
  }
  assert.equal(
    blankCookies(REQUEST, ...Array.from(REQUEST.slice(1), (_, index) => index + 1)),
    expected,
    'byte by byte'
  )
})

test('cookies are blanked in every request of a connection, in any spelling of the header and at any length', () => {
  const long = REQUEST.replace('a=1', `a=${'b'.repeat(5000)}`)
  const text = REQUEST + long.replace('Cookie', 'cOOKIE') + REQUEST.replace('Cookie: ', 'Cookie:')
  for (const cuts of [[], [REQUEST.length + 3000], [REQUEST.length + 5100, REQUEST.length + 5140]])
    assert.ok(!blankCookies(text, ...cuts).includes('A-z_'), String(cuts))
  assert.equal(blankCookies(text).length, text.length)
})

test('other protocols, and HTTP bodies that contain cookie names, are not changed', () => {
  for (const text of [
    `SSH-2.0-x\r\nCookie: mwcloud-sid=${SECRET}\r\n`,
    `\x16\x03\x01\ncookie: mwcloud-sid=${SECRET}`,
    `POST /up HTTP/1.1\r\nHost: hub\r\n\r\nx-cookie: mwcloud-sid=${SECRET}; document.cookie="mwcloud-sid=1"\nnocookie: mwcloud-sid=2`,
    'GET / HTTP/1.1\r\nCookie: sid=1; my-mwcloud-sid=2\r\n\r\n'
  ])
    for (const cut of [text.length, 20, 30, 55]) assert.equal(blankCookies(text, Math.min(cut, text.length)), text)
})

test.run()
