// Runs the tests: `node test/run.mjs [part of a path]...`, or with `--soak` those that take many minutes. The last line
// is `N passed, N failed`. With `--needs-build` it runs none, and succeeds if one of the tests needs the built console.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { styleText } from 'node:util'
import { findTests } from './kit/runner/find-tests.ts'
import { watchIdleTime } from './kit/runner/idle-time.ts'
import { LANES, NEEDS_BUILD, PROCESSES } from './kit/runner/lanes.ts'
import { describeTimes, readTimes, writeTimes } from './kit/runner/run-times.ts'
import { runFiles } from './kit/runner/runner.ts'
import { countTests, listSkipped, sumCounts } from './kit/runner/test-result.ts'

const root = resolve(import.meta.dirname, '..')
const isSoak = process.argv.includes('--soak')
const filters = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const { files, unmatched } = findTests(root, filters, isSoak)
if (process.argv.includes('--needs-build'))
  process.exit(files.some((file) => NEEDS_BUILD.test(relative(root, file))) ? 0 : 1)
/** @type {import('./kit/runner/test-result.ts').FileResult[]} */
const results = []
// The native programs: without them the engine carries no streams with a login or key.
if (!existsSync(resolve(root, 'build/headend-hide-args.so')))
  spawnSync(resolve(root, 'make/native.sh'), { stdio: 'inherit' })
if (!existsSync(resolve(root, 'build/sanitized/headend-relay')))
  spawnSync(resolve(root, 'make/native.sh'), ['--sanitized'], { stdio: 'inherit' })

/** @param {import('./kit/runner/test-result.ts').FileResult} result */
function logErrors({ errors, problems }) {
  for (const text of [...errors, ...problems]) console.log(`\n${text.replace(/^\n+/, '').trimEnd()}\n`)
}

/** @param {import('./kit/runner/test-result.ts').FileResult} result */
function onResult(result) {
  results.push(result)
  const { passed, failed } = countTests(result)
  const mark = failed ? styleText('red', '✘') : result.skipped.size ? styleText('yellow', '!') : styleText('green', '✓')
  const note = result.skipped.size ? '  SKIPPED' : ''
  console.log(
    `${mark} ${relative(root, result.file)}  ${passed}/${passed + failed}  ${(result.ms / 1000).toFixed(1)} s${note}`
  )
  if (!failed) return
  logErrors(result)
  if (result.output.trim()) console.log(`${styleText('dim', 'Output:')}\n${result.output.trimEnd()}\n`)
}

const times = readTimes(root)
const lastTime = (/** @type {string} */ file) => times[relative(root, file)] ?? 0
const longestFirst = files.toSorted((one, other) => lastTime(other) - lastTime(one))
await runFiles(root, longestFirst, { lanes: LANES, processes: PROCESSES, measureIdle: watchIdleTime(), onResult })
writeTimes(root, results)

const { passed, failed } = sumCounts(results)
for (const filter of unmatched) console.log(`No test file has '${filter}' in its path.`)
if (!files.length) console.log('No test file was found.')
for (const [reason, skipped] of listSkipped(results)) {
  console.log(styleText('yellow', `\nSKIPPED ${skipped.tests} tests. ${reason}`))
  for (const file of skipped.files) console.log(`  ${relative(root, file)}`)
}
if (results.length > 1) for (const line of describeTimes(root, results)) console.log(line)
const failures = results.filter((result) => countTests(result).failed)
// Once more where they are found: a long output is cut in the middle, and read from its end.
if (results.length > 1)
  for (const result of failures) {
    console.log(styleText('red', `\n✘ ${relative(root, result.file)}`))
    logErrors(result)
  }
const missing = unmatched.length || (files.length ? 0 : 1)
console.log(`\n${passed} passed, ${failed + missing} failed`)
process.exitCode = failed + missing ? 1 : 0
