// A new hub and a signed-in administrator for each test.
import type { Test } from 'uvu'
import type { HubOptions } from '../../../hub/services/options.ts'
import { type Client, startHub, type TestHub } from './hub.ts'

/** The hub of the current test. */
export let hub: TestHub
export let admin: Client

async function begin(options?: Partial<HubOptions>): Promise<void> {
  hub = await startHub(options)
  admin = hub.clientAs()
}

/** Starts a new hub before each test of a suite and closes it afterwards. */
export function hubForEach(test: Pick<Test, 'before' | 'after'>, options?: Partial<HubOptions>): void {
  test.before.each(() => begin(options))
  test.after.each(() => hub.close())
}

/** Closes the hub of the current test and starts another one. */
export async function replaceHub(options: Partial<HubOptions>): Promise<void> {
  await hub.close()
  await begin(options)
}
