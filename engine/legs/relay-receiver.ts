import type { Socket } from 'node:net'
import type { Relay, RelayAddress, RelayReport, RelaySubscriber } from '../interfaces/relay.ts'
import { subscriptionAddress } from '../relay/relay-address.ts'

let lastId = 0

/** Returns an ID for a new receiver at a relay, unique in this process. */
export const nextRelayId = (): number => ++lastId

interface RelayReceiverOptions {
  /** Whether it starts with the media since the last key frame, and so shows a picture at once. */
  fromCache: boolean
  /** Connects it to a relay. Without this function it is a process with one connection, `subscribeProcess`. */
  link?(address: RelayAddress): void
}

/** One receiver of a stream outside of JavaScript. Its counts continue when the stream or the relay changes. */
export class RelayReceiver {
  readonly #options: RelayReceiverOptions
  #relay: Relay | undefined
  /** Its ID at the current relay; undefined while it has no connection. */
  #id: number | undefined
  #last: RelaySubscriber | undefined
  /** The relay that is to hand it over, and its ID there. */
  #leaving: { relay: Relay; id: number } | undefined
  /** Bytes dropped in earlier connections. */
  #droppedBytes = 0

  constructor(options: RelayReceiverOptions) {
    this.#options = options
  }

  attachRelay(relay: Relay): void {
    this.#relay = relay
    this.#link()
  }

  detachRelay(): void {
    this.#disconnect()
    this.#relay = undefined
  }

  /** Hands its connection over to another relay. */
  moveRelay(relay: Relay): void {
    const { link } = this.#options
    const previous = this.#relay
    this.#relay = relay
    if (!previous || this.#id === undefined) return
    this.#leaving = { relay: previous, id: this.#id }
    this.#id = nextRelayId()
    const options = { fromCache: false, endsWithStream: link === undefined }
    previous.moveSubscriber(this.#leaving.id, subscriptionAddress(relay, this.#id, options))
  }

  /** The connection was closed by the relay. It is made again with the next report. */
  handleUnlink(): void {
    this.#disconnect()
  }

  /**
   * Connects a process, which ends when the stream ends.
   * @returns its stdin
   */
  subscribeProcess(relay: Relay): Promise<Socket> {
    this.#relay = relay
    this.#id = nextRelayId()
    return relay.subscribeProcess(this.#id, { fromCache: this.#options.fromCache, endsWithStream: true })
  }

  /** Returns the bytes sent since the last report. */
  handleReport({ subscribers }: RelayReport): number {
    if (this.#id === undefined) this.#link()
    const { relay: leavingRelay, id: leavingId = -1 } = this.#leaving ?? {}
    let report = this.#id === undefined ? undefined : subscribers.get(this.#id)
    if (report && this.#leaving) this.#forgetLeft()
    report ??= leavingRelay?.report().subscribers.get(leavingId)
    if (!report) return 0
    const bytes = report.sentBytes - (this.#last?.sentBytes ?? 0)
    this.#last = report
    return bytes
  }

  /** Bytes that wait in the relay. */
  queuedBytes(): number {
    return this.#last?.queuedBytes ?? 0
  }

  /** Bytes dropped because it was too slow. */
  droppedBytes(): number {
    return this.#droppedBytes + (this.#last?.droppedBytes ?? 0)
  }

  #link(): void {
    const { link, fromCache } = this.#options
    if (!this.#relay || !link) return
    this.#id = nextRelayId()
    link(subscriptionAddress(this.#relay, this.#id, { fromCache, endsWithStream: false }))
  }

  #disconnect(): void {
    if (this.#id !== undefined) this.#relay?.unsubscribe(this.#id)
    this.#leaving?.relay.unsubscribe(this.#leaving.id)
    this.#id = undefined
    this.#forgetLeft()
  }

  /** The counts of another relay follow. */
  #forgetLeft(): void {
    this.#leaving = undefined
    this.#droppedBytes = this.droppedBytes()
    this.#last = undefined
  }
}
