// What nearly every test of the console begins with: a hub of its own, where another administrator is at work too.
import type { Test } from 'uvu'
import type { HubOptions } from '../../hub/hub.ts'
import { closeConsole } from './console.ts'
import { type Client, startHub, type TestHub } from './hub.ts'

/** The hub of the test that runs. */
export let hub: TestHub
/** Another administrator, elsewhere. */
export let other: Client

async function startAnew(options?: Partial<HubOptions>): Promise<void> {
  hub = await startHub(options)
  other = hub.enter()
}

/** Puts another hub in the place of the test's, which is closed. No console may be open there. */
export async function replaceHub(options: Partial<HubOptions>): Promise<void> {
  await hub.close()
  await startAnew(options)
}

/** Has each test of a suite begin with a new hub; afterwards the console, if it was opened, and the hub are closed. */
export function hubForEach(test: Pick<Test, 'before' | 'after'>, options?: Partial<HubOptions>): void {
  test.before.each(() => startAnew(options))
  test.after.each(async () => {
    await closeConsole()
    await hub.close()
  })
}
