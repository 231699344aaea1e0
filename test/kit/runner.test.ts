import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { runFiles } from './runner.ts'
import { counted, type Tally } from './tally.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'build', `fixtures-${process.pid}`)
/** In two pieces: the bundler would put this file's own place here. */
const OWN_PLACE = ['import', 'meta.url'].join('.')
const HEAD = `import { suite } from 'uvu'\nconst test = suite('fixture')\n`

const test = suite('runner')

test.before(() => void mkdirSync(folder, { recursive: true }))
test.after(() => rmSync(folder, { recursive: true, force: true }))

/** Runs test files of these texts, one after another, in one process. */
async function run(texts: Record<string, string>, timeout = 20_000): Promise<Record<string, Tally>> {
  const files = Object.entries(texts).map(([name, text]) => {
    const file = join(folder, `${name}.test.ts`)
    writeFileSync(file, text)
    return file
  })
  const tallies: Record<string, Tally> = {}
  await runFiles(root, { files, processes: 1, timeout }, (tally) => {
    tallies[tally.file.slice(folder.length + 1, -'.test.ts'.length)] = tally
  })
  return tallies
}

function assertTally(tally: Tally | undefined, passed: number, failed: number, says?: RegExp): void {
  assert.ok(tally)
  const said = [...tally.errors, ...tally.problems].join('\n')
  assert.deepEqual(counted(tally), { passed, failed }, said)
  if (says) assert.match(said, says)
  else assert.equal(said, '')
}

test('what passes, fails, throws, is forgotten or missing is counted', async () => {
  const tallies = await run({
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
  assertTally(tallies.passes, 2, 0)
  assertTally(tallies.fails, 1, 1, /on purpose/)
  assertTally(tallies.empty, 0, 1, /no test/)
  assertTally(tallies['no-run'], 0, 2, /\.run\(\)/)
  assertTally(tallies['run-too-early'], 1, 1, /1 of 2 tests never ran/)
  assertTally(tallies['before-throws'], 0, 2, /no luck/)
  assertTally(tallies['before-each-throws'], 0, 1, /no luck/)
  assertTally(tallies['after-each-throws'], 0, 1, /no luck/)
  assertTally(tallies['after-throws'], 0, 1, /no luck/)
  assertTally(tallies.skips, 0, 1, /no place here/)
  assertTally(tallies['throws-at-once'], 0, 1, /no luck/)
  assertTally(tallies['throws-loosely'], 1, 1, /nobody waits/)
  assertTally(tallies['no-module'], 0, 1, /nowhere/)
})

test('a file that hangs or ends its process is cut off, and the next one runs', async () => {
  const tallies = await run(
    {
      hangs: `${HEAD}test('quick', () => {})\ntest('slow', () => new Promise(() => setInterval(() => {}, 1000)))\ntest.run()\n`,
      spins: `${HEAD}test('busy', () => { for (;;); })\ntest.run()\n`,
      exits: `${HEAD}test('leaves', () => { console.error('last words'); process.exit(0) })\ntest.run()\n`,
      passes: `${HEAD}test('one', () => {})\ntest.run()\n`
    },
    // Long enough to begin on a busy machine.
    5000
  )
  assertTally(tallies.hangs, 1, 1, /Hung for 5 s in 'fixture: slow'/)
  assertTally(tallies.spins, 0, 1, /Hung.*busy/)
  assertTally(tallies.exits, 0, 1, /ended \(status 0\) in 'fixture: leaves'/)
  assert.match(tallies.exits?.output ?? '', /last words/)
  assertTally(tallies.passes, 1, 0)
})

test('a failure names the line of the source', async () => {
  const { fails } = await run({ fails: `${HEAD}\ntest('bad', () => { throw new Error('here') })\ntest.run()\n` })
  assert.match(fails?.errors.join() ?? '', /fails\.test\.ts:4:/)
})

test('each file has its own copy of our modules and finds the world as it was', async () => {
  writeFileSync(join(folder, 'counter.ts'), `export const counter = { value: 0, url: ${OWN_PLACE} }\n`)
  const body = `${HEAD}import { counter } from './counter.ts'\ntest('fresh', () => {
    if (counter.value++ || 'leftover' in globalThis || process.env.LEFTOVER) throw new Error('not fresh')
    if (!counter.url.endsWith('/counter.ts')) throw new Error(counter.url)
    Object.assign(globalThis, { leftover: 1 })
    process.env.LEFTOVER = '1'
  })\ntest.run()\n`
  const tallies = await run({ first: body, second: body })
  assertTally(tallies.first, 1, 0)
  assertTally(tallies.second, 1, 0)
})

test('react is preact, once', async () => {
  const { mapped } = await run({
    mapped: `${HEAD}import { createElement } from 'react'\nimport { h } from 'preact'\nimport { useState } from 'preact/hooks'\nimport * as react from 'react'\ntest('same', () => { if (createElement !== h || react.useState !== useState) throw new Error('two preacts') })\ntest.run()\n`
  })
  assertTally(mapped, 1, 0)
})

test.run()
