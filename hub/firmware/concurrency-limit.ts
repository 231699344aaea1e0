// So many at a time: the others wait for their turn, in the order in which they came.

export interface Slots {
  /** Resolves when it is its turn, with what ends it. */
  take(): Promise<() => void>
}

export function createSlots(count: number): Slots {
  let free = count
  const waiting: (() => void)[] = []
  function give(): () => void {
    let given = true
    return () => {
      if (!given) return
      given = false
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
  return {
    async take() {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.push(resolve))
      return give()
    }
  }
}
