import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { Budget } from '../../pack/budget.ts'
import { claimedDefaults, claimedWeight, defaults } from './numbers.ts'
import { textOf } from './sources.ts'

const test = suite('numbers')

test('numbers are read, also across lines', () => {
  const text = 'is at most 40 KiB with brotli\nand 46 KiB with gzip, in 3 requests.'
  assert.deepEqual(claimedWeight(text), { brotli: 40, gzip: 46, requests: 3 })
  assert.equal(claimedWeight('small'), undefined)
  assert.deepEqual(claimedDefaults('`PORT` (3000), `FLEET` (24, 0 = none)'), { PORT: '3000', FLEET: '24' })
  assert.deepEqual(defaults('PORT ?= 3000\nA := 1\n'), { PORT: '3000' })
})

test('README.md gives the limits of size-budget.json', () => {
  const { first, requests } = JSON.parse(textOf('size-budget.json')) as Budget
  const claimed = claimedWeight(textOf('README.md'))
  assert.ok(claimed, 'README.md does not state the size of the console')
  assert.deepEqual(
    { brotli: claimed.brotli * 1024, gzip: claimed.gzip * 1024, requests: claimed.requests },
    { brotli: first?.brotli, gzip: first?.gzip, requests }
  )
})

test('README.md gives the defaults of the Makefile', () => {
  assert.deepEqual(claimedDefaults(textOf('README.md')), defaults(textOf('Makefile')))
})

test.run()
