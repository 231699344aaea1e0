// Limits how many tasks run at a time. The others wait in the order in which they came.

interface ConcurrencyLimit {
  /** Waits until a task may run. @returns a function which ends it; further calls of it are ignored */
  acquire(): Promise<() => void>
}

export function createConcurrencyLimit(count: number): ConcurrencyLimit {
  let free = count
  const waiting: (() => void)[] = []

  function createRelease(): () => void {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }

  return {
    async acquire() {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.push(resolve))
      return createRelease()
    }
  }
}
