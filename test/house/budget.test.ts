import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite } from 'uvu'
import { measure } from '../../firmware-pack/budget.ts'
import { readBundle } from '../../firmware-pack/bundle-files.ts'
import { type Budget, lines, over } from '../../pack/budget.ts'
import { root, textOf } from './sources.ts'

const test = suite('budget')

const budget = JSON.parse(textOf('size-budget.json')) as Budget

test('the walls for gzip and brotli stand, for each artefact and for all', () => {
  for (const artefact of ['html', 'css', 'js', 'total'] as const)
    for (const encoding of ['gzip', 'brotli'] as const) assert.ok(Number(budget[artefact][encoding]) > 0)
  // The promise for the finished console.
  assert.ok((budget.total.brotli ?? Number.POSITIVE_INFINITY) <= 64 * 1024)
  assert.ok((budget.total.gzip ?? Number.POSITIVE_INFINITY) <= 74 * 1024)
  assert.ok(budget.requests <= 3)
})

test('the console as built is within its budget', () => {
  assert.deepEqual(over(lines(measure(readBundle(join(root, 'dist'))), budget)), [])
})

test.run()
