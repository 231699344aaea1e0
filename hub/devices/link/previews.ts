// Requests preview streams from devices while they are subscribed to, and again after a refusal, a stall or a lost
// link.
import { type ClientHttp2Stream, constants } from 'node:http2'
import { createPreviewReader } from './preview-reader.ts'

interface PreviewRequestsOptions {
  /** Opens a stream to a device; returns undefined if it has no link. */
  open(sn: string, path: string): ClientHttp2Stream | undefined
  /** Milliseconds without data after which a stream is closed. */
  stall: number
  /**
   * Milliseconds until a failed stream is requested again: the first delay and the longest. The delay doubles with each
   * failure.
   */
  retry: readonly [number, number]
}

interface Subscription {
  path: string
  onPreview(jpeg: Uint8Array): void
  /** Milliseconds until the next attempt. */
  delay: number
  timer?: NodeJS.Timeout
  stream?: ClientHttp2Stream
}

export function createPreviewRequests({ open, stall, retry: [minDelay, maxDelay] }: PreviewRequestsOptions) {
  const subscriptions = new Map<string, Set<Subscription>>()

  function requestStream(sn: string, subscription: Subscription): void {
    clearTimeout(subscription.timer)
    if (subscription.stream) return
    const stream = open(sn, subscription.path)
    // Without a link there is no retry: `onDeviceUp` requests the stream.
    if (!stream) return
    subscription.stream = stream
    const cancel = () => stream.close(constants.NGHTTP2_CANCEL)
    const readChunk = createPreviewReader((jpeg) => {
      subscription.delay = minDelay
      if (subscription.stream === stream) subscription.onPreview(jpeg)
    })
    stream.setTimeout(stall, cancel)
    stream.on('response', ({ ':status': status }) => {
      if (status !== 200) cancel()
    })
    stream.on('data', (chunk: Buffer) => {
      if (!stream.closed && !readChunk(chunk)) cancel()
    })
    stream.on('error', () => {})
    stream.on('close', () => {
      if (subscription.stream !== stream) return
      subscription.stream = undefined
      subscription.timer = setTimeout(requestStream, subscription.delay, sn, subscription)
      subscription.delay = Math.min(maxDelay, subscription.delay * 2)
    })
  }

  return {
    /**
     * Requests previews of a device.
     * @param size width in pixels, and preview images per second
     * @returns function that ends the subscription
     */
    subscribe(
      sn: string,
      { width, fps }: { width: number; fps: number },
      onPreview: (jpeg: Uint8Array) => void
    ): () => void {
      const subscription: Subscription = {
        path: `/link/preview?width=${width}&fps=${fps}`,
        onPreview,
        delay: minDelay
      }
      const ofDevice = subscriptions.get(sn) ?? new Set()
      subscriptions.set(sn, ofDevice.add(subscription))
      requestStream(sn, subscription)
      return () => {
        clearTimeout(subscription.timer)
        subscription.stream?.close(constants.NGHTTP2_CANCEL)
        subscription.stream = undefined
        ofDevice.delete(subscription)
        if (ofDevice.size === 0 && subscriptions.get(sn) === ofDevice) subscriptions.delete(sn)
      }
    },

    /** Requests the streams of a device whose link is up, without waiting for the next retry. */
    onDeviceUp(sn: string): void {
      for (const subscription of subscriptions.get(sn) ?? []) {
        subscription.delay = minDelay
        requestStream(sn, subscription)
      }
    },

    /** Ends all subscriptions. */
    close(): void {
      for (const ofDevice of subscriptions.values()) {
        for (const subscription of ofDevice) {
          clearTimeout(subscription.timer)
          subscription.stream = undefined
        }
      }
      subscriptions.clear()
    }
  }
}
