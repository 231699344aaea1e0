import assert from 'node:assert/strict'
import { PackError } from '../../pack/pack-error.ts'

/** Asserts that a function throws a PackError with this message. */
export function assertRefused(run: () => unknown, message: RegExp): void {
  assert.throws(run, (error) => error instanceof PackError && message.test(error.message))
}
