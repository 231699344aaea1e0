// Notifications: rules, the queue of messages, and tests of destinations.
import { randomUUID } from 'node:crypto'
import type { DestinationKind } from '../../contract/alert/destination-kinds.schema.ts'
import type { RuleAction } from '../../contract/alert/rule.ts'
import type { ProblemMonitor } from '../health/problem-monitor.ts'
import type { Answer } from '../store/alert-deliveries.ts'
import type { StoredDestination } from '../store/alert-destinations.ts'
import type { StoredRule } from '../store/alert-rules.ts'
import type { Store } from '../store/store.ts'
import { AlertEngine } from './alert-engine.ts'
import { DeliveryQueue } from './delivery-queue.ts'
import { type Describer, MessageComposer } from './message-text.ts'
import type { SendError } from './sender.ts'
import type { Senders } from './senders.ts'

interface NotificationsOptions {
  store: Store
  problems: Pick<ProblemMonitor, 'checked' | 'stored' | 'list'>
  senders: Senders
  describer: Describer
  runAction(action: RuleAction, rule: StoredRule): void
  now?: (() => number) | undefined
}

export class Notifications {
  readonly queue: DeliveryQueue
  readonly engine: AlertEngine
  readonly #store: Store
  readonly #senders: Senders
  readonly #problems: Pick<ProblemMonitor, 'list'>
  readonly #composer: MessageComposer
  readonly #now: () => number

  constructor({ store, problems, senders, describer, runAction, now = Date.now }: NotificationsOptions) {
    this.#store = store
    this.#senders = senders
    this.#problems = problems
    this.#now = now
    this.#composer = new MessageComposer(describer)
    this.queue = new DeliveryQueue({ store, senders, now })
    this.engine = new AlertEngine({
      store,
      monitor: problems,
      queue: this.queue,
      composer: this.#composer,
      zone: describer.zone,
      runAction,
      now
    })
  }

  start(): void {
    this.queue.start()
  }

  /** Makes keys that the sender of a kind needs, in the transaction that adds a destination. */
  prepare(type: DestinationKind): void {
    this.#senders[type].prepare?.()
  }

  /**
   * Sends a test message at once, and adds it to the delivery log, whether it arrives or not.
   * @param rule name of the rule; empty for a test of the destination
   * @returns the answer of the other end
   * @throws SendError
   */
  async sendTest(destination: StoredDestination, rule: string): Promise<string> {
    const message = this.#composer.test(destination.language, randomUUID(), this.#now())
    const note = (state: 'sent' | 'failed', answer: Answer) => {
      const { database, alertDeliveries, changes } = this.#store
      database.transactionOrLater(() =>
        alertDeliveries.addTried(
          { destination, rule, message: JSON.stringify(message) },
          { state, answer, time: this.#now() }
        )
      )
      changes.markChanged('alert')
    }
    try {
      const answer = await this.queue.sendNow(destination, message)
      note('sent', answer)
      return answer
    } catch (error) {
      note('failed', (error as SendError).text)
      throw error
    }
  }

  /** The number of present problems that match the filters of a rule. */
  countMatching(rule: StoredRule): number {
    return this.engine.matching(rule, this.#problems.list()).length
  }

  close(): Promise<void> {
    return this.queue.close()
  }
}
