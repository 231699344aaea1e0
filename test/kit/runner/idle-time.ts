// How much of the processors' time nothing uses. The runner starts additional files only while there is some.
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** Numbers of the processors in a list of Linux, such as `0-1,4`. */
export function processorsIn(list: string): number[] {
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}

/** Milliseconds of some processors since the machine started. */
interface Times {
  idle: number
  total: number
}

/**
 * Watches the processors on which this process may run.
 * @returns a function that returns the share of their time, 0 to 1, that no program of the machine has used since the
 *   function was last called
 */
export function watchIdleTime(): () => number {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
  const processors = processorsIn(list)
  const read = (): Times => {
    const all = cpus()
    const times = processors.flatMap((number) => all[number]?.times ?? [])
    return {
      idle: times.reduce((sum, { idle }) => sum + idle, 0),
      total: times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0)
    }
  }
  let last = read()
  return () => {
    const { idle, total } = last
    last = read()
    return last.total > total ? (last.idle - idle) / (last.total - total) : 0
  }
}
