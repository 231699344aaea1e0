// Live preview images: one stream for the whole console, open while there are subscriptions and the tab is visible, and
// reopened 3 s after it failed. The calls of the hub are passed in, so that this module does not depend on `link`.
import { PREVIEW_RECONNECT } from '../../contract/limits.ts'
import { PartBuffer } from './buffer.ts'
import { openConnection, type PreviewConnection, type PreviewTransport } from './connection.ts'
import { createSubscriptions, type PreviewListener } from './subscriptions.ts'

export type { PreviewTransport } from './connection.ts'
export type { PreviewItem } from './subscriptions.ts'

export interface Previews {
  /**
   * Subscribes to a preview id. Several subscriptions to an id are registered with the hub once.
   * @param onImage called with each image, at once with the last one if there is one; with undefined when the images
   * are removed
   * @returns ends the subscription
   */
  subscribe(id: string, onImage: PreviewListener): () => void
  /** Allows the stream to be opened: a user is signed in. */
  start(): void
  /** Closes the stream: the user has signed out. The subscriptions stay and are registered again after `start`. */
  stop(): void
  /** Removes all images and revokes their URLs, so that the next user does not see them. */
  clear(): void
}

/**
 * Milliseconds for which subscriptions are collected into one call: enough for one page of tiles to be replaced by the
 * next.
 */
export const BATCH_DELAY = 50

type Timer = ReturnType<typeof setTimeout>

/** Makes the previews of a console. They do nothing before `start`. */
export function createPreviews(transport: PreviewTransport): Previews {
  const buffer = new PartBuffer()
  const subscriptions = createSubscriptions(scheduleUpdate)
  let isRunning = false
  let connection: PreviewConnection | undefined
  let updateTimer: Timer | undefined
  let reconnectTimer: Timer | undefined

  function scheduleUpdate(): void {
    updateTimer ??= setTimeout(update, BATCH_DELAY)
  }

  /** Opens or closes the stream, or registers changed subscriptions. */
  function update(): void {
    clearTimeout(updateTimer)
    updateTimer = undefined
    subscriptions.removeUnused()
    if (!isRunning || document.hidden || subscriptions.ids().length === 0) disconnect()
    else if (connection) connection.register()
    else if (!reconnectTimer) connection = openConnection(transport, buffer, subscriptions, reconnectLater)
  }

  function reconnectLater(): void {
    connection = undefined
    reconnectTimer = setTimeout(() => {
      reconnectTimer = undefined
      update()
    }, PREVIEW_RECONNECT)
  }

  function disconnect(): void {
    clearTimeout(reconnectTimer)
    reconnectTimer = undefined
    const handle = connection?.close()
    connection = undefined
    // After signing out the hub would refuse the call.
    if (isRunning && handle !== undefined) transport.clear?.(handle).catch(() => {})
  }

  return {
    subscribe: subscriptions.subscribe,
    clear: subscriptions.clear,
    start() {
      if (isRunning) return
      isRunning = true
      document.addEventListener('visibilitychange', update)
      scheduleUpdate()
    },
    stop() {
      isRunning = false
      document.removeEventListener('visibilitychange', update)
      update()
    }
  }
}
