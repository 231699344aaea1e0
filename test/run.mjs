// Runs the tests: `node test/run.mjs [part of a path]...`. The last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { styleText } from 'node:util'
import { findTests } from './kit/find.ts'
import { runFiles } from './kit/runner.ts'
import { counted, sum } from './kit/tally.ts'

const root = resolve(import.meta.dirname, '..')
const { files, unmatched } = findTests(root, process.argv.slice(2))
/** @type {import('./kit/tally.ts').Tally[]} */
const tallies = []
// What the hub runs beside itself: streams with a login or key are not carried without it.
if (!existsSync(resolve(root, 'build/headend-hide-args.so')))
  spawnSync(resolve(root, 'make/native.sh'), { stdio: 'inherit' })

/** @param {import('./kit/tally.ts').Tally} tally */
function show(tally) {
  tallies.push(tally)
  const { passed, failed } = counted(tally)
  const mark = failed ? styleText('red', '✘') : styleText('green', '✓')
  console.log(`${mark} ${relative(root, tally.file)}  ${passed}/${passed + failed}  ${(tally.ms / 1000).toFixed(1)} s`)
  if (!failed) return
  for (const text of [...tally.errors, ...tally.problems]) console.log(`\n${text.replace(/^\n+|\s+$/g, '')}\n`)
  if (tally.output.trim()) console.log(`${styleText('dim', 'What it wrote:')}\n${tally.output.trimEnd()}\n`)
}

/**
 * Journeys in a browser wait for real time to pass, and two at once would only wait for each other. Two packs build the console twice,
 * on every processor there is.
 * @param {string} file
 */
const isLong = (file) => /^test\/(browser\/|house\/two-packs\.)/.test(relative(root, file))

const groups = [
  { files: files.filter((file) => !isLong(file)), processes: 2, timeout: 60_000 },
  { files: files.filter(isLong), processes: 1, timeout: 240_000 }
]
for (const group of groups) if (group.files.length) await runFiles(root, group, show)

const { passed, failed } = sum(tallies)
for (const filter of unmatched) console.log(`No test file has '${filter}' in its path.`)
if (!files.length) console.log('No test file was found.')
const missing = unmatched.length || (files.length ? 0 : 1)
console.log(`\n${passed} passed, ${failed + missing} failed`)
process.exitCode = failed + missing ? 1 : 0
