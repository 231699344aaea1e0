// The queue of messages to destinations. It is stored in the database, so that a restart loses no message. Each
// destination gets its messages one after the other, in their order.
import type { DestinationKind } from '../../contract/alert/destination-kinds.schema.ts'
import { LOG_ERROR } from '../../contract/log.ts'
import type { Translation } from '../../contract/text/language.ts'
import { logger } from '../../process-log/logger.ts'
import { StorageFaultError } from '../storage-fault/storage-fault.ts'
import type { Answer, Attempt, StoredDelivery } from '../store/alert-deliveries.ts'
import type { StoredDestination } from '../store/alert-destinations.ts'
import type { Store } from '../store/store.ts'
import { type AlertMessage, type SendError, type Sender, toSendError } from './sender.ts'
import type { Senders } from './senders.ts'

/** Time limit of an attempt, in milliseconds. */
const ATTEMPT_TIME = 20_000
/** Milliseconds after the first failed attempt. They double up to the longest. */
const FIRST_RETRY = 5000
const LONGEST_RETRY = 600_000
/** Milliseconds after which a message is given up. */
const GIVE_UP_AFTER = 3 * 86_400_000
/** Maximum number of messages that wait for one destination. */
export const WAITING_MAX = 1000
/** Maximum number of attempts at a time. */
const ATTEMPTS_MAX = 8

const OVERFLOW: Translation = ['Given up: too many messages were waiting.', '已放弃：等待的消息过多。']

export interface Delivery {
  destination: StoredDestination
  /** Name of the rule; empty for a test of the destination. */
  rule: string
  message: AlertMessage
}

type QueueStore = Pick<Store, 'database' | 'alertDestinations' | 'alertDeliveries' | 'changes' | 'logEvent'>

interface DeliveryQueueOptions {
  store: QueueStore
  senders: Senders
  now?: (() => number) | undefined
}

type WaitingDelivery = Pick<StoredDelivery, 'id' | 'destination_id' | 'message' | 'created' | 'attempts' | 'next'>

const textOf = (answer: Answer): string => (typeof answer === 'string' ? answer : answer[0])

export class DeliveryQueue {
  readonly #store: QueueStore
  readonly #senders: Senders
  readonly #now: () => number
  /** The running attempt of each destination. */
  readonly #attempts = new Map<number, Promise<void>>()
  readonly #closing = new AbortController()
  /** Messages that could not be stored, because the storage has a fault, in their order. */
  #unstored: (Delivery & { next: number; attempts: number; created: number })[] = []
  /** Outcomes that could not be stored. */
  readonly #outcomes = new Map<number, Attempt>()
  /** Destinations whose last attempt failed. */
  readonly #failing = new Set<number>()
  #timer: NodeJS.Timeout | undefined
  #isStarted = false

  constructor({ store, senders, now = Date.now }: DeliveryQueueOptions) {
    this.#store = store
    this.#senders = senders
    this.#now = now
    store.database.onStorageFault((fault) => {
      if (fault === undefined) this.wake()
    })
  }

