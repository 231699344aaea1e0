// One piece of work at a time, by turns: whoever asks for a hundred at once waits for them, and whoever asks for one is next but for the
// others who ask.

export interface Turns {
  /**
   * Does `work` when its turn comes: each key has one in a round.
   * @param sure it may wait however many other keys do
   * @returns undefined, and does nothing, where too many wait already
   */
  take<T>(key: string, work: () => Promise<T>, sure?: boolean): Promise<T> | undefined
}

/**
 * @param each how many may wait under one key
 * @param keys how many keys may wait
 */
export function createTurns(each: number, keys: number): Turns {
  /** In the order of their turns. */
  const waiting = new Map<string, (() => Promise<unknown>)[]>()
  let busy = false

  async function run(): Promise<void> {
    busy = true
    for (let first = waiting.entries().next().value; first; first = waiting.entries().next().value) {
      const [key, queue] = first
      await queue.shift()?.()
      waiting.delete(key)
      if (queue.length > 0) waiting.set(key, queue)
    }
    busy = false
  }

  return {
    take(key, work, sure = false) {
      const queue = waiting.get(key)
      if (queue ? queue.length >= each : waiting.size >= keys && !sure) return undefined
      return new Promise((resolve, reject) => {
        const mine = () => work().then(resolve, reject)
        if (queue) queue.push(mine)
        else waiting.set(key, [mine])
        if (!busy) void run()
      })
    }
  }
}
