// `make size`: prints the previous size, the current size and the limit of everything that a browser downloads, then
// the parts of the script. gzip and brotli of a part are the bytes saved without it. Fails over budget. PEERS=1 also
// measures comparable consoles.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { styleText } from 'node:util'
import { type Budget, budgetLines, linesOverLimit } from '../../pack/budget.ts'
import { readBundle } from '../bundle-files.ts'
import { measure } from './budget.ts'
import { buildModules, measureParts } from './bundle-breakdown.ts'
import { measureConsole, measurePeers } from './peers.ts'
import { measurePreviousParts, measurePreviousSizes } from './previous-build.ts'

const root = resolve(import.meta.dirname, '../..')
const budget = JSON.parse(readFileSync(join(root, 'size-budget.json'), 'utf8')) as Budget
const lines = budgetLines(measure(readBundle(join(root, 'dist'))), budget)
const previousSizes = measurePreviousSizes(root)
const previousValues = new Map(
  previousSizes && budgetLines(previousSizes, budget).map((line) => [line.name, line.value])
)

const cell = (value: number | undefined) => (value === undefined ? '-' : value.toLocaleString('en')).padStart(10)
console.log(`${'bytes'.padEnd(14)}${['before', 'now', 'limit', 'left'].map((name) => name.padStart(10)).join('')}`)
for (const { name, value: now, limit } of lines) {
  const remaining = limit === undefined ? undefined : limit - now
  const row = name.padEnd(14) + [previousValues.get(name), now, limit, remaining].map(cell).join('')
  console.log(remaining !== undefined && remaining < 0 ? styleText('red', row) : row)
}

const heads = ['code', 'sentences', 'gzip before', 'now', 'br. before', 'now']
console.log(`\n${'script'.padEnd(24)}${heads.map((name) => name.padStart(11)).join('')}`)
const before = new Map(measurePreviousParts(root)?.map((part) => [part.name, part]))
for (const { name, code, sentences, gzip, brotli } of measureParts(await buildModules())) {
  const { gzip: gzipWas, brotli: brotliWas } = before.get(name) ?? {}
  console.log(
    name.padEnd(24) + [code, sentences, gzipWas, gzip, brotliWas, brotli].map((value) => ` ${cell(value)}`).join('')
  )
}

if (process.env.PEERS === '1') {
  const heads = ['first gzip', 'brotli', 'files', 'all gzip', 'brotli', 'files']
  console.log(`\n${'html, css, js'.padEnd(34)}${heads.map((name) => name.padStart(12)).join('')}`)
  const consoles = [measureConsole('Headend', join(root, 'dist')), ...measurePeers(join(root, 'build/peers'))]
  for (const { name, first, whole } of consoles) {
    const sizes = [first, whole].flatMap(({ gzip, brotli, files }) => [gzip, brotli, files])
    console.log(name.padEnd(34) + sizes.map((value) => value.toLocaleString('en').padStart(12)).join(''))
  }
}

const overLimit = linesOverLimit(lines)
if (overLimit.length) console.error(`Over budget: ${overLimit.map(({ name }) => name).join(', ')}.`)
process.exitCode = overLimit.length ? 1 : 0
