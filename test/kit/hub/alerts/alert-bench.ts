// Rules of notifications over problems that a test makes, with a clock that it moves. Messages stay in the queue.
import { RULE_DEFAULTS, type RuleOptions } from '../../../../contract/alert/rule.ts'
import type { Problem } from '../../../../contract/problem.ts'
import { SRT } from '../../../../contract/stream/protocols.ts'
import { AlertEngine } from '../../../../hub/alerts/alert-engine.ts'
import { DeliveryQueue } from '../../../../hub/alerts/delivery-queue.ts'
import { MessageComposer } from '../../../../hub/alerts/message-text.ts'
import type { AlertMessage } from '../../../../hub/alerts/sender.ts'
import { createSenders } from '../../../../hub/alerts/senders.ts'
import { Emitter } from '../../../../hub/emitter.ts'
import type { FoundProblem } from '../../../../hub/health/problem-monitor.ts'
import { newChannelKeys } from '../../../../hub/store/channels.ts'
import { openStore, type Store } from '../../../../hub/store/store.ts'

/** Monday, 12:00:00 UTC. */
export const NOON = Date.UTC(2026, 10, 30, 12)

export class AlertBench {
  readonly store: Store
  now = NOON
  zone = 'UTC'
  isSettling = false
  readonly problems = new Map<string, FoundProblem>()
  /** Actions of rules, in their order. */
  readonly actions: unknown[] = []
  #engine: AlertEngine

  constructor(store = openStore(':memory:')) {
    this.store = store
    this.#engine = this.#createEngine()
  }

  #createEngine(): AlertEngine {
    const { store } = this
    const now = () => this.now
    const zone = () => this.zone
    const composer = new MessageComposer({
      hub: () => ({ name: 'Campus', sn: 'h1' }),
      problems: (_language, found) => new Map(found.map((each) => [each.id, { ...each, name: each.id } as Problem])),
      nameOf: (id) => id,
      zone
    })
    return new AlertEngine({
      ...{ store, composer, now, zone },
      monitor: { checked: new Emitter(), stored: () => store.problems.all() },
      queue: new DeliveryQueue({ store, senders: createSenders(store), now }),
      runAction: (action) => this.actions.push(action)
    })
  }

  /** Makes a new engine from the stored state, as a restart of the hub does. */
  restart(): void {
    this.#engine = this.#createEngine()
  }

  addDestination(name: string, language: 'en' | 'zh' = 'en'): number {
    const config = { url: 'http://127.0.0.1:9/' }
    return this.store.alertDestinations.add({ name, type: 'webhook', enable: true, language, config, secrets: {} })
  }

  addRule(options: Partial<RuleOptions>, name = 'Everything'): number {
    return this.store.alertRules.add(name, { ...RULE_DEFAULTS, ...options })
  }

  /** Adds a started channel with an input. @returns its ID */
  addChannel(name: string, url: string, protocol: number = SRT): number {
    const { channels, sources } = this.store
    const input = sources.addInput({ name, protocol, settings: { url } as never })
    const id = channels.add(name, newChannelKeys())
    channels.setInput(id, input)
    channels.setEnable(id, true)
    return id
  }

  /** Begins a problem now. */
  begin(id: string, problem: Partial<FoundProblem> = {}): void {
    const [kind = ''] = id.split('-')
    const severity = 'bad'
    this.problems.set(id, { id, kind: kind as 'disk', severity, since: this.now, reason: 'input-lost', ...problem })
  }

  end(...ids: readonly string[]): void {
    for (const id of ids) this.problems.delete(id)
  }

  /** Lets seconds pass, in each of which the problems are checked. */
  pass(seconds: number): void {
    for (let second = 0; second < seconds; second++) {
      this.now += 1000
      this.#engine.check([...this.problems.values()], this.isSettling)
    }
  }

  /** All messages, the oldest first. @param destination default: all */
  messages(destination?: number): AlertMessage[] {
    const { list } = this.store.alertDeliveries.page(destination, 0, 10_000)
    return list.toReversed().map(({ message }) => JSON.parse(message))
  }

  /** State and title of each message. */
  titles(destination?: number): string[] {
    return this.messages(destination).map(({ state, title }) => `${state}: ${title}`)
  }
}
