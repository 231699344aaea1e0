// Durations without the pauses in which the machine runs other programs.

/** Milliseconds between two counts. */
const TICK = 5

/**
 * Milliseconds that a task takes in this process: computing and waiting, but not the time for which a loaded machine
 * lets the process wait.
 */
export async function ownTime(task: () => Promise<unknown>): Promise<number> {
  let total = 0
  let last = performance.now()
  let usage = process.cpuUsage()
  const count = () => {
    const now = performance.now()
    const { user, system } = process.cpuUsage(usage)
    // A process that waits for an event counts each tick. Between two counts, everything else is its computing.
    total += Math.min(now - last, 2 * TICK + (user + system) / 1000)
    last = now
    usage = process.cpuUsage()
  }
  const timer = setInterval(count, TICK)
  try {
    await task()
    count()
  } finally {
    clearInterval(timer)
  }
  return total
}
