// Stands in for uvu in the test files that the runner bundles: the same suites, but what is declared, begun and ended is told.
import { AssertionError } from 'node:assert'
import { type Callback, type Test, suite as uvuSuite } from 'uvu'
import { report } from './report.ts'
import { reset } from './reset.ts'

function refuse(): never {
  throw new Error('.only and .skip have no place here: a test runs, or it is deleted')
}

/** A hook that throws is swallowed by uvu together with all tests of the suite. */
function told<T>(hook: Callback<T>, place: string): Callback<T> {
  return async (context) => {
    try {
      await hook(context)
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      report({ kind: 'problem', text: `A hook ${place} threw:\n${text}` })
      throw error
    }
  }
}

/** Leaves the frames of the stack: uvu draws the difference itself, and Node's message holds it once more. */
function tidy(error: unknown): unknown {
  if (!(error instanceof AssertionError)) return error
  const frames = error.stack?.split('\n').filter((line) => /^ {4}at /.test(line)) ?? []
  if (error.generatedMessage) error.message = error.message.split('\n')[0] ?? ''
  error.stack = [`AssertionError: ${error.message.split('\n')[0]}`, ...frames].join('\n')
  return error
}

export function suite<T = Record<string, unknown>>(name = '', context?: T): Test<T> {
  const real = uvuSuite<T>(name, context)
  real.before.each(reset)
  const declare = (title: string, body: Callback<T>) => {
    report({ kind: 'registered' })
    real(title, async (given) => {
      report({ kind: 'started', title: name ? `${name}: ${title}` : title })
      try {
        await body(given)
      } catch (error) {
        throw tidy(error)
      }
      report({ kind: 'ended' })
    })
  }
  const before = (hook: Callback<T>) => real.before(told(hook, 'before the tests'))
  before.each = (hook: Callback<T>) => real.before.each(hook)
  const after = (hook: Callback<T>) => real.after(hook)
  after.each = (hook: Callback<T>) => real.after.each(told(hook, 'after a test'))
  return Object.assign(declare, { only: refuse, skip: refuse, before, after, run: () => real.run() })
}

export const test = suite()
