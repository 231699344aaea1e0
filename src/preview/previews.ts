// Live pictures for whoever wants them: one stream for the whole console, opened while something is wanted and the tab is
// visible, and opened again 3 s after it failed. The door to the hub is given, so this knows nothing of `link`.
import { PREVIEW_RECONNECT, REQUEST_TIMEOUT } from '../../contract/limits.ts'
import type { PreviewSetup } from '../../contract/preview.ts'
import { PartBuffer } from './buffer.ts'
import { readStreamHead } from './headers.ts'
import type { Part } from './parser.ts'
import { readParts } from './read.ts'

/** A picture as last received. */
export interface PreviewItem {
  id: string
  contentType: string
  blob: Blob
  /** Object URL of `blob`; revoked once the next picture of this id is there, or nobody wants it any more. */
  url: string
  /** When it arrived, in milliseconds since the epoch. */
  createTime: number
}

/** The calls of the hub that previews need. */
export interface PreviewDoor {
  /** `GET preview/open`; must not end by a time limit of its own once it was answered. */
  open(signal: AbortSignal): Promise<Response>
  /** `POST preview/setup`. Any result but 0, and a rejection, lead to a new connection. */
  setup(request: PreviewSetup): Promise<{ result: number }>
  /** `GET preview/clear`, for hubs behind a relay that would not notice the end of the stream. What it answers is ignored. */
  clear?(id: string): Promise<unknown>
  /** Tells the hub how many pictures of a stream have arrived, so that it sends as much as the line carries. */
  seen?(handle: string, count: number): void
}

export interface Previews {
  /**
   * Wants the pictures of a preview id until the function returned is called. Wishes for the same id are counted and registered
   * with the hub once. `onImage` is called with each picture, at once with the last one where there is one, and with undefined
   * when the pictures are cleared.
   */
  subscribe(id: string, onImage: (item: PreviewItem | undefined) => void): () => void
  /** Signed in: the stream may be opened. */
  start(): void
  /** Signed out: closes the stream. Wishes stay and are registered again after `start`. */
  stop(): void
  /** Forgets all pictures and revokes their URLs (specification 4: clearing the login cache empties the preview images). */
  clear(): void
}

/** Milliseconds for which wishes are gathered into one call: long enough for a page of tiles to go and the next to come. */
export const SETTLE = 50

type Timer = ReturnType<typeof setTimeout>

interface Want {
  listeners: Set<(item: PreviewItem | undefined) => void>
  item?: PreviewItem
}

interface Connection {
  abort: AbortController
  handle?: string
  /** Ids the hub was told of. */
  known: Set<string>
  /** Whether a setup call is on its way. */
  busy: boolean
  /** Parts that arrived. */
  seen: number
  /**
   * After which it counts as dead, as a line may break without a word: while it opens, and after each picture. Not set
   * while nothing was shown yet, so that devices without a picture do not make it reconnect for ever.
   */
  limit?: Timer
}

/** Makes the previews of a console. Nothing happens before `start`. */
export function createPreviews(door: PreviewDoor): Previews {
  const wants = new Map<string, Want>()
  const buffer = new PartBuffer()
  let running = false
  let connection: Connection | undefined
  let settling: Timer | undefined
  let waiting: Timer | undefined

  function show(want: Want, item: PreviewItem | undefined): void {
    const old = want.item
    want.item = item
    for (const listener of want.listeners) listener(item)
    if (old) URL.revokeObjectURL(old.url)
  }

  function settleSoon(): void {
    settling ??= setTimeout(settle, SETTLE)
  }

  function settle(): void {
    clearTimeout(settling)
    settling = undefined
    for (const [id, want] of wants) {
      if (want.listeners.size > 0) continue
      show(want, undefined)
      wants.delete(id)
    }
    if (!running || document.hidden || wants.size === 0) disconnect()
    else if (connection) void register(connection)
    else if (!waiting) void connect()
  }

  async function connect(): Promise<void> {
    const mine: Connection = { abort: new AbortController(), known: new Set(), busy: false, seen: 0 }
    connection = mine
    expect(mine)
    try {
      const response = await door.open(mine.abort.signal)
      const head = readStreamHead(response.headers)
      if (mine.abort.signal.aborted || !response.ok || !head || !response.body) await response.body?.cancel()
      else {
        mine.handle = head.handle
        clearTimeout(mine.limit)
        void register(mine)
        await readParts(response.body, head.boundary, buffer, (part) => receive(part, mine), mine.abort.signal)
      }
    } catch {
      // However it ended, the answer is the same: again in 3 s.
    }
    retry(mine)
  }

  function retry(mine: Connection): void {
    if (connection !== mine) return
    drop()
    waiting = setTimeout(() => {
      waiting = undefined
      settle()
    }, PREVIEW_RECONNECT)
  }

  function disconnect(): void {
    clearTimeout(waiting)
    waiting = undefined
    const last = drop()
    // After signing out the call would only be refused.
    if (running && last?.handle !== undefined) door.clear?.(last.handle).catch(() => {})
  }

  function drop(): Connection | undefined {
    const last = connection
    connection = undefined
    clearTimeout(last?.limit)
    last?.abort.abort()
    return last
  }

  function expect(mine: Connection): void {
    clearTimeout(mine.limit)
    mine.limit = setTimeout(retry, REQUEST_TIMEOUT, mine)
  }

  /** Tells the hub what is wanted and what no longer is, one call at a time. */
  async function register(mine: Connection): Promise<void> {
    if (mine.busy || mine.handle === undefined || connection !== mine) return
    const add = [...wants.keys()].filter((id) => !mine.known.has(id))
    const del = [...mine.known].filter((id) => !wants.has(id))
    if (add.length === 0 && del.length === 0) return
    mine.known = new Set(wants.keys())
    mine.busy = true
    const request: PreviewSetup = { id: mine.handle }
    if (add.length > 0) request.add = add
    if (del.length > 0) request.del = del
    const reply = await door.setup(request).catch(() => undefined)
    mine.busy = false
    if (reply?.result === 0) await register(mine)
    else retry(mine)
  }

  function receive(part: Part, mine: Connection): void {
    if (mine.handle !== undefined) door.seen?.(mine.handle, ++mine.seen)
    const want = wants.get(part.id)
    // Only pictures, and none that could carry a script when it is opened by itself.
    if (!want || part.bytes.length === 0 || !/^image\/(?!svg)/i.test(part.type)) return
    expect(mine)
    const blob = new Blob([part.bytes], { type: part.type })
    const url = URL.createObjectURL(blob)
    show(want, { id: part.id, contentType: part.type, blob, url, createTime: Date.now() })
  }

  return {
    subscribe(id, onImage) {
      const want = wants.get(id) ?? { listeners: new Set() }
      wants.set(id, want)
      // A function of its own, so that the same callback given twice counts twice.
      const listener = (item: PreviewItem | undefined) => onImage(item)
      want.listeners.add(listener)
      if (want.item) onImage(want.item)
      settleSoon()
      return () => {
        if (want.listeners.delete(listener) && want.listeners.size === 0) settleSoon()
      }
    },
    start() {
      if (running) return
      running = true
      document.addEventListener('visibilitychange', settle)
      settleSoon()
    },
    stop() {
      running = false
      document.removeEventListener('visibilitychange', settle)
      settle()
    },
    clear() {
      for (const want of wants.values()) show(want, undefined)
    }
  }
}
