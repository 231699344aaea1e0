// A new hub for each test of the console, with a second administrator.
import type { Test } from 'uvu'
import type { HubOptions } from '../../../hub/options.ts'
import { hubForEach as startHubForEach } from '../hub/hub-for-each.ts'
import { closeConsole } from './console.ts'

/** `other` is a second administrator. Close the console before you replace the hub. */
export { admin as other, hub, replaceHub } from '../hub/hub-for-each.ts'

/** Starts a new hub before each test of a suite. Afterwards closes the console, if it is open, and the hub. */
export function hubForEach(test: Pick<Test, 'before' | 'after'>, options?: Partial<HubOptions>): void {
  test.after.each(closeConsole)
  startHubForEach(test, options)
}
