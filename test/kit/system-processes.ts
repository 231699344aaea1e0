// What the system says of its processes, ours and others.
import { readdirSync, readFileSync } from 'node:fs'

/** The text of a file that may be gone, or another user's: then nothing. */
export function peek(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** A process's words, each followed by `\0`; of one that has ended nothing, whether it was collected or not. */
export const commandOf = (pid: number | string): string => peek(`/proc/${pid}/cmdline`)

/** Processes that the first thread of a process started, as Node does, and that were not collected yet. */
export const childrenOf = (pid: number): number[] =>
  peek(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)

/** The same, however deep. */
export const descendantsOf = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])

/** Whether a process runs; one that has ended but was not collected yet does not. */
export const isRunning = (pid: number): boolean => /^State:\s+[^ZX]/m.test(peek(`/proc/${pid}/status`))

/** What a process holds. */
export interface Held {
  descriptors: number
  threads: number
  kilobytes: number
}

/** @throws Error when there is no such process, or it is another user's */
export function heldBy(pid: number | 'self'): Held {
  const status = peek(`/proc/${pid}/status`)
  return {
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: Number(/^Threads:\t(\d+)$/m.exec(status)?.[1]),
    kilobytes: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1])
  }
}
