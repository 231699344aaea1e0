// Who listens to which preview, and the last image of each.
import { PREVIEW_INTERVAL } from '../other-hubs.ts'
import type { Part } from './parser.ts'

/** The last image of a preview. */
export interface PreviewItem {
  id: string
  contentType: string
  blob: Blob
  /** Object URL of `blob`. Revoked when the next image of this id arrives, or when the last listener is removed. */
  url: string
  /** When the hub received the image, in milliseconds since the epoch by the browser's clock. */
  createTime: number
  /** Milliseconds after which the next image is to be expected. */
  interval: number
}

/** Called with each image; with undefined when the image is removed. */
export type PreviewListener = (item: PreviewItem | undefined) => void

interface Subscription {
  listeners: Set<PreviewListener>
  item?: PreviewItem | undefined
}

export type Subscriptions = ReturnType<typeof createSubscriptions>

/** @param onChange called when an id may have to be added or removed at the hub */
export function createSubscriptions(onChange: () => void) {
  const subscriptions = new Map<string, Subscription>()

  function setItem(subscription: Subscription, item: PreviewItem | undefined): void {
    const previous = subscription.item
    subscription.item = item
    for (const listener of subscription.listeners) listener(item)
    if (previous) URL.revokeObjectURL(previous.url)
  }

  return {
    ids: () => [...subscriptions.keys()],

    subscribe(id: string, onImage: PreviewListener): () => void {
      const subscription = subscriptions.get(id) ?? { listeners: new Set() }
      subscriptions.set(id, subscription)
      // A new function, so that a callback that subscribes twice counts twice.
      const listener: PreviewListener = (item) => onImage(item)
      subscription.listeners.add(listener)
      if (subscription.item) onImage(subscription.item)
      onChange()
      return () => {
        if (subscription.listeners.delete(listener) && subscription.listeners.size === 0) onChange()
      }
    },

    /** Removes the ids without listeners. */
    removeUnused(): void {
      for (const [id, subscription] of subscriptions) {
        if (subscription.listeners.size > 0) continue
        setItem(subscription, undefined)
        subscriptions.delete(id)
      }
    },

    /** Shows the image of a part. @returns false when nobody subscribes to its id, or when it is not an image */
    receive({ id, type, bytes, age = 0, interval = PREVIEW_INTERVAL }: Part): boolean {
      const subscription = subscriptions.get(id)
      // SVG is refused, because it can contain scripts that run when the image is opened in a tab.
      if (!subscription || bytes.length === 0 || !/^image\/(?!svg)/i.test(type)) return false
      const blob = new Blob([bytes], { type })
      const createTime = Date.now() - age
      setItem(subscription, { id, contentType: type, blob, url: URL.createObjectURL(blob), createTime, interval })
      return true
    },

    /** Removes all images. The listeners stay. */
    clear(): void {
      for (const subscription of subscriptions.values()) setItem(subscription, undefined)
    }
  }
}
