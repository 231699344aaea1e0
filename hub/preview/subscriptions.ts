// Shares one upstream subscription per preview ID among all streams that show it. The subscription ends with the last of them.

/**
 * Subscribes to the images of a preview ID until the returned function is called, also while its device is offline. The bytes of an image
 * are never changed afterwards.
 * @returns undefined if the device or channel does not exist now
 */
export type SubscribePreview = (id: string, onImage: (jpeg: Uint8Array) => void) => (() => void) | undefined

/** Called with each new image. */
export type PreviewListener = (id: string, jpeg: Uint8Array) => void

/** Milliseconds for which an image is sent to new listeners. The console marks older images as stale. */
const MAX_AGE = 5000

/** Milliseconds between attempts to subscribe to an ID that does not exist. */
const RETRY_INTERVAL = 3000

interface Subscription {
  listeners: Set<PreviewListener>
  newest?: { jpeg: Uint8Array; at: number }
  /** Undefined until the upstream subscription succeeds. */
  unsubscribe?: (() => void) | undefined
}

/** All times are in milliseconds. */
export function createPreviewSubscriptions(
  subscribe: SubscribePreview,
  now: () => number,
  retryInterval = RETRY_INTERVAL,
  maxAge = MAX_AGE
): PreviewSubscriptions {
  return new PreviewSubscriptions(subscribe, now, retryInterval, maxAge)
}

export class PreviewSubscriptions {
  readonly #subscribe: SubscribePreview
  readonly #now: () => number
  readonly #retryInterval: number
  readonly #maxAge: number
  readonly #subscriptions = new Map<string, Subscription>()
  #retryTimer: NodeJS.Timeout | undefined

  constructor(subscribe: SubscribePreview, now: () => number, retryInterval: number, maxAge: number) {
    this.#subscribe = subscribe
    this.#now = now
    this.#retryInterval = retryInterval
    this.#maxAge = maxAge
  }

  /** Adds a listener, which receives the newest image at once if there is a recent one. */
  add(id: string, listener: PreviewListener): void {
    let subscription = this.#subscriptions.get(id)
    if (!subscription) {
      subscription = { listeners: new Set() }
      this.#subscriptions.set(id, subscription)
      this.#start(id, subscription)
    }
    const { listeners, newest } = subscription
    if (listeners.has(listener)) return
    listeners.add(listener)
    if (newest && this.#now() - newest.at < this.#maxAge) listener(id, newest.jpeg)
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
      subscription.newest = { jpeg, at: this.#now() }
      for (const listener of subscription.listeners) listener(id, jpeg)
    })
    if (!subscription.unsubscribe) this.#retryTimer ??= setTimeout(() => this.#retry(), this.#retryInterval).unref()
  }

  #retry(): void {
    this.#retryTimer = undefined
    for (const [id, subscription] of this.#subscriptions) if (!subscription.unsubscribe) this.#start(id, subscription)
  }
}
