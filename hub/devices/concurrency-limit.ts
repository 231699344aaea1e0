// Limits how many tasks run at a time. The others wait in the order in which they came.

export interface ConcurrencyLimit {
  /** Waits until a task may run. @returns a function which ends it; further calls of it are ignored */
  acquire(): Promise<() => void>
  /** As `acquire`. @returns undefined if the task may not run within that time in milliseconds */
  acquireWithin(timeout: number): Promise<(() => void) | undefined>
}

export function createConcurrencyLimit(count: number): ConcurrencyLimit {
  let free = count
  const waiting = new Set<() => void>()

  function createRelease(): () => void {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      const [next] = waiting
      if (!next) free++
      else {
        waiting.delete(next)
        next()
      }
    }
  }

  return {
    async acquire() {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.add(resolve))
      return createRelease()
    },
    async acquireWithin(timeout) {
      if (free > 0) free--
      else {
        const mayRun = await new Promise<boolean>((resolve) => {
          const start = () => {
            clearTimeout(timer)
            resolve(true)
          }
          const timer = setTimeout(() => {
            waiting.delete(start)
            resolve(false)
          }, timeout)
          waiting.add(start)
        })
        if (!mayRun) return undefined
      }
      return createRelease()
    }
  }
}
