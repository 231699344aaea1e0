// Makes the mocked timers of Node safe for tests that end while something still has a timer.
import { mock } from 'node:test'

const APIS = ['setTimeout', 'setInterval', 'setImmediate'] as const

/**
 * Clears the timers that are left when the mocked timers are reset. Node (24.21) only takes them out of its queue: who
 * clears one of them later, in a test that mocks timers again, takes another timer out instead. If there is none, the
 * queue loses the next one of any later file of the process.
 */
export function clearTimersOnReset(): void {
  const { timers } = mock
  const [enable, reset] = [timers.enable.bind(timers), timers.reset.bind(timers)]
  const created: { close(): void }[] = []
  timers.enable = (options) => {
    const real = APIS.map((api) => globalThis[api])
    enable(options)
    for (const [index, api] of APIS.entries()) {
      const mocked = globalThis[api] as (...args: unknown[]) => { close(): void }
      if (mocked === real[index]) continue
      Object.assign(globalThis, {
        [api]: (...args: unknown[]) => {
          const timer = mocked(...args)
          created.push(timer)
          return timer
        }
      })
    }
  }
  timers.reset = () => {
    for (const timer of created.splice(0)) timer.close()
    reset()
  }
}
