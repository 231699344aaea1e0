// Asserts how soon something happens, also on a busy machine.
import assert from 'node:assert/strict'
import { ownTime } from './own-time.ts'

/**
 * Asserts that a task takes less than a time, measured in the time of the test's own processes (own-time.ts).
 * @param what describes the task in the error message
 */
export async function within(milliseconds: number, what: string, task: () => Promise<unknown>): Promise<void> {
  const took = await ownTime(task)
  assert.ok(took < milliseconds, `${what}: ${took} ms`)
}

/**
 * Runs a task. @returns the milliseconds for which the machine let the processes of the test wait for a processor
 */
export async function waitDuring(task: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  const took = await ownTime(task)
  return performance.now() - began - took
}
