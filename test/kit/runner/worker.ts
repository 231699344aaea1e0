// A worker process: runs bundled test files one after another, as the runner requests, and reports the results.
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { openDocument } from './document.ts'
import { type RunRequest, report, setReporter } from './report.ts'

/** Result of a uvu suite: the text of the failures or `true`, and the numbers of tests passed, skipped and queued. */
type SuiteResult = [errors: string | true, passed: number, skipped: number, queued: number]
type Suite = () => Promise<SuiteResult>

const uvu = globalThis as { UVU_DEFER?: number; UVU_INDEX?: number; UVU_QUEUE?: (Suite | null)[][] }
// Keeps uvu from running the queued suites itself.
uvu.UVU_DEFER = 1

setReporter((message) => void process.send?.(message))

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

/** Saves globals and environment variables. @returns a function that restores them */
function saveGlobals(): () => void {
  const names = new Map(Reflect.ownKeys(globalThis).map((name) => [name, descriptorOf(name)]))
  const env = { ...process.env }
  return () => {
    for (const name of Reflect.ownKeys(globalThis)) if (!names.has(name)) Reflect.deleteProperty(globalThis, name)
    for (const [name, saved] of names) {
      const current = descriptorOf(name)
      if (saved?.configurable && (current?.value !== saved.value || current?.get !== saved.get))
        Object.defineProperty(globalThis, name, saved)
    }
    process.env = env
  }
}

function descriptorOf(name: PropertyKey): PropertyDescriptor | undefined {
  return Object.getOwnPropertyDescriptor(globalThis, name)
}

/**
 * Tracks the timers of a file. Stores unmount one second after their last listener has left: without this their timers would fire during
 * the next file, which has another document or none.
 * @returns a function that clears the remaining timers
 */
function trackTimers(): () => void {
  const timers = new Set<NodeJS.Timeout>()
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const original = globalThis[name] as (...args: unknown[]) => NodeJS.Timeout
    const tracked = (...args: unknown[]) => {
      const timer = original(...args)
      timers.add(timer)
      return timer
    }
    // `promisify` reads a property of the function.
    Object.defineProperties(tracked, Object.getOwnPropertyDescriptors(original))
    Object.assign(globalThis, { [name]: tracked })
  }
  return () => {
    for (const timer of timers) clearTimeout(timer)
  }
}

async function run({ bundle, withDocument }: RunRequest): Promise<void> {
  const queue: (Suite | null)[] = []
  uvu.UVU_QUEUE = [queue]
  uvu.UVU_INDEX = 0
  const restore = saveGlobals()
  const endTimers = trackTimers()
  const closeDocument = withDocument ? openDocument() : undefined
  try {
    await import(pathToFileURL(bundle).href)
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
  endTimers()
  await closeDocument?.()
  restore()
  report({ kind: 'done', memory: process.memoryUsage.rss() })
}

process.on('message', (request: RunRequest) => void run(request))
process.on('disconnect', () => process.exit())
