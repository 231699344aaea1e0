// What most tests of the hub begin with: a hub of their own, and an administrator there.
import type { Test } from 'uvu'
import type { HubOptions } from '../../hub/services/options.ts'
import { type Client, startHub, type TestHub } from './hub.ts'

/** The hub of the test that runs. */
export let hub: TestHub
export let admin: Client

async function begin(options?: Partial<HubOptions>): Promise<void> {
  hub = await startHub(options)
  admin = hub.enter()
}

/** Has each test of a suite begin with a new hub, which is closed afterwards. */
export function hubForEach(test: Pick<Test, 'before' | 'after'>, options?: Partial<HubOptions>): void {
  test.before.each(() => begin(options))
  test.after.each(() => hub.close())
}

/** Puts another hub in the place of the test's, which is closed. */
export async function replaceHub(options: Partial<HubOptions>): Promise<void> {
  await hub.close()
  await begin(options)
}
