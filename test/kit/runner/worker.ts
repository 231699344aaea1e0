// The process of one test file: runs its suites, and reports the results to the runner.
import './module-hooks.ts'
import { stripVTControlCharacters } from 'node:util'
import { report } from './report.ts'

/** Result of a uvu suite: the text of the failures or `true`, and the numbers of tests passed, skipped and queued. */
type SuiteResult = [errors: string | true, passed: number, skipped: number, queued: number]
type Suite = () => Promise<SuiteResult>

const [, , file = ''] = process.argv
const queue: (Suite | null)[] = []
// Keeps uvu from running the queued suites itself.
Object.assign(globalThis, { UVU_DEFER: 1, UVU_INDEX: 0, UVU_QUEUE: [queue] })

// uvu prints a dot for each test, the suite's name and its count. The runner prints its own line for each file.
const UVU_OUTPUT = /^([•✘] | \S.* | {2}\(\d+ \/ \d+\)\n)$/u
const write = process.stdout.write.bind(process.stdout) as (...args: unknown[]) => boolean
process.stdout.write = ((...args: unknown[]) =>
  typeof args[0] === 'string' && UVU_OUTPUT.test(stripVTControlCharacters(args[0]))
    ? true
    : write(...args)) as typeof process.stdout.write

const reportUncaught = (error: unknown) => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  report({ kind: 'problem', text: `Thrown outside any test:\n${text}` })
}
process.on('uncaughtException', reportUncaught)
process.on('unhandledRejection', reportUncaught)
// The runner disconnects when it has read the last report.
process.on('disconnect', () => process.exit())

try {
  if (file.endsWith('.tsx')) (await import('./document.ts')).openDocument()
  await import(file)
  for (const suite of queue) {
    if (!suite) continue
    const [errors, passed, , queued] = await suite()
    report({ kind: 'suite', queued, passed, errors: errors === true ? '' : errors })
  }
  // Unhandled rejections are reported in the next turns of the event loop.
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
} catch (error) {
  reportUncaught(error)
}
report({ kind: 'done' })
