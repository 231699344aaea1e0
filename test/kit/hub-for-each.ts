// What nearly every test of the console begins with: a hub of its own, where another administrator is at work too.
import type { Test } from 'uvu'
import type { HubOptions } from '../../hub/services/options.ts'
import { closeConsole } from './console.ts'
import { hubForEach as hubAlone } from './hub-of-test.ts'

/** `other` is another administrator, elsewhere. No console may be open at a hub that is replaced. */
export { admin as other, hub, replaceHub } from './hub-of-test.ts'

/** Has each test of a suite begin with a new hub; afterwards the console, if it was opened, and the hub are closed. */
export function hubForEach(test: Pick<Test, 'before' | 'after'>, options?: Partial<HubOptions>): void {
  test.after.each(closeConsole)
  hubAlone(test, options)
}