  /** Delivers the messages that wait since the last run of the hub, at once, and from then on new messages. */
  start(): void {
    const { database, alertDeliveries } = this.#store
    this.#isStarted = true
    database.runBatched(() => alertDeliveries.makeDue(undefined, this.#now()))
    this.wake()
  }

  /** Adds messages, in the caller's transaction. Call `wake` after its commit. */
  add(deliveries: readonly Delivery[]): void {
    const { alertDeliveries } = this.#store
    const now = this.#now()
    for (const { destination, rule, message } of deliveries) {
      alertDeliveries.add({ destination, rule, message: JSON.stringify(message) }, now)
      if (alertDeliveries.giveUp(destination.id, OVERFLOW, { keep: WAITING_MAX, now }) > 0)
        logger.warn('A message was given up, because too many wait for its destination', { name: destination.name })
    }
  }

  /** Adds messages that cannot be stored. They are sent from memory, and stored when the storage works again. */
  addUnstored(deliveries: readonly Delivery[]): void {
    const now = this.#now()
    for (const delivery of deliveries) this.#unstored.push({ ...delivery, next: now, attempts: 0, created: now })
    this.#unstored = this.#unstored.slice(-WAITING_MAX)
  }

  /** Makes the attempts that are due, and sets the timer for the next ones. */
  wake(): void {
    if (!this.#isStarted || this.#closing.signal.aborted) return
    clearTimeout(this.#timer)
    let wait = LONGEST_RETRY
    for (const delivery of this.#due()) {
      const destination = this.#store.alertDestinations.byId(delivery.destination_id)
      if (!destination?.enable || this.#attempts.has(destination.id)) continue
      const remaining = delivery.next - this.#now()
      // After the clock was set back, no message waits longer than the longest time.
      if (remaining > 0 && remaining <= LONGEST_RETRY) wait = Math.min(wait, remaining)
      else if (this.#attempts.size < ATTEMPTS_MAX) this.#begin(destination, delivery)
    }
    this.#timer = setTimeout(() => this.wake(), wait).unref()
  }

  /** The oldest message of each destination. */
  #due(): WaitingDelivery[] {
    const { database, alertDeliveries } = this.#store
    if (database.storageFault) return this.#unstoredHeads()
    try {
      for (const [id, outcome] of this.#outcomes) this.#storeOutcome(id, outcome)
      if (this.#unstored.length > 0) {
        const unstored = this.#unstored
        database.essentialTransaction(() => this.add(unstored))
        this.#unstored = []
      }
      return alertDeliveries.heads()
    } catch (error) {
      if (error instanceof StorageFaultError) return this.#unstoredHeads()
      throw error
    }
  }

  #unstoredHeads(): WaitingDelivery[] {
    const heads = new Map(this.#unstored.toReversed().map((delivery) => [delivery.destination.id, delivery]))
    return [...heads.values()].map(({ destination, message, ...rest }) => ({
      ...rest,
      id: 0,
      destination_id: destination.id,
      message: JSON.stringify(message)
    }))
  }

  #begin(destination: StoredDestination, delivery: WaitingDelivery): void {
    const attempt = this.#attempt(destination, delivery)
      .catch((error) => logger.error('A delivery of a notification failed', error))
      .finally(() => {
        this.#attempts.delete(destination.id)
        this.wake()
      })
    this.#attempts.set(destination.id, attempt)
  }

  async #attempt(destination: StoredDestination, delivery: WaitingDelivery): Promise<void> {
    const message = JSON.parse(delivery.message) as AlertMessage
    const outcome = await this.#send(destination, message).then(
      (answer): Attempt => ({ state: 'sent', answer, time: this.#now() }),
      (error: SendError) => this.#failed(delivery, error)
    )
    // An attempt that the end of the hub has aborted is not counted.
    if (outcome.state !== 'sent' && this.#closing.signal.aborted) return
    this.#noteState(destination, outcome)
    if (delivery.id === 0) this.#noteUnstored(destination, message, outcome)
    else this.#storeOutcome(delivery.id, outcome)
    this.#store.changes.markChanged('alert')
  }

  #failed({ attempts, created }: WaitingDelivery, { text, isFinal }: SendError): Attempt {
    const now = this.#now()
    if (isFinal || now - created > GIVE_UP_AFTER) return { state: 'failed', answer: text, time: now }
    const wait = Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** Math.min(attempts, 20))
    return { state: 'waiting', answer: text, time: now, next: now + wait }
  }

  #noteUnstored(destination: StoredDestination, message: AlertMessage, { state, next }: Attempt): void {
    const delivery = this.#unstored.find(
      (each) => each.destination.id === destination.id && each.message.id === message.id
    )
    if (!delivery) return
    if (state === 'waiting') Object.assign(delivery, { next, attempts: delivery.attempts + 1 })
    else this.#unstored = this.#unstored.filter((each) => each !== delivery)
  }

  #storeOutcome(id: number, outcome: Attempt): void {
    try {
      this.#store.database.essentialTransaction(() => this.#store.alertDeliveries.note(id, outcome))
      this.#outcomes.delete(id)
    } catch (error) {
      if (!(error instanceof StorageFaultError)) throw error
      this.#outcomes.set(id, outcome)
    }
  }

  /** Logs the first failure of a destination, and the first delivery after it. */
  #noteState({ id, name }: StoredDestination, { state, answer }: Attempt): void {
    if (state === 'sent') {
      if (this.#failing.delete(id)) this.#store.logEvent({ event: 'alert-delivered', detail: name })
    } else if (!this.#failing.has(id)) {
      this.#failing.add(id)
      this.#store.logEvent({ event: 'alert-failed', detail: `${name}: ${textOf(answer)}`, level: LOG_ERROR })
    }
  }

  /** Closes connections to destinations that were removed, disabled or changed, and makes the attempts that are due. */
  followDestinations(): void {
    const destinations = this.#store.alertDestinations.all().filter(({ enable }) => enable)
    for (const [kind, sender] of Object.entries<Sender<unknown>>(this.#senders))
      sender.keepOnly?.(destinations.filter(({ type }) => type === kind).map((each) => this.#configOf(each)))
    this.wake()
  }

  #configOf({ id, config }: StoredDestination): unknown {
    return { ...config, ...this.#store.alertDestinations.secrets(id) }
  }

  /** Sends a message at once, beside the queue. @returns the answer @throws SendError */
  async sendNow(destination: StoredDestination, message: AlertMessage): Promise<string> {
    return this.#send(destination, message)
  }

  async #send(destination: StoredDestination, message: AlertMessage): Promise<string> {
    const sender = this.#senders[destination.type as DestinationKind] as Sender<unknown>
    const signal = AbortSignal.any([AbortSignal.timeout(ATTEMPT_TIME), this.#closing.signal])
    try {
      // The attempt also ends while a name is looked up, which cannot be aborted.
      return await Promise.race([
        sender.send(message, this.#configOf(destination), signal),
        new Promise<never>((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        )
      ])
    } catch (error) {
      throw toSendError(error)
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#closing.abort()
    await Promise.all(this.#attempts.values())
    for (const sender of Object.values<Sender<never>>(this.#senders)) await sender.close?.()
  }
}
