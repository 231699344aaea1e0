// A test process: runs one bundled test file after another, as the runner orders, and tells what becomes of them.
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { openDocument } from './document.ts'
import { type Order, report, setReporter } from './report.ts'

/** What uvu's runner of a suite answers: its text or `true`, passed, skipped, handed over. */
type Outcome = [errors: string | true, passed: number, skipped: number, handed: number]
type Suite = () => Promise<Outcome>

const uvu = globalThis as { UVU_DEFER?: number; UVU_INDEX?: number; UVU_QUEUE?: (Suite | null)[][] }
// uvu then leaves it to us to run what is queued.
uvu.UVU_DEFER = 1

setReporter((said) => void process.send?.(said))

// uvu draws a dot for each test, the suite's name and its count. The runner has its own line for a file.
const DRAWING = /^([•✘] | \S.* | {2}\(\d+ \/ \d+\)\n)$/u
const write = process.stdout.write.bind(process.stdout) as (...args: unknown[]) => boolean
process.stdout.write = ((...args: unknown[]) =>
  typeof args[0] === 'string' && DRAWING.test(stripVTControlCharacters(args[0]))
    ? true
    : write(...args)) as typeof process.stdout.write

const loose = (error: unknown) => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  report({ kind: 'problem', text: `Thrown outside any test:\n${text}` })
}
process.on('uncaughtException', loose)
process.on('unhandledRejection', loose)

/** Puts back what a file changed for all: global names (a document) and the environment. */
function keepWorld(): () => void {
  const names = new Map(Reflect.ownKeys(globalThis).map((name) => [name, descriptorOf(name)]))
  const env = { ...process.env }
  return () => {
    for (const name of Reflect.ownKeys(globalThis)) if (!names.has(name)) Reflect.deleteProperty(globalThis, name)
    for (const [name, was] of names) {
      const is = descriptorOf(name)
      if (was?.configurable && (is?.value !== was.value || is?.get !== was.get))
        Object.defineProperty(globalThis, name, was)
    }
    process.env = env
  }
}

function descriptorOf(name: PropertyKey): PropertyDescriptor | undefined {
  return Object.getOwnPropertyDescriptor(globalThis, name)
}

/**
 * Remembers the timers of a file. Stores go to sleep a second after their last listener: without this their timers would go off in the
 * next file, which has another document, or none.
 * @returns ends those that are left
 */
function keepTimers(): () => void {
  const left = new Set<NodeJS.Timeout>()
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const begin = globalThis[name] as (...args: unknown[]) => NodeJS.Timeout
    const remembered = (...args: unknown[]) => {
      const timer = begin(...args)
      left.add(timer)
      return timer
    }
    // `promisify` looks for what stands on the function itself.
    Object.defineProperties(remembered, Object.getOwnPropertyDescriptors(begin))
    Object.assign(globalThis, { [name]: remembered })
  }
  return () => {
    for (const timer of left) clearTimeout(timer)
  }
}

async function run({ bundle, withDocument }: Order): Promise<void> {
  const queue: (Suite | null)[] = []
  uvu.UVU_QUEUE = [queue]
  uvu.UVU_INDEX = 0
  const restore = keepWorld()
  const endTimers = keepTimers()
  const closeDocument = withDocument ? openDocument() : undefined
  try {
    await import(pathToFileURL(bundle).href)
    for (const suite of queue) {
      if (!suite) continue
      const [errors, passed, , handed] = await suite()
      report({ kind: 'suite', handed, passed, errors: errors === true ? '' : errors })
    }
    // What was thrown without being awaited comes out in the next turns.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
  } catch (error) {
    loose(error)
  }
  endTimers()
  await closeDocument?.()
  restore()
  report({ kind: 'done' })
}

process.on('message', (order: Order) => void run(order))
process.on('disconnect', () => process.exit())
