// The pace at which a search looks at machines: connections a second and at a time in all, and one at a time to each
// machine, at most so many in one search.
import { setTimeout as sleep } from 'node:timers/promises'
import { createConcurrencyLimit } from '../concurrency-limit.ts'

/** Connections that a search opens a second, and has open at a time, to all machines together. */
export const CONNECTIONS_PER_SECOND = 40
export const CONNECTIONS_MAX = 32
/** Connections to one machine in one search. There is never more than one at a time. */
export const CONNECTIONS_PER_HOST = 12
/** Milliseconds between the end of a connection to a machine and the next one. */
export const HOST_PAUSE = 100

/** Thrown instead of connecting to a machine that has been looked at often enough. */
export class HostLimitError extends Error {}

export class Pace {
  readonly #signal: AbortSignal
  /** The last connection to each machine. */
  readonly #hosts = new Map<string, { count: number; last: Promise<unknown> }>()
  readonly #connections = createConcurrencyLimit(CONNECTIONS_MAX)
  /** Resolves when the next connection may be opened. */
  #turn: Promise<unknown> = Promise.resolve()

  /** @param signal ends the search: no further connection is opened */
  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /**
   * Runs a function that connects to a machine once, when it is its turn.
   * @throws HostLimitError if the machine has been connected to too often; the errors of the signal and of `connect`
   */
  async connect<Result>(host: string, connect: () => Promise<Result>): Promise<Result> {
    const entry = this.#hosts.get(host) ?? { count: 0, last: Promise.resolve() }
    this.#hosts.set(host, entry)
    if (++entry.count > CONNECTIONS_PER_HOST) throw new HostLimitError(`${host} has been looked at often enough`)
    const isFirst = entry.count === 1
    const result = entry.last.then(async () => {
      if (!isFirst) await sleep(HOST_PAUSE, undefined, { signal: this.#signal })
      return this.#withSlot(connect)
    })
    entry.last = result.catch(() => {})
    return result
  }

  async #withSlot<Result>(connect: () => Promise<Result>): Promise<Result> {
    const release = await this.#connections.acquire()
    try {
      const turn = this.#turn
      this.#turn = turn.then(() => sleep(1000 / CONNECTIONS_PER_SECOND, undefined, { ref: false }))
      await turn
      this.#signal.throwIfAborted()
      return await connect()
    } finally {
      release()
    }
  }
}
