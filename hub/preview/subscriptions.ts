// Shares one upstream subscription per preview ID among all streams that show it. The subscription ends with the last
// of them.
import { PREVIEW_GRACE } from '../../contract/limits.ts'
import { IntervalMeter } from './interval-meter.ts'

/**
 * Subscribes to the images of a preview ID until the returned function is called, also while its device is offline. The
 * bytes of an image are never changed afterwards.
 * @returns undefined if the device or channel does not exist now
 */
export type SubscribePreview = (id: string, onImage: (jpeg: Uint8Array) => void) => (() => void) | undefined

export interface PreviewImage {
  jpeg: Uint8Array
  /** When the hub received it, in milliseconds of the feed's clock. */
  at: number
  /** Milliseconds after which the next image is to be expected. */
  interval: number
}

/** Called with each new image. */
export type PreviewListener = (id: string, image: PreviewImage) => void

/** Milliseconds between attempts to subscribe to an ID that does not exist. */
const RETRY_INTERVAL = 3000

interface Subscription {
  listeners: Set<PreviewListener>
  meter: IntervalMeter
  newest?: PreviewImage
  /** Undefined until the upstream subscription succeeds. */
  unsubscribe?: (() => void) | undefined
}

export class PreviewSubscriptions {
  readonly #subscribe: SubscribePreview
  readonly #now: () => number
  readonly #minInterval: number
  readonly #retryInterval: number
  readonly #subscriptions = new Map<string, Subscription>()
  #retryTimer: NodeJS.Timeout | undefined

  /**
   * All times are in milliseconds.
   * @param minInterval the interval at which images are requested
   */
  constructor(
    subscribe: SubscribePreview,
    now: () => number,
    minInterval: number,
    retryInterval: number = RETRY_INTERVAL
  ) {
    this.#subscribe = subscribe
    this.#now = now
    this.#minInterval = minInterval
    this.#retryInterval = retryInterval
  }

  /** Adds a listener, which receives the newest image at once if a console would not mark it as stale. */
  add(id: string, listener: PreviewListener): void {
    let subscription = this.#subscriptions.get(id)
    if (!subscription) {
      subscription = { listeners: new Set(), meter: new IntervalMeter() }
      this.#subscriptions.set(id, subscription)
      this.#start(id, subscription)
    }
    const { listeners, newest } = subscription
    if (listeners.has(listener)) return
    listeners.add(listener)
    if (newest && this.#now() - newest.at < newest.interval + PREVIEW_GRACE) listener(id, newest)
  }

  /** Removes a listener. Removing the last one ends the upstream subscription. */
  remove(id: string, listener: PreviewListener): void {
    const subscription = this.#subscriptions.get(id)
    if (!subscription?.listeners.delete(listener) || subscription.listeners.size > 0) return
    this.#subscriptions.delete(id)
    subscription.unsubscribe?.()
    if (this.#subscriptions.size > 0) return
    clearTimeout(this.#retryTimer)
    this.#retryTimer = undefined
  }

  #start(id: string, subscription: Subscription): void {
    subscription.unsubscribe = this.#subscribe(id, (jpeg) => {
      if (this.#subscriptions.get(id) !== subscription) return
      const { meter, listeners } = subscription
      const at = this.#now()
      meter.add(at)
      const image = { jpeg, at, interval: Math.max(this.#minInterval, meter.interval()) }
      subscription.newest = image
      for (const listener of listeners) listener(id, image)
    })
    if (!subscription.unsubscribe) this.#retryTimer ??= setTimeout(() => this.#retry(), this.#retryInterval).unref()
  }

  #retry(): void {
    this.#retryTimer = undefined
    for (const [id, subscription] of this.#subscriptions) if (!subscription.unsubscribe) this.#start(id, subscription)
  }
}
