// A preview feed over devices that send images on demand, and a reader of its streams.
import assert from 'node:assert/strict'
import { PreviewFeed } from '../../../hub/preview/feed.ts'
import { readStreamHead } from '../../../src/preview/headers.ts'

const toBytes = (text: string) => new Uint8Array(Buffer.from(text))

/** A feed with devices that send images on demand. */
export function createTestFeed(isAllowed = (_owner: string, _id: string) => true) {
  const listeners = new Map<string, Set<(jpeg: Uint8Array) => void>>()
  const time = { now: 1_000_000 }
  const feed = new PreviewFeed({
    subscribe(id, onImage) {
      const ofId = listeners.get(id) ?? new Set()
      listeners.set(id, ofId.add(onImage))
      return () => void ofId.delete(onImage)
    },
    createAccessCheck: (owner) => (id) => isAllowed(owner, id),
    now: () => time.now
  })
  function sendBytes(id: string, image: Uint8Array) {
    for (const listener of listeners.get(id) ?? []) listener(image)
  }
  return {
    feed,
    time,
    /** Number of upstream subscriptions of a preview ID. */
    subscriptionCount: (id: string) => listeners.get(id)?.size ?? 0,
    send: (id: string, text: string) => sendBytes(id, toBytes(text)),
    sendBytes,
    open(owner = 'session') {
      const response = feed.open(owner)
      const head = readStreamHead(response.headers)
      assert.ok(head && response.body)
      return { ...head, response, body: response.body }
    }
  }
}

type OpenedStream = ReturnType<ReturnType<typeof createTestFeed>['open']>

/** Reads a stream chunk by chunk. */
export function readStream({ body }: Pick<OpenedStream, 'body'>) {
  const reader = body.getReader()
  /** The next chunk as text; undefined at the end. */
  async function next(): Promise<string | undefined> {
    const { value } = await reader.read()
    return value && Buffer.from(value).toString()
  }
  return {
    next,
    /** The next image as `id text`. */
    async nextImage(): Promise<string> {
      const [, id, content] = /^image-id: (\S+)\r\n.*\r\n\r\n(.*)\r\n--\w+\r\n$/s.exec((await next()) ?? '') ?? []
      return `${id} ${content}`
    },
    cancel: () => reader.cancel()
  }
}
