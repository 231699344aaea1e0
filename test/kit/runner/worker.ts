// A process that runs test files, one after another, and reports their results to the runner.
import { flushCompileCache } from 'node:module'
import { stripVTControlCharacters } from 'node:util'
import { watchLeftovers } from './leftovers.ts'
import { clearTimersOnReset } from './mock-timers.ts'
import { useNewModules } from './module-hooks.ts'
import { type FileToRun, report } from './report.ts'
import { forgetResetHooks } from './reset-document.ts'

/** Result of a uvu suite: the text of the failures or `true`, and the numbers of tests passed, skipped and queued. */
type SuiteResult = [errors: string | true, passed: number, skipped: number, queued: number]
type Suite = () => Promise<SuiteResult>

const queue: (Suite | null)[] = []
// Keeps uvu from running the queued suites itself.
Object.assign(globalThis, { UVU_DEFER: 1, UVU_INDEX: 0, UVU_QUEUE: [queue] })
// Loaded before the first file, which would seem to leave the listener that uvu adds to the process.
await import('uvu')

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
clearTimersOnReset()
process.on('uncaughtException', reportUncaught)
process.on('unhandledRejection', reportUncaught)
// The runner disconnects when it has no other file for this process. The last listener kills the process, so that Node
// does not write its compile cache at the end. The cache was written after the first file. Each later file reloads
// modules under new addresses, which other processes seldom use: their cache would be thousands of files.
process.on('disconnect', () => {
  process.on('exit', () => process.kill(process.pid, 'SIGKILL'))
  process.exit()
})

async function runInDocument(file: string): Promise<void> {
  const { openDocument } = await import('./document.ts')
  const closeDocument = openDocument()
  await runSuites(file).finally(closeDocument)
}

async function runSuites(file: string): Promise<void> {
  await import(file)
  for (const suite of queue) {
    if (!suite) continue
    const [errors, passed, , queued] = await suite()
    report({ kind: 'suite', queued, passed, errors: errors === true ? '' : errors })
  }
  // Unhandled rejections are reported in the next turns of the event loop.
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
}

let isFirst = true

process.on('message', async ({ file, folder }: FileToRun) => {
  process.env.TMPDIR = folder
  useNewModules()
  forgetResetHooks()
  queue.length = 0
  const findLeftovers = watchLeftovers()
  const run = file.endsWith('.tsx') ? runInDocument : runSuites
  await run(file).catch(reportUncaught)
  if (isFirst) flushCompileCache()
  isFirst = false
  report({ kind: 'done', left: await findLeftovers() })
})
