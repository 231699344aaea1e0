// How long programs wait for a processor, from the statistics of the scheduler. A program that waits most of the time
// loses packets, whatever the load of the machine is.
import { readFileSync } from 'node:fs'

/** Measurements that count: 10 s at the pace of the watchdog. */
const MEASUREMENTS = 20

/** Milliseconds for which a process has waited for a processor since its start; undefined if that is unknown. */
function readWait(pid: number): number | undefined {
  try {
    const [, nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return undefined
  }
}

export class ProcessorWait {
  readonly #read: typeof readWait
  /** By process ID. */
  #last = new Map<number, { at: number; wait: number }>()
  /** The share of the program that waited longest, for each measurement. */
  readonly #shares: number[] = []

  constructor(read = readWait) {
    this.#read = read
  }

  /** Call twice a second. @param now milliseconds */
  measure(pids: Iterable<number>, now: number): void {
    const next = new Map<number, { at: number; wait: number }>()
    let highest = 0
    for (const pid of pids) {
      const wait = this.#read(pid)
      if (wait === undefined) continue
      next.set(pid, { at: now, wait })
      const last = this.#last.get(pid)
      if (last && now > last.at) highest = Math.max(highest, (wait - last.wait) / (now - last.at))
    }
    this.#last = next
    this.#shares.push(highest)
    if (this.#shares.length > MEASUREMENTS) this.#shares.shift()
  }

  /** Share of the last 10 s, 0-1; 0 until they have been measured. */
  share(): number {
    if (this.#shares.length < MEASUREMENTS) return 0
    return this.#shares.reduce((sum, share) => sum + share, 0) / MEASUREMENTS
  }
}
