// The engine's connection to the hub, and what the engine keeps while the hub is away: events for the log, and
// cancelled orders.
import type { PlayOrder, PushOrder } from '../../contract/device/link.ts'
import type { HubPeer } from '../connection/peer.ts'
import { EngineAwayError } from '../interfaces/errors.ts'
import type { EngineEvent, Snapshot } from '../interfaces/wire.ts'

/** Milliseconds that an order to a device waits for the hub. */
const ORDER_WAIT = 10_000
/** Cancelled orders that are kept. The oldest are dropped first. */
const CANCELLED_MAX = 10_000

/** A push or a playback that a device has to end. */
type Cancelled = { sn: string; method: 'cancelOrder' | 'cancelPlayback' }

export class HubConnection {
  readonly events = new EventBuffer()
  #peer: HubPeer | undefined
  #isClosed = false
  /** Called when a hub has connected, or when the engine closes. */
  readonly #waiting = new Set<() => void>()
  /** By method and serial number. */
  readonly #cancelled = new Map<string, Cancelled>()

  /** A hub has connected and is synchronized. It replaces the previous one. */
  attach(peer: HubPeer): void {
    if (this.#peer !== peer) this.#peer?.close()
    this.#peer = peer
    for (const resume of [...this.#waiting]) resume()
    this.flushEvents()
  }

  /** The connection has ended. */
  detach(peer: HubPeer): void {
    if (this.#peer === peer) this.#peer = undefined
  }

  /** Makes the hub connect again. */
  disconnect(): void {
    this.#peer?.close()
  }

  get isConnected(): boolean {
    return this.#peer !== undefined
  }

  update(snapshot: Snapshot): void {
    this.#peer?.notify('update', snapshot)
  }

  notifyNdiSourcesChange(): void {
    this.#peer?.notify('ndiSourcesChanged')
  }

  notifyNdiStateChange(): void {
    this.#peer?.notify('ndiStateChanged')
  }

  flushEvents(): void {
    const peer = this.#peer
    if (peer) void this.events.flush((events) => peer.call('logEvents', events))
  }

  async orderPush(sn: string, order: PushOrder): Promise<void> {
    const peer = await this.#waitForOrder('cancelOrder', sn)
    await peer?.call('orderPush', sn, order)
  }

  async orderPlayback(sn: string, order: PlayOrder): Promise<void> {
    const peer = await this.#waitForOrder('cancelPlayback', sn)
    await peer?.call('orderPlayback', sn, order)
  }

  /** Cancels a push or a playback: at once, or when the hub and the device are back. */
  async cancel(method: Cancelled['method'], sn: string): Promise<void> {
    const key = `${method} ${sn}`
    this.#cancelled.delete(key)
    this.#cancelled.set(key, { sn, method })
    if (this.#cancelled.size > CANCELLED_MAX) this.#cancelled.delete(this.#cancelled.keys().next().value ?? '')
    if (!this.#peer) return
    await this.#peer.call(method, sn)
    this.#cancelled.delete(key)
  }

  /** A device is online: cancels the orders that it does not know to be cancelled. */
  retryCancellations(sn: string): void {
    for (const method of ['cancelOrder', 'cancelPlayback'] as const)
      if (this.#cancelled.has(`${method} ${sn}`)) this.cancel(method, sn).catch(() => {})
  }

  close(): void {
    this.#isClosed = true
    for (const resume of [...this.#waiting]) resume()
    this.#peer?.close()
  }

  /**
   * Waits for the hub before an order.
   * @param cancelMethod cancels the order
   * @returns undefined if the order was cancelled meanwhile
   */
  async #waitForOrder(cancelMethod: Cancelled['method'], sn: string): Promise<HubPeer | undefined> {
    const key = `${cancelMethod} ${sn}`
    this.#cancelled.delete(key)
    const peer = await this.#waitForPeer()
    return this.#cancelled.has(key) ? undefined : peer
  }

  async #waitForPeer(): Promise<HubPeer> {
    if (!this.#peer && !this.#isClosed)
      await new Promise<void>((resolve) => {
        const resume = () => {
          clearTimeout(timer)
          this.#waiting.delete(resume)
          resolve()
        }
        const timer = setTimeout(resume, ORDER_WAIT)
        this.#waiting.add(resume)
      })
    if (!this.#peer) throw new EngineAwayError('the hub is not running')
    return this.#peer
  }
}

/** Events that are kept. The oldest are dropped first. */
export const EVENTS_MAX = 1000
/** Events of one message. */
const BATCH_MAX = 100

type NewEvent = EngineEvent extends infer Each
  ? Each extends EngineEvent
    ? Omit<Each, 'sequence' | 'time'>
    : never
  : never

export class EventBuffer {
  readonly #events: EngineEvent[] = []
  #lastSequence = 0
  #isSending = false

  add(event: NewEvent): void {
    this.#events.push({ ...event, sequence: ++this.#lastSequence, time: Date.now() } as EngineEvent)
    if (this.#events.length > EVENTS_MAX) this.#events.shift()
  }

  /**
   * Sends all events, oldest first. @param send resolves when the hub has acknowledged the events, and rejects if it
   * does not
   */
  async flush(send: (events: EngineEvent[]) => Promise<void>): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    try {
      while (this.#events.length > 0) {
        const batch = this.#events.slice(0, BATCH_MAX)
        await send(batch)
        const last = batch.at(-1)?.sequence ?? 0
        while ((this.#events[0]?.sequence ?? Number.POSITIVE_INFINITY) <= last) this.#events.shift()
      }
    } catch {
      // They are sent again when the hub is back.
    } finally {
      this.#isSending = false
    }
  }
}
