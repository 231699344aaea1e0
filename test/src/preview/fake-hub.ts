// A fake hub with preview streams, for tests of the preview subscriptions and of their connection.
import { SUCCESS } from '../../../contract/codes.ts'
import type { PreviewSetup } from '../../../contract/preview.ts'
import { createPreviews, type PreviewItem } from '../../../src/preview/previews.ts'
import { BOUNDARY, bytesOf } from '../../kit/preview/multipart.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A clock that the test advances. */
function createClock() {
  let time = 1_000_000
  const timers = new Set<{ at: number; action: () => void }>()
  return {
    now: () => time,
    timers,
    /** Replaces the platform's timers. */
    setTimeout(action: (...values: unknown[]) => void, ms: number, ...values: unknown[]) {
      const timer = { at: time + ms, action: () => action(...values) }
      timers.add(timer)
      return timer
    },
    clearTimeout: (timer: { at: number; action: () => void }) => void timers.delete(timer),
    /** Advances the clock, runs the timers in order, and lets promises settle after each. */
    async pass(ms: number) {
      const until = time + ms
      await settle()
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
        if (!next) break
        timers.delete(next)
        time = Math.max(time, next.at)
        next.action()
        await settle()
      }
      time = until
      await settle()
    }
  }
}

/** Lets pending promises and I/O settle. */
export async function settle() {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve))
}

const platform = { setTimeout, clearTimeout, document: globalThis.document }
const { now } = Date

/** Restores the platform after a test. */
export function restorePlatform(): void {
  Object.assign(globalThis, platform)
  if (!platform.document) Reflect.deleteProperty(globalThis, 'document')
  Date.now = now
}

/** A fake hub, a page that can be hidden, and a clock. */
export function setUp() {
  const clock = createClock()
  const document = Object.assign(new EventTarget(), { hidden: false })
  Object.assign(globalThis, { setTimeout: clock.setTimeout, clearTimeout: clock.clearTimeout, document })
  Date.now = clock.now
  const setups: PreviewSetup[] = []
  const cleared: string[] = []
  const streams: {
    signal: AbortSignal
    cancelled: boolean
    send(...pieces: Bytes[]): void
    end(): void
    fail(): void
  }[] = []
  const hub = {
    result: SUCCESS,
    refuse: false,
    /** `open` waits for this. */
    opening: Promise.resolve(),
    /** `setup` waits for this. */
    gate: Promise.resolve(),
    respond: (body: ReadableStream<Bytes>, handle: string) =>
      new Response(body, { headers: { 'content-type': `multipart/x; boundary=${BOUNDARY}; handle-id=${handle}` } })
  }
  const previews = createPreviews({
    async open(signal) {
      if (hub.refuse) throw new TypeError('Failed to fetch')
      let controller: ReadableByteStreamController | undefined
      const stream = {
        signal,
        cancelled: false,
        send: (...pieces: Bytes[]) => controller?.enqueue(bytesOf(...pieces)),
        end() {
          controller?.close()
          controller?.byobRequest?.respond(0)
        },
        fail: () => controller?.error(new Error('reset'))
      }
      const source: UnderlyingByteSource = {
        type: 'bytes',
        start(given) {
          controller = given
        },
        cancel() {
          stream.cancelled = true
        }
      }
      const body = new ReadableStream(source) as ReadableStream<Bytes>
      streams.push(stream)
      await hub.opening
      return hub.respond(body, `h${streams.length}`)
    },
    async setup(request) {
      setups.push(structuredClone(request))
      await hub.gate
      return { result: hub.result }
    },
    async clear(id) {
      cleared.push(id)
    }
  })
  const hide = (hidden: boolean) => {
    document.hidden = hidden
    document.dispatchEvent(new Event('visibilitychange'))
  }
  return { clock, previews, setups, cleared, streams, hub, hide }
}

export type Items = (PreviewItem | undefined)[]

/** A callback that records its arguments. */
export function recordItems() {
  const items: Items = []
  return { items, take: (item: PreviewItem | undefined) => void items.push(item) }
}
