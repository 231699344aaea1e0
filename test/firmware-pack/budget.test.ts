import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { measure } from '../../firmware-pack/budget.ts'
import { brotli, gzip } from '../../firmware-pack/encodings.ts'
import { type Budget, lines, over } from '../../pack/budget.ts'

const test = suite('budget')

const file = (path: string, text: string) => ({ path, bytes: Buffer.from(text) })
const PAGE = file('index.html', '<!doctype html>'.repeat(10))
const ONE = file('a-12345678.js', 'let a = 1\n'.repeat(50))
const TWO = file('b-12345678.js', 'let b = 2\n'.repeat(70))
const PICTURE = file('icon.svg', '<svg></svg>')

const budget = (total: number, requests: number): Budget => ({
  html: {},
  css: {},
  js: {},
  total: { brotli: total },
  requests
})

test('what is measured is what is served', () => {
  const { html, js, total, requests } = measure([PAGE, ONE, TWO, PICTURE])
  assert.equal(html.brotli, brotli(PAGE.bytes).length)
  assert.equal(js.gzip, gzip(ONE.bytes).length + gzip(TWO.bytes).length)
  assert.equal(js.raw, ONE.bytes.length + TWO.bytes.length)
  assert.equal(total.brotli, html.brotli + js.brotli)
  assert.equal(requests, 3)
})

test('the help page is no part of the console, any other page is', () => {
  const help = [file('help.html', 'help'), file('help.css', 'help')]
  assert.deepEqual(measure([PAGE, ...help]), measure([PAGE]))
  assert.equal(measure([PAGE, file('other.html', 'page')]).requests, 2)
})

test('a byte or a request over the limit is over, the limit itself is not', () => {
  const measured = measure([PAGE, ONE])
  const { brotli: is } = measured.total
  const names = (limits: Budget) => over(lines(measured, limits)).map(({ what }) => what)
  assert.deepEqual(names(budget(is, 2)), [])
  assert.deepEqual(names(budget(is - 1, 2)), ['total brotli'])
  assert.deepEqual(names(budget(is, 1)), ['requests'])
})

test.run()
