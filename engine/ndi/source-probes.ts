// Whether announced sources answer: the announcements of a machine whose cable was pulled last for an hour, and those
// of a program that was killed for seconds, so the engine also connects to the ports of the sources.
import { connect } from 'node:net'

/**
 * Sources that are probed at the same time, and milliseconds between two rounds. Sources beyond them are probed in the
 * next rounds.
 */
const PROBES_MAX = 64
const ROUND_INTERVAL = 3000

interface ProbeResult {
  address: string
  /** Undefined: the address policy forbids the address. */
  answers: boolean | undefined
  /** Milliseconds of a monotonic clock. */
  at: number
}

interface SourceProbesOptions {
  /** Addresses of the announced sources by name. */
  sources(): ReadonlyMap<string, string>
  /** As `HostLookup.resolveHost`. */
  resolveHost(host: string): Promise<string>
  /** A source answers, or does not answer any more. */
  onChange(): void
}

export class SourceProbes {
  readonly #options: SourceProbesOptions
  /** The last result of each source, by name. */
  readonly #results = new Map<string, ProbeResult>()
  readonly #probing = new Set<string>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(options: SourceProbesOptions) {
    this.#options = options
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#probeOldest(), ROUND_INTERVAL).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#results.clear()
  }

  /** Probes sources that were announced just now. */
  sourcesChanged(): void {
    if (!this.#timer) return
    for (const [name, address] of this.#options.sources())
      if (this.#results.get(name)?.address !== address) void this.#probe(name, address)
  }

  /** Whether each source answers, by name. A source that was not probed yet, or must not be, is absent. */
  observe(): Map<string, boolean> {
    const current = [...this.#options.sources()].flatMap(([name, address]) => {
      const result = this.#results.get(name)
      return result?.address === address && result.answers !== undefined ? [[name, result.answers] as const] : []
    })
    return new Map(current)
  }

  /** Probes the sources whose results are oldest. */
  #probeOldest(): void {
    const sources = this.#options.sources()
    for (const name of this.#results.keys()) if (!sources.has(name)) this.#results.delete(name)
    const probedAt = (name: string) => this.#results.get(name)?.at ?? 0
    for (const [name, address] of [...sources].sort(([a], [b]) => probedAt(a) - probedAt(b)))
      void this.#probe(name, address)
  }

  /** Does nothing while `PROBES_MAX` sources are probed. */
  async #probe(name: string, address: string): Promise<void> {
    const [host = '', port = ''] = address.split(':')
    if (this.#probing.size >= PROBES_MAX || this.#probing.has(name) || !/^\d+$/.test(port) || Number(port) > 65_535)
      return
    this.#probing.add(name)
    // The policy can forbid the address, which anyone in the network may have announced.
    const isAnswering = await this.#options.resolveHost(host).then(
      async (ip) => (await probePort(ip, Number(port))) === 'answers',
      () => undefined
    )
    this.#probing.delete(name)
    if (!this.#timer || this.#options.sources().get(name) !== address) return
    const before = this.#results.get(name)
    this.#results.set(name, { address, answers: isAnswering, at: performance.now() })
    if (before?.address !== address || before.answers !== isAnswering) this.#options.onChange()
  }
}

/** Milliseconds for a response. The time covers the loss of one packet. */
const PROBE_TIMEOUT = 1500

/** `refuses`: the machine responds, and no program listens. */
type ProbeOutcome = 'answers' | 'refuses' | 'silent'

/** Connects to a TCP port and closes the connection. @param port 0-65535 */
export function probePort(host: string, port: number): Promise<ProbeOutcome> {
  const { promise, resolve } = Promise.withResolvers<ProbeOutcome>()
  const socket = connect({ host, port, timeout: PROBE_TIMEOUT })
  const finish = (outcome: ProbeOutcome) => {
    socket.destroy()
    resolve(outcome)
  }
  socket.once('connect', () => finish('answers'))
  socket.once('timeout', () => finish('silent'))
  socket.once('error', ({ code }: NodeJS.ErrnoException) => finish(code === 'ECONNREFUSED' ? 'refuses' : 'silent'))
  return promise
}
