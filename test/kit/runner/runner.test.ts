import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { runFiles } from './runner.ts'
import { countTests, type FileResult, listSkipped } from './test-result.ts'

const root = resolve(import.meta.dirname, '../../..')
const folder = join(root, 'build', `fixtures-${process.pid}`)
/** Written in two parts, because the bundler would replace it with the location of this file. */
const IMPORT_META_URL = ['import', 'meta.url'].join('.')
const HEAD = `import { suite } from 'uvu'\nconst test = suite('fixture')\n`

const test = suite('runner')

test.before(() => void mkdirSync(folder, { recursive: true }))
test.after(() => rmSync(folder, { recursive: true, force: true }))

/** Runs test files with these contents, in one process one after another. */
async function run(
  texts: Record<string, string>,
  { timeout = 20_000, processes = 1 } = {}
): Promise<Record<string, FileResult>> {
  const files = Object.entries(texts).map(([name, text]) => {
    const file = join(folder, `${name}.test.ts`)
    writeFileSync(file, text)
    return file
  })
  const results: Record<string, FileResult> = {}
  await runFiles(root, { files, processes, timeout }, (result) => {
    results[result.file.slice(folder.length + 1, -'.test.ts'.length)] = result
  })
  return results
}

function assertResult(result: FileResult | undefined, passed: number, failed: number, pattern?: RegExp): void {
  assert.ok(result)
  const output = [...result.errors, ...result.problems].join('\n')
  assert.deepEqual(countTests(result), { passed, failed }, output)
  if (pattern) assert.match(output, pattern)
  else assert.equal(output, '')
}

test('tests that pass, fail, throw, never run or are missing are counted', async () => {
  const results = await run({
    passes: `${HEAD}test('one', () => {})\ntest('two', async () => {})\ntest.run()\n`,
    fails: `${HEAD}test('good', () => {})\ntest('bad', () => { throw new Error('on purpose') })\ntest.run()\n`,
    empty: 'export {}\n',
    'no-run': `${HEAD}test('one', () => {})\ntest('two', () => {})\n`,
    'run-too-early': `${HEAD}test('one', () => {})\ntest.run()\ntest('two', () => {})\n`,
    'before-throws': `${HEAD}test.before(() => { throw new Error('no luck') })\ntest('one', () => {})\ntest('two', () => {})\ntest.run()\n`,
    'before-each-throws': `${HEAD}test.before.each(() => { throw new Error('no luck') })\ntest('one', () => {})\ntest.run()\n`,
    'after-each-throws': `${HEAD}test.after.each(() => { throw new Error('no luck') })\ntest('one', () => {})\ntest.run()\n`,
    'after-throws': `${HEAD}test.after(() => { throw new Error('no luck') })\ntest('one', () => {})\ntest.run()\n`,
    skips: `${HEAD}test.skip('one', () => {})\ntest.run()\n`,
    'throws-at-once': `throw new Error('no luck')\n`,
    'throws-loosely': `${HEAD}test('one', () => { Promise.reject(new Error('nobody waits')) })\ntest.run()\n`,
    'no-module': `import './nowhere.ts'\n`
  })
  assertResult(results.passes, 2, 0)
  assertResult(results.fails, 1, 1, /on purpose/)
  assertResult(results.empty, 0, 1, /no test/)
  assertResult(results['no-run'], 0, 2, /\.run\(\)/)
  assertResult(results['run-too-early'], 1, 1, /1 of 2 tests never ran/)
  assertResult(results['before-throws'], 0, 2, /no luck/)
  assertResult(results['before-each-throws'], 0, 1, /no luck/)
  assertResult(results['after-each-throws'], 0, 1, /no luck/)
  assertResult(results['after-throws'], 0, 1, /no luck/)
  assertResult(results.skips, 0, 1, /not allowed/)
  assertResult(results['throws-at-once'], 0, 1, /no luck/)
  assertResult(results['throws-loosely'], 1, 1, /nobody waits/)
  assertResult(results['no-module'], 0, 1, /nowhere/)
})

test('tests with a missing requirement count as skipped, and are listed with the reason', async () => {
  const head = `import { suiteRequiring } from '../../test/kit/runner/suite.ts'\n`
  const needy = (missing: string) =>
    `${head}const test = suiteRequiring('fixture', ${missing})\ntest.before(() => { throw new Error('no hook') })\n` +
    `test('one', () => {})\ntest('two', () => { throw new Error('on purpose') })\ntest.run()\n`
  const both = `${HEAD}${needy(`'No camera: buy one.'`).replace('const test', 'const other').replaceAll('\ntest', '\nother')}`
  const results = await run({
    skipped: needy(`'No camera: buy one.'`),
    both: `${both}test('here', () => {})\ntest('bad', () => { throw new Error('on purpose') })\ntest.run()\n`,
    present: needy('undefined')
  })
  assertResult(results.skipped, 0, 0)
  assertResult(results.both, 1, 1, /on purpose/)
  assertResult(results.present, 0, 2, /no hook/)
  const [[reason, { files, tests }] = ['', { files: [], tests: 0 }], ...others] = listSkipped(Object.values(results))
  assert.deepEqual([reason, files.length, tests, others.length], ['No camera: buy one.', 2, 4, 0])
})

