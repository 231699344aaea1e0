// Queue for bursts of work: runs a slice of it at a time, so that other events are handled in between.

/** Milliseconds of work per slice. */
const SLICE = 8

/**
 * Creates a function that queues a task. Tasks run in order, from the next event loop iteration on, and must not throw.
 */
export function createTimeSlicedQueue(slice = SLICE): (task: () => void) => void {
  let tasks: (() => void)[] = []
  let next = 0

  function runSlice(): void {
    const end = performance.now() + slice
    while (next < tasks.length && performance.now() < end) tasks[next++]?.()
    if (next < tasks.length) return void setImmediate(runSlice)
    tasks = []
    next = 0
  }

  return (task) => {
    tasks.push(task)
    if (tasks.length === 1) setImmediate(runSlice)
  }
}
