import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { brotli, gzip } from '../../../firmware-pack/format/encodings.ts'
import { measure } from '../../../firmware-pack/size/budget.ts'
import { type Budget, budgetLines, linesOverLimit, type MeasuredSizes, type Sizes } from '../../../pack/budget.ts'

const test = suite('budget')

const file = (path: string, text: string) => ({ path, bytes: Buffer.from(text) })
const PAGE = file('index.html', '<!doctype html>'.repeat(10))
const ONE = file('a-12345678.js', 'let a = 1\n'.repeat(50))
const TWO = file('b-12345678.js', 'let b = 2\n'.repeat(70))
const PICTURE = file('icon.svg', '<svg></svg>')

const ENGLISH = file('assets/en-12345678.txt', 'Sign in\nSign out')
const CHINESE = file('assets/zh-12345678.txt', '登录\n退出登录')

const budget = (total: number, requests: number): Budget => ({ total: { brotli: total }, requests })

/** Returns the sizes of an artefact, which must exist. */
function sizesOf({ artefacts }: MeasuredSizes, name: string): Sizes {
  const sizes = artefacts[name]
  assert.ok(sizes, name)
  return sizes
}

test('sizes are those of the encoded files, and images do not count', () => {
  const measured = measure([PAGE, ONE, TWO, PICTURE])
  const [html, js, total] = ['html', 'js', 'total'].map((name) => sizesOf(measured, name)) as [Sizes, Sizes, Sizes]
  const { requests } = measured
  assert.equal(html.brotli, brotli(PAGE.bytes).length)
  assert.equal(js.gzip, gzip(ONE.bytes).length + gzip(TWO.bytes).length)
  assert.equal(js.raw, ONE.bytes.length + TWO.bytes.length)
  assert.equal(total.brotli, html.brotli + js.brotli)
  assert.equal(requests, 3)
})

test('a first load has one language pack, so there is a total for each language', () => {
  const measured = measure([PAGE, ONE, ENGLISH, CHINESE])
  const common = sizesOf(measured, 'html').brotli + sizesOf(measured, 'js').brotli
  for (const [language, pack] of Object.entries({ en: ENGLISH, zh: CHINESE })) {
    assert.equal(sizesOf(measured, `pack ${language}`).brotli, brotli(pack.bytes).length)
    assert.equal(sizesOf(measured, `total ${language}`).brotli, common + brotli(pack.bytes).length)
  }
  assert.equal(measured.requests, 3)
  const tight = linesOverLimit(budgetLines(measured, { requests: 3, pack: { raw: ENGLISH.bytes.length } }))
  assert.deepEqual(
    tight.map(({ name }) => name),
    ['pack zh raw']
  )
})

test('the later script counts for the whole console, and not for the first load', () => {
  const later = file('assets/later-12345678.js', 'let c = 3\n'.repeat(90))
  const measured = measure([PAGE, ONE, later, ENGLISH])
  const first = measure([PAGE, ONE, ENGLISH])
  assert.equal(measured.requests, first.requests)
  assert.deepEqual(sizesOf(measured, 'js'), sizesOf(first, 'js'))
  assert.deepEqual(sizesOf(measured, 'first en'), sizesOf(first, 'first en'))
  const size = brotli(later.bytes).length
  assert.equal(sizesOf(measured, 'later').brotli, size)
  assert.equal(sizesOf(measured, 'total en').brotli, sizesOf(first, 'total en').brotli + size)
  const names = (limits: Omit<Budget, 'requests'>) =>
    linesOverLimit(budgetLines(measured, { requests: 3, ...limits })).map(({ name }) => name)
  assert.deepEqual(names({ later: { brotli: size - 1 } }), ['later brotli'])
  assert.deepEqual(names({ first: { brotli: sizesOf(measured, 'first en').brotli } }), [])
})

test('the sentences of the later script count with it, for each language', () => {
  const later = file('assets/en-later-12345678.txt', 'Ports\nNetwork')
  const measured = measure([PAGE, ONE, ENGLISH, later])
  const first = measure([PAGE, ONE, ENGLISH])
  assert.equal(measured.requests, first.requests)
  assert.deepEqual(sizesOf(measured, 'first en'), sizesOf(first, 'first en'))
  const size = brotli(later.bytes).length
  assert.equal(sizesOf(measured, 'later-pack en').brotli, size)
  assert.equal(sizesOf(measured, 'total en').brotli, sizesOf(first, 'total en').brotli + size)
})

test('the help page does not count, every other page does', () => {
  const help = [file('help.html', 'help'), file('help.css', 'help')]
  assert.deepEqual(measure([PAGE, ...help]), measure([PAGE]))
  assert.equal(measure([PAGE, file('other.html', 'page')]).requests, 2)
})

test('a byte or a request above the limit is reported, the limit itself is not', () => {
  const measured = measure([PAGE, ONE])
  const { brotli: is } = sizesOf(measured, 'total')
  const names = (limits: Budget) => linesOverLimit(budgetLines(measured, limits)).map(({ name }) => name)
  assert.deepEqual(names(budget(is, 2)), [])
  assert.deepEqual(names(budget(is - 1, 2)), ['total brotli'])
  assert.deepEqual(names(budget(is, 1)), ['requests'])
})

test.run()
