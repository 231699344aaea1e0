import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { compiledPath, compileTsx, mapStack } from './compile-tsx.ts'
import { processorsIn, watchIdleTime } from './idle-time.ts'
import type { Lane } from './lanes.ts'
import { makeRunFolder } from './run-folder.ts'
import { runFiles } from './runner.ts'
import { countTests, type FileResult, listSkipped } from './test-result.ts'

const root = resolve(import.meta.dirname, '../../..')
const folder = join(root, 'build', `fixtures-${process.pid}`)
const HEAD = `import { suite } from 'uvu'\nconst test = suite('fixture')\n`

const test = suite('runner')

test.before(() => void mkdirSync(folder, { recursive: true }))
test.after(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Runs test files with these contents, in one process after another. @returns their results by name, in the order in
 * which they finished
 */
async function run(
  texts: Record<string, string>,
  { limit = 20, processes = 1, most = 0, measureIdle = (): number => 0, lanes = [] as Partial<Lane>[] } = {}
): Promise<Record<string, FileResult>> {
  const files = Object.entries(texts).map(([name, text]) => {
    const file = join(folder, `${name}.test.ts`)
    writeFileSync(file, text)
    return file
  })
  const results: Record<string, FileResult> = {}
  await runFiles(root, files, {
    lanes: [...lanes, {}].map((lane) => ({
      name: 'fixtures',
      files: /^/,
      processes: Math.max(processes, most),
      limit,
      ...lane
    })),
    processes: { least: processes, most: Math.max(processes, most) },
    measureIdle,
    onResult: (result) => {
      results[result.file.slice(folder.length + 1, -'.test.ts'.length)] = result
    }
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
    { limit: 5 }
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

test('a place in a compiled file is replaced by its place in the source', async () => {
  await compileTsx()
  const source = join(root, 'src/frame/app.tsx')
  const at = (text: string, part: string) => text.slice(0, text.indexOf(part)).split('\n').length
  const compiled = readFileSync(compiledPath(source), 'utf8')
  const text = readFileSync(source, 'utf8')
  assert.ok(text.includes('function Login'))
  const line = at(compiled, 'function Login')
  const column = (compiled.split('\n')[line - 1]?.indexOf('Login') ?? 0) + 1
  const expected = at(text, 'function Login')
  assert.match(mapStack(`at Login (file://${source}:${line}:${column})`), new RegExp(`app\\.tsx:${expected}:`))
})

test('each file has its own modules, globals and environment', async () => {
  writeFileSync(join(folder, 'counter.ts'), 'export const counter = { value: 0 }\n')
  const body = `${HEAD}import { counter } from './counter.ts'\ntest('fresh', () => {
    if (counter.value++ || 'leftover' in globalThis || process.env.LEFTOVER) throw new Error('not fresh')
    Object.assign(globalThis, { leftover: 1 })
    process.env.LEFTOVER = '1'
  })\ntest.run()\n`
  const results = await run({ first: body, second: body })
  assertResult(results.first, 1, 0)
  assertResult(results.second, 1, 0)
})

/** A file whose test notes the process that runs it in a list. */
const noteProcess = (list: string, body = '') =>
  `${HEAD}import { appendFileSync } from 'node:fs'\n` +
  `test('one', () => { appendFileSync('${list}', process.pid + ' '); ${body} })\ntest.run()\n`

const pidsIn = (list: string) => readFileSync(list, 'utf8').trim().split(' ')

const SHARED = { lanes: [{ filesPerProcess: 10 }] }

test('files that share a process share the modules of the product, but have test modules of their own', async () => {
  writeFileSync(join(folder, 'shared.ts'), 'export const shared = { value: undefined }\n')
  const head = `${HEAD}import { shared } from './shared.ts'\nimport { until } from '../../test/kit/until.ts'\n`
  const body = "import './shared.ts'\ntest('one', () => {"
  const results = await run(
    {
      first: `${head}${body} shared.value = until })\ntest.run()\n`,
      second: `${head}${body} if (!shared.value || shared.value === until) throw new Error('not reloaded') })\ntest.run()\n`,
      third: `${head}${body} throw new Error('on purpose') })\ntest.run()\n`
    },
    SHARED
  )
  assertResult(results.first, 1, 0)
  assertResult(results.second, 1, 0)
  assertResult(results.third, 0, 1, /third\.test\.ts:\d+:\d+[\s\S]*had run: .*first\.test\.ts,.*second\.test\.ts$/)
})

test('a process runs as many files as its lane allows', async () => {
  const list = join(folder, 'pids')
  const text = noteProcess(list)
  await run({ a: text, b: text, c: text, d: text }, { lanes: [{ files: /[a-c]\.test/, filesPerProcess: 2 }] })
  const [a, b, c, d] = pidsIn(list)
  assert.ok(a === b && b !== c && c !== d, `${[a, b, c, d]}`)
  rmSync(list)
})

test('a process runs no other file when a test has failed or a file has left something', async () => {
  const list = join(folder, 'left')
  const bodies = {
    nothing: '',
    failure: "throw new Error('on purpose')",
    global: 'Object.assign(globalThis, { leftover: 1 })',
    undefined: 'Object.assign(globalThis, { leftover: undefined })',
    replaced: 'globalThis.fetch = async () => new Response()',
    environment: "process.env.LEFTOVER = '1'",
    listener: "process.on('SIGUSR2', () => {})",
    folder: "process.chdir('/')",
    'exit-code': 'process.exitCode = 0',
    timer: 'setTimeout(() => {}, 60_000)',
    program: "spawn('sleep', ['60'], { stdio: 'ignore' })",
    // It is no child of the process any more.
    orphan: "spawnSync('sh', ['-c', 'sleep 60 &'], { stdio: 'ignore' })",
    last: ''
  }
  const texts = Object.entries(bodies).map(([name, body]) => [
    name,
    `import { spawn, spawnSync } from 'node:child_process'\n${noteProcess(list, body)}`
  ])
  const results = await run(Object.fromEntries(texts), SHARED)
  const passed = Object.entries(results).filter(([, result]) => !countTests(result).failed)
  assert.equal(passed.length, Object.keys(bodies).length - 1)
  const [nothing, failure, ...others] = pidsIn(list)
  assert.equal(nothing, failure)
  assert.equal(new Set([failure, ...others]).size, Object.keys(bodies).length - 1, readFileSync(list, 'utf8'))
})

test('files of the console share a process, each with a document and modules of the console of its own', async () => {
  const list = join(folder, 'console')
  const text = noteProcess(
    list,
    `return (async () => {
      const { openDocument } = await import('../../test/kit/runner/document.ts')
      const close = openDocument()
      const { $toasts } = await import('${join(root, 'src/state/toasts.ts')}')
      if ($toasts.get().length || document.body.childNodes.length) throw new Error('not new')
      $toasts.set([{}])
      document.body.append('left')
      setTimeout(() => {}, 60_000)
      setInterval(() => {}, 1000)
      await close()
    })()`
  )
  const { first, second } = await run({ first: text, second: text }, SHARED)
  assertResult(first, 1, 0)
  assertResult(second, 1, 0)
  assert.equal(new Set(pidsIn(list)).size, 1)
})

test('react and preact are one module', async () => {
  const { mapped } = await run({
    mapped: `${HEAD}import { createElement } from 'react'\nimport { h } from 'preact'\nimport { useState } from 'preact/hooks'\nimport * as react from 'react'\ntest('same', () => { if (createElement !== h || react.useState !== useState) throw new Error('two preacts') })\ntest.run()\n`
  })
  assertResult(mapped, 1, 0)
})

test('images are text, and style sheets are empty', async () => {
  writeFileSync(join(folder, 'image.svg'), '<svg/>')
  writeFileSync(join(folder, 'style.css'), 'a { color: red }')
  const { assets } = await run({
    assets: `${HEAD}import './style.css'\nimport image from './image.svg'\ntest('text', () => { if (image !== '<svg/>') throw new Error(image) })\ntest.run()\n`
  })
  assertResult(assets, 1, 0)
})

test('a file that leaves something in the temporary folder fails', async () => {
  const results = await run({
    leaves: `${HEAD}import { mkdtempSync } from 'node:fs'\nimport { tmpdir } from 'node:os'
      test('one', () => void mkdtempSync(tmpdir() + '/left-'))\ntest.run()\n`,
    clean: `${HEAD}import { readdirSync } from 'node:fs'\nimport { tmpdir } from 'node:os'
      test('one', () => { if (readdirSync(tmpdir()).length) throw new Error('not empty') })\ntest.run()\n`
  })
  assertResult(results.leaves, 1, 1, /Left in the temporary folder: left-/)
  assertResult(results.clean, 1, 0)
})

test('the folder of a run that was killed is removed by the next', () => {
  const { pid } = spawnSync('true')
  const killed = join(tmpdir(), `headend-test-${pid}-x`)
  const alive = join(tmpdir(), `headend-test-${process.pid}-x`)
  for (const path of [killed, alive]) mkdirSync(path)
  rmSync(makeRunFolder(), { recursive: true })
  assert.deepEqual([existsSync(killed), existsSync(alive)], [false, true])
  rmSync(alive, { recursive: true })
})

/**
 * A file that appends the numbers of its test's beginning and end to a list, and waits for the other files that must
 * run beside it.
 */
function writeTimes(list: string, beside = 0): string {
  return `${HEAD}import { appendFileSync, readFileSync } from 'node:fs'
    const list = ${JSON.stringify(list)}
    const name = import.meta.filename.match(/([^/]+)\\.test/)[1]
    test('one', async () => {
      appendFileSync(list, 'begin-' + name + ' ')
      while (readFileSync(list, 'utf8').split('begin').length <= ${beside}) await new Promise((resolve) => setTimeout(resolve, 20))
      appendFileSync(list, 'end-' + name + ' ')
    })\ntest.run()\n`
}

test('lanes run at the same time, each with its number of processes, and measurements run alone at the end', async () => {
  const list = join(folder, 'lanes')
  const results = await run(
    {
      alone: writeTimes(list),
      'net-a': writeTimes(list, 2),
      'net-b': writeTimes(list),
      other: writeTimes(list, 2)
    },
    {
      processes: 3,
      lanes: [
        { files: /alone/, isAlone: true },
        { files: /net-/, processes: 1 }
      ]
    }
  )
  for (const result of Object.values(results)) assertResult(result, 1, 0)
  const events = readFileSync(list, 'utf8').trim().split(' ')
  assert.ok(events.indexOf('end-net-a') < events.indexOf('begin-net-b'), `${events}`)
  assert.deepEqual(events.slice(-2), ['begin-alone', 'end-alone'])
})

test('more files run while processors are idle, up to a limit', async () => {
  const list = join(folder, 'idle')
  // Each of three waits until all of them have begun.
  const waiting = writeTimes(list, 3)
  const busy = await run({ a: waiting, b: waiting, c: waiting, d: writeTimes(list) }, { most: 3, measureIdle: () => 1 })
  for (const result of Object.values(busy)) assertResult(result, 1, 0)
  const events = readFileSync(list, 'utf8').split(' ')
  assert.deepEqual(
    events.slice(0, 4).map((event) => event.split('-')[0]),
    ['begin', 'begin', 'begin', 'end']
  )
  rmSync(list)
  const one = { a: writeTimes(list), b: writeTimes(list) }
  for (const result of Object.values(await run(one, { most: 3 }))) assertResult(result, 1, 0)
  assert.equal(readFileSync(list, 'utf8'), 'begin-a end-a begin-b end-b ')
})

test('a file that ends is replaced at once, until processors are busy', async () => {
  const list = join(folder, 'replaced')
  // Nearly busy as soon as two run: no third may start, but c and d must run at the same time to end.
  const measureIdle = () => (existsSync(list) && readFileSync(list, 'utf8').includes('begin-b') ? 0.05 : 1)
  const texts = { a: writeTimes(list, 2), b: writeTimes(list), c: writeTimes(list, 4), d: writeTimes(list) }
  for (const result of Object.values(await run(texts, { most: 2, measureIdle }))) assertResult(result, 1, 0)
  rmSync(list)
  let looks = 0
  // Busy as soon as two run, which end when this has been seen.
  const measureBusy = () => {
    if (!existsSync(list) || !readFileSync(list, 'utf8').includes('begin-b')) return 1
    if (++looks === 2) appendFileSync(list, 'begin-busy ')
    return 0
  }
  const both = writeTimes(list, 3)
  const after = { a: both, b: both, c: writeTimes(list), d: writeTimes(list) }
  for (const result of Object.values(await run(after, { most: 2, measureIdle: measureBusy })))
    assertResult(result, 1, 0)
  assert.match(readFileSync(list, 'utf8'), /begin-busy .*begin-c end-c begin-d end-d $/)
})

test('the idle time of the processors is measured', () => {
  assert.deepEqual(processorsIn('0-2,5'), [0, 1, 2, 5])
  const measureIdle = watchIdleTime()
  const start = process.cpuUsage().user
  // Half a second of computing, in which this processor is not idle.
  while (process.cpuUsage().user - start < 500_000);
  const share = measureIdle()
  assert.ok(share >= 0 && share < 1, `${share}`)
})

test('files that run at the same time have ranges of ports that do not overlap', async () => {
  const list = join(folder, 'ranges')
  const file = `import { portRange } from '../../test/kit/net/free-port.ts'\n${writeTimes(list, 2)}`.replaceAll(
    /'(begin|end)-' \+ name/g,
    "'$1:' + portRange().join('-')"
  )
  const results = await run({ a: file, b: file }, { processes: 2 })
  for (const result of Object.values(results)) assertResult(result, 1, 0)
  const begins = readFileSync(list, 'utf8').matchAll(/begin:(\d+)-(\d+)/g)
  const [[, , end] = [], [, begin] = []] = [...begins].sort(([, one], [, other]) => Number(one) - Number(other))
  assert.ok(Number(end) <= Number(begin), `${end} ${begin}`)
})

test.run()
