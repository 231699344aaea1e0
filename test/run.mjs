// Runs the tests: `node test/run.mjs [part of a path]...`, or with `--soak` those that take many minutes. The last line is
// `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { styleText } from 'node:util'
import { findTests } from './kit/runner/find-tests.ts'
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
function show(result) {
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

/**
 * Tells whether a test file runs alone: those that measure times, start all processes, run NDI programs before all other processes, or need
 * all processors (the test of two packs builds the console twice).
 * @param {string} file
 */
const runsAlone = (file) =>
  /^test\/(supervisor\/|hub\/videohub\/(panel-updates|third-party-clients)\.|engine\/process\/killed-processes\.|house\/two-packs\.)/.test(
    relative(root, file)
  ) ||
  /^test\/(engine\/ndi\/(network\/|(dns-sd|router-search|source-address|transport)\.)|hub\/ndi\/real-|hub\/preview\/ndi-pictures\.|kit\/ndi\/)/.test(
    relative(root, file)
  ) ||
  /^test\/hub\/(devices\/link\/faults|http\/many-connections|store\/logs|videohub\/panel-limits)\./.test(
    relative(root, file)
  ) ||
  /^test\/browser\/(device|first-load|lost-connection|ndi-router\/matrix|slow-connection|ten-faults|watch(-firefox)?)\./.test(
    relative(root, file)
  )

/**
 * Tells whether a test file gets the longer time limit. Browser tests mostly wait, so two of them run at a time.
 * @param {string} file
 */
const isLong = (file) => runsAlone(file) || /^test\/browser\//.test(relative(root, file))

// Most test files wait more than they compute, so three of them keep two processors busy.
const groups = isSoak
  ? [{ files, processes: 1, timeout: 60 * 60_000 }]
  : [
      { files: files.filter((file) => !isLong(file)), processes: 3, timeout: 120_000 },
      { files: files.filter((file) => isLong(file) && !runsAlone(file)), processes: 2, timeout: 240_000 },
      { files: files.filter(runsAlone), processes: 1, timeout: 240_000 }
    ]
for (const group of groups) if (group.files.length) await runFiles(root, group, show)

const { passed, failed } = sumCounts(results)
for (const filter of unmatched) console.log(`No test file has '${filter}' in its path.`)
if (!files.length) console.log('No test file was found.')
for (const [reason, skipped] of listSkipped(results)) {
  console.log(styleText('yellow', `\nSKIPPED ${skipped.tests} tests. ${reason}`))
  for (const file of skipped.files) console.log(`  ${relative(root, file)}`)
}
const missing = unmatched.length || (files.length ? 0 : 1)
console.log(`\n${passed} passed, ${failed + missing} failed`)
process.exitCode = failed + missing ? 1 : 0
