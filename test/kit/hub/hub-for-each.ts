// A new hub and a signed-in administrator for each test.
import type { Test } from 'uvu'
import { type Client, startHub, type TestHub, type TestHubOptions } from './hub.ts'

/** The hub of the current test. */
export let hub: TestHub
export let admin: Client

async function begin(options?: Partial<TestHubOptions>): Promise<void> {
  hub = await startHub(options)
  admin = hub.clientAs()
}

/** Starts a new hub before each test of a suite and closes it afterwards. */
export function hubForEach(test: Pick<Test, 'before' | 'after'>, options?: Partial<TestHubOptions>): void {
  test.before.each(() => begin(options))
  test.after.each(() => hub.close())
}

/** Closes the hub of the current test and starts another one. */
export async function replaceHub(options: Partial<TestHubOptions>): Promise<void> {
  await hub.close()
  await begin(options)
}
