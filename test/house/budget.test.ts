import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite } from 'uvu'
import { readBundle } from '../../firmware-pack/bundle-files.ts'
import { measure } from '../../firmware-pack/size/budget.ts'
import { type Budget, budgetLines, linesOverLimit } from '../../pack/budget.ts'
import { root, textOf } from './sources.ts'

const test = suite('budget')

const budget = JSON.parse(textOf('size-budget.json')) as Budget

test('every artefact has a limit for gzip and brotli, and so has the first load in each language', () => {
  for (const artefact of ['html', 'css', 'js', 'later', 'pack', 'later-pack', 'first', 'total'] as const)
    for (const encoding of ['gzip', 'brotli'] as const) assert.ok(Number(budget[artefact]?.[encoding]) > 0, artefact)
  // Upper bounds for the limits. The whole console was to stay below 80 KiB with brotli and 90 KiB with gzip
  // (docs/bytes.md).
  assert.ok((budget.first?.brotli ?? Number.POSITIVE_INFINITY) <= 68 * 1024)
  assert.ok((budget.first?.gzip ?? Number.POSITIVE_INFINITY) <= 76 * 1024)
  assert.ok((budget.total?.brotli ?? Number.POSITIVE_INFINITY) <= 176 * 1024)
  assert.ok((budget.total?.gzip ?? Number.POSITIVE_INFINITY) <= 202 * 1024)
  assert.ok(budget.requests <= 4)
})

test('the built console is within its budget, in English and in Chinese', () => {
  const measured = measure(readBundle(join(root, 'dist')))
  for (const name of ['first en', 'first zh', 'total en', 'total zh']) assert.ok(measured.artefacts[name], name)
  assert.ok((measured.artefacts.later?.brotli ?? 0) > 0, 'there is a later script')
  assert.deepEqual(linesOverLimit(budgetLines(measured, budget)), [])
})

test('the built pages of the cloud are within their budget, in English and in Chinese', () => {
  const measured = measure(readBundle(join(root, 'dist-cloud')))
  for (const name of ['first en', 'first zh', 'total en', 'total zh']) assert.ok(measured.artefacts[name], name)
  const limits = JSON.parse(textOf('size-budget-cloud.json')) as Budget
  for (const name of ['first', 'total'] as const) assert.ok(Number(limits[name]?.brotli) < Number(budget[name]?.brotli))
  assert.deepEqual(linesOverLimit(budgetLines(measured, limits)), [])
})

test.run()
