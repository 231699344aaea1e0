// Replaces uvu in bundled test files: the same suites, which also report to the runner each test that is registered,
// started and ended.
import { AssertionError } from 'node:assert'
import { type Callback, type Test, suite as uvuSuite } from 'uvu'
import { report } from './report.ts'
import { resetDocument } from './reset-document.ts'

function rejectFocus(): never {
  throw new Error('.only and .skip are not allowed: run the test or delete it')
}

/** Reports the error of a hook: uvu drops it together with all tests of the suite. */
function reportFailure<T>(hook: Callback<T>, position: string): Callback<T> {
  return async (context) => {
    try {
      await hook(context)
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      report({ kind: 'problem', text: `A hook ${position} threw:\n${text}` })
      throw error
    }
  }
}

/**
 * Keeps only the stack frames of an assertion error: uvu prints the difference itself, and Node's message repeats it.
 */
function shortenStack(error: unknown): unknown {
  if (!(error instanceof AssertionError)) return error
  const frames = error.stack?.split('\n').filter((line) => /^ {4}at /.test(line)) ?? []
  if (error.generatedMessage) error.message = error.message.split('\n')[0] ?? ''
  error.stack = [`AssertionError: ${error.message.split('\n')[0]}`, ...frames].join('\n')
  return error
}

export function suite<T = Record<string, unknown>>(name = '', context?: T): Test<T> {
  const real = uvuSuite<T>(name, context)
  real.before.each(resetDocument)
  const declare = (title: string, body: Callback<T>) => {
    report({ kind: 'registered' })
    real(title, async (context) => {
      report({ kind: 'started', title: name ? `${name}: ${title}` : title })
      try {
        await body(context)
      } catch (error) {
        throw shortenStack(error)
      }
      report({ kind: 'ended' })
    })
  }
  const before = (hook: Callback<T>) => real.before(reportFailure(hook, 'before the tests'))
  before.each = (hook: Callback<T>) => real.before.each(hook)
  const after = (hook: Callback<T>) => real.after(hook)
  after.each = (hook: Callback<T>) => real.after.each(reportFailure(hook, 'after a test'))
  return Object.assign(declare, { only: rejectFocus, skip: rejectFocus, before, after, run: () => real.run() })
}

/**
 * A suite that needs something that not every machine has, such as a program, a right or the NDI runtime. If it is
 * missing, no test of the suite runs or passes: the runner counts them as skipped, and lists the files with the reason
 * before its last line.
 * @param missing a sentence that names the missing part and how to get it; undefined if every part is present
 */
export function suiteRequiring(name: string, missing: string | undefined): Test {
  if (missing === undefined) return suite(name)
  const declare = () => {
    report({ kind: 'registered' })
    report({ kind: 'skipped', reason: missing })
  }
  const ignoreHook = () => {}
  const hook = Object.assign(ignoreHook, { each: ignoreHook })
  return Object.assign(declare, { only: rejectFocus, skip: rejectFocus, before: hook, after: hook, run: () => {} })
}