test('a file that hangs or exits is killed, and the next file runs', async () => {
  const results = await run(
    {
      hangs: `${HEAD}test('quick', () => {})\ntest('slow', () => new Promise(() => setInterval(() => {}, 1000)))\ntest.run()\n`,
      spins: `${HEAD}test('busy', () => { for (;;); })\ntest.run()\n`,
      exits: `${HEAD}test('leaves', () => { console.error('last words'); process.exit(0) })\ntest.run()\n`,
      passes: `${HEAD}test('one', () => {})\ntest.run()\n`
    },
    // Long enough to start on a busy machine.
    { timeout: 5000 }
  )
  assertResult(results.hangs, 1, 1, /Hung for 5 s in 'fixture: slow'/)
  assertResult(results.spins, 0, 1, /Hung.*busy/)
  assertResult(results.exits, 0, 1, /ended \(status 0\) in 'fixture: leaves'/)
  assert.match(results.exits?.output ?? '', /last words/)
  assertResult(results.passes, 1, 0)
})

test('a failure shows the line of the source', async () => {
  const { fails } = await run({ fails: `${HEAD}\ntest('bad', () => { throw new Error('here') })\ntest.run()\n` })
  assert.match(fails?.errors.join() ?? '', /fails\.test\.ts:4:/)
})

test('each file has its own copy of the modules and unchanged globals and environment', async () => {
  writeFileSync(join(folder, 'counter.ts'), `export const counter = { value: 0, url: ${IMPORT_META_URL} }\n`)
  const body = `${HEAD}import { counter } from './counter.ts'\ntest('fresh', () => {
    if (counter.value++ || 'leftover' in globalThis || process.env.LEFTOVER) throw new Error('not fresh')
    if (!counter.url.endsWith('/counter.ts')) throw new Error(counter.url)
    Object.assign(globalThis, { leftover: 1 })
    process.env.LEFTOVER = '1'
  })\ntest.run()\n`
  const results = await run({ first: body, second: body })
  assertResult(results.first, 1, 0)
  assertResult(results.second, 1, 0)
})

test('react and preact are one module', async () => {
  const { mapped } = await run({
    mapped: `${HEAD}import { createElement } from 'react'\nimport { h } from 'preact'\nimport { useState } from 'preact/hooks'\nimport * as react from 'react'\ntest('same', () => { if (createElement !== h || react.useState !== useState) throw new Error('two preacts') })\ntest.run()\n`
  })
  assertResult(mapped, 1, 0)
})

test('a process that holds much memory is replaced before the next file', async () => {
  const list = join(folder, 'processes')
  const tell = `${HEAD}import { appendFileSync } from 'node:fs'
    test('one', () => appendFileSync(${JSON.stringify(list)}, process.pid + ' '))\ntest.run()\n`
  const large = `globalThis.held = Buffer.alloc(1_600_000_000, 1)\n${tell}`
  await run({ 'a-small': tell, 'b-small': tell, 'c-large': large, 'd-small': tell })
  const [a, b, c, d] = readFileSync(list, 'utf8').trim().split(' ')
  assert.deepEqual([b, c], [a, a])
  assert.notEqual(d ?? a, a)
})

test('workers have ranges of ports that do not overlap, and a process that replaces another has the same range', async () => {
  const list = join(folder, 'ranges')
  const head = `${HEAD}import { appendFileSync } from 'node:fs'
    import { portRange } from '../../test/kit/net/free-port.ts'\n`
  const tell = (end: string) =>
    `${head}test('one', () => { appendFileSync(${JSON.stringify(list)}, portRange().join('-') + ' '); ${end} })\ntest.run()\n`
  await run({ a: tell('process.exit(0)'), b: tell('') })
  await run({ a: tell(''), b: tell('') }, { processes: 2 })
  const [first = '', second, ...others] = readFileSync(list, 'utf8').trim().split(' ')
  assert.equal(second, first)
  const ranges = [first, ...others].map((range) => range.split('-').map(Number)).sort(([a = 0], [b = 0]) => a - b)
  assert.equal(ranges.length, 3)
  for (const [index, [begin = 0]] of ranges.entries()) assert.ok(begin >= (ranges[index - 1]?.[1] ?? 0), `${ranges}`)
})

test.run()
