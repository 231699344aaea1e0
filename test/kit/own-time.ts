// Durations without the pauses in which the machine runs other programs.
import { descendantsOf, readIfPresent } from './system-processes.ts'

/** Milliseconds between two counts of this process. */
const TICK = 5

/** Milliseconds between two looks at the processes that a test has started. */
const CHILD_TICK = 50

/** Milliseconds for which a process was ready to run, but got no processor. 0 when Linux does not tell. */
const waitOf = (pid: number): number => Number(readIfPresent(`/proc/${pid}/schedstat`).split(' ')[1] ?? 0) / 1e6

/**
 * Watches this process, those that it has started, and those that they have started.
 * @returns a function that returns the longest time for which one of them has waited for a processor since the last
 *   call, in milliseconds
 */
function watchWaits(): () => number {
  const read = () => new Map([process.pid, ...descendantsOf(process.pid)].map((pid) => [pid, waitOf(pid)]))
  let last = read()
  return () => {
    const waits = read()
    const longest = Math.max(0, ...[...waits].map(([pid, wait]) => wait - (last.get(pid) ?? 0)))
    last = waits
    return longest
  }
}

/**
 * Milliseconds that a task takes in this process and those that it has started: computing and waiting for each other,
 * but not the time for which a loaded machine lets them wait.
 */
export async function ownTime(task: () => Promise<unknown>): Promise<number> {
  const longestWait = watchWaits()
  let total = 0
  /** Of this process alone, since the children were looked at. */
  let part = 0
  let partBegan = performance.now()
  let last = partBegan
  let usage = process.cpuUsage()
  const count = () => {
    const now = performance.now()
    const { user, system } = process.cpuUsage(usage)
    // A process that waits for an event counts each tick. Between two counts, everything else is its computing.
    part += Math.min(now - last, 2 * TICK + (user + system) / 1000)
    last = now
    usage = process.cpuUsage()
  }
  const addPart = () => {
    total += Math.max(0, Math.min(part, last - partBegan - longestWait()))
    part = 0
    partBegan = last
  }
  const timer = setInterval(() => {
    count()
    if (last - partBegan >= CHILD_TICK) addPart()
  }, TICK)
  try {
    await task()
    count()
    addPart()
  } finally {
    clearInterval(timer)
  }
  return total
}
