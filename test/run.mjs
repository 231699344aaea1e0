// Runs the tests: `node test/run.mjs [part of a path]...`, or with `--soak` those that take many minutes. The last line is
// `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { styleText } from 'node:util'
import { describeTimes } from './kit/runner/describe-times.ts'
import { findTests } from './kit/runner/find-tests.ts'
import { LANES, PROCESSES } from './kit/runner/lanes.ts'
import { runFiles } from './kit/runner/runner.ts'
import { countTests, listSkipped, sumCounts } from './kit/runner/test-result.ts'

const root = resolve(import.meta.dirname, '..')
const isSoak = process.argv.includes('--soak')
const filters = process.argv.slice(2).filter((argument) => argument !== '--soak')
const { files, unmatched } = findTests(root, filters, isSoak)
/** @type {import('./kit/runner/test-result.ts').FileResult[]} */
const results = []
// The native programs: without them the engine carries no streams with a login or key.
if (!existsSync(resolve(root, 'build/headend-hide-args.so')))
  spawnSync(resolve(root, 'make/native.sh'), { stdio: 'inherit' })

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
  for (const text of [...result.errors, ...result.problems]) console.log(`\n${text.replace(/^\n+|\s+$/g, '')}\n`)
  if (result.output.trim()) console.log(`${styleText('dim', 'Output:')}\n${result.output.trimEnd()}\n`)
}

await runFiles(root, files, { lanes: LANES, processes: PROCESSES, onResult })

const { passed, failed } = sumCounts(results)
for (const filter of unmatched) console.log(`No test file has '${filter}' in its path.`)
if (!files.length) console.log('No test file was found.')
for (const [reason, skipped] of listSkipped(results)) {
  console.log(styleText('yellow', `\nSKIPPED ${skipped.tests} tests. ${reason}`))
  for (const file of skipped.files) console.log(`  ${relative(root, file)}`)
}
if (results.length > 1) for (const line of describeTimes(results, root)) console.log(line)
const missing = unmatched.length || (files.length ? 0 : 1)
console.log(`\n${passed} passed, ${failed + missing} failed`)
process.exitCode = failed + missing ? 1 : 0
