// Records every verdict that the API gives on channels, so that a test finds those that were false.
import type { Health } from '../../../contract/health.ts'
import { listProblems, type Problem } from '../../../contract/problem.ts'
import { type Channel, channelDashboard, queryChannel } from '../../../contract/stream/channel.ts'
import type { HubProcess } from '../hub/hub-process.ts'
import { until } from '../until.ts'

/** The verdicts on a channel in one answer, each as `verdict` or `verdict: reason`. */
export interface Verdicts {
  channel: string
  input: string
  outputs: string[]
}

interface Sighting extends Verdicts {
  /** Milliseconds since the epoch by the hub's clock. */
  since: number
  nextStep: string | undefined
  /** The hub's words about the input. */
  message: string | undefined
  /** The problem of the channel, or of an output. */
  problems: string[]
}

const POLL_INTERVAL = 100

const summarize = (health?: Pick<Health<string>, 'verdict' | 'reason'>): string =>
  health ? [health.verdict, ...(health.reason ? [health.reason] : [])].join(': ') : 'unknown'

const verdictsOf = ({ health, input, outputs }: Channel): Verdicts => ({
  channel: summarize(health),
  input: summarize(input?.health),
  outputs: outputs.list.map((output) => summarize(output.health))
})

const describeProblem = ({ kind, severity, reason }: Problem) => `${kind} ${severity}: ${reason}`

export class VerdictWatch {
  readonly #hub: () => HubProcess
  /** The last answer, and all different ones since `forget`, by channel. */
  readonly #last = new Map<number, Sighting>()
  readonly #seen = new Map<number, Set<string>>()
  /** Problems of the hub itself. */
  #hubProblems: string[] = []
  readonly #timer: NodeJS.Timeout
  #polling: Promise<void> | undefined

  /** @param hub the hub of now; requests that fail because it does not run are repeated */
  constructor(hub: () => HubProcess) {
    this.#hub = hub
    this.#timer = setInterval(() => this.#poll(), POLL_INTERVAL)
  }

  /** Forgets the verdicts until now. */
  forget(): void {
    this.#seen.clear()
  }

  /** All different verdicts on a channel since `forget`. */
  seen(id: number): string[] {
    return [...(this.#seen.get(id) ?? [])]
  }

  hubProblems(): readonly string[] {
    return this.#hubProblems
  }

  /** Waits for the verdict on a channel in the answers to all calls. */
  waitFor(id: number, isExpected: (sighting: Sighting) => boolean, what: string): Promise<Sighting> {
    const last = () => this.#last.get(id)
    return until(
      () => {
        const sighting = last()
        return sighting && isExpected(sighting) ? sighting : undefined
      },
      () => `${what}: ${JSON.stringify(last())} after ${this.seen(id).join(', ')}`
    )
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#polling
  }

  #poll(): void {
    this.#polling ??= this.#readAll()
      .catch(() => {})
      .finally(() => {
        this.#polling = undefined
      })
  }

  async #readAll(): Promise<void> {
    const hub = this.#hub()
    const { list } = await hub.send(channelDashboard, {})
    for (const { id, health } of list) {
      this.#see(id, summarize(health))
      const { channel } = await hub.send(queryChannel, { id })
      const problems = (await hub.send(listProblems, {})).list
      this.#hubProblems = problems.filter((problem) => problem.channel === undefined).map(describeProblem)
      const verdicts = verdictsOf(channel)
      this.#see(id, verdicts.channel)
      for (const [index, output] of verdicts.outputs.entries()) this.#see(id, `output ${index + 1} ${output}`)
      this.#last.set(id, {
        ...verdicts,
        since: channel.health?.since ?? 0,
        nextStep: channel.health?.['next-step'],
        message: channel.input?.health?.message,
        problems: problems.filter((problem) => problem.channel === id).map(describeProblem)
      })
    }
  }

  #see(id: number, text: string): void {
    const seen = this.#seen.get(id) ?? new Set()
    this.#seen.set(id, seen.add(text))
  }
}
