// Fair queue: runs one task at a time, round-robin over keys, so that a key with many tasks does not delay those of
// other keys.

interface FairQueue {
  /**
   * Adds a task.
   * @param force accepts a new key even if too many keys wait
   * @returns the task's result; undefined, without running the task, if the queue is full
   */
  enqueue<T>(key: string, task: () => Promise<T>, force?: boolean): Promise<T> | undefined
}

/**
 * @param tasksPerKey tasks that may wait under one key
 * @param keysMax keys that may wait
 */
export function createFairQueue(tasksPerKey: number, keysMax: number): FairQueue {
  /** Waiting tasks by key, in the order in which the keys are served. */
  const waiting = new Map<string, (() => Promise<unknown>)[]>()
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    for (let first = waiting.entries().next().value; first; first = waiting.entries().next().value) {
      const [key, tasks] = first
      await tasks.shift()?.()
      // Moves the key to the end.
      waiting.delete(key)
      if (tasks.length > 0) waiting.set(key, tasks)
    }
    isRunning = false
  }

  return {
    enqueue(key, task, force = false) {
      const tasks = waiting.get(key)
      if (tasks ? tasks.length >= tasksPerKey : waiting.size >= keysMax && !force) return undefined
      return new Promise((resolve, reject) => {
        const settle = () => task().then(resolve, reject)
        if (tasks) tasks.push(settle)
        else waiting.set(key, [settle])
        if (!isRunning) void run()
      })
    }
  }
}
