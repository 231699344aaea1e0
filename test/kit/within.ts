// Asserts how soon something happens.
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
