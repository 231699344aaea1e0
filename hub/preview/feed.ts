// Preview streams: the open streams of each session, and the preview IDs that each of them shows (docs/wire.md,
// Previews).
import { randomUUID } from 'node:crypto'
import { NOT_EXIST, SUCCESS, TOO_MANY } from '../../contract/codes.ts'
import type { PreviewOptions, PreviewSetup } from '../../contract/preview.ts'
import { FlowControl } from './flow-control.ts'
import { PreviewStream } from './stream.ts'
import { type PreviewListener, PreviewSubscriptions, type SubscribePreview } from './subscriptions.ts'

/**
 * Open streams of one session. A hidden tab closes its stream, so further ones were left behind by browsers that no
 * longer run.
 */
export const STREAMS_PER_OWNER = 8

/** Preview IDs of one stream. */
export const IDS_PER_STREAM = 1000

/** Share of the time during which images are transmitted, when the client saves data. */
const REDUCED_TIME_SHARE = 0.25

/** Milliseconds between images, as requested from devices and the engine: normally, and when the client saves data. */
export const PREVIEW_INTERVAL = 500
export const REDUCED_PREVIEW_INTERVAL = 3000

export interface PreviewFeedOptions {
  /** Subscribes to preview images. @param saveData requests fewer and smaller images */
  subscribe(id: string, onImage: (jpeg: Uint8Array) => void, saveData: boolean): ReturnType<SubscribePreview>
  /** Which preview IDs a session may see; checked at setup and again at `recheckAccess`. */
  createAccessCheck?(owner: string): (id: string) => boolean
  /** Milliseconds. */
  now?(): number
}

interface OpenStream {
  owner: string
  ids: Set<string>
  stream: PreviewStream
  listener: PreviewListener
  subscriptions: PreviewSubscriptions
}

/** `owner` is a session key, `streamId` the handle ID of a stream. */
export class PreviewFeed {
  readonly #now: () => number
  readonly #createAccessCheck: (owner: string) => (id: string) => boolean
  readonly #fullSubscriptions: PreviewSubscriptions
  readonly #reducedSubscriptions: PreviewSubscriptions
  /** By handle ID, in the order of opening. */
  readonly #streams = new Map<string, OpenStream>()

  constructor({ subscribe, createAccessCheck = () => () => true, now = Date.now }: PreviewFeedOptions) {
    this.#now = now
    this.#createAccessCheck = createAccessCheck
    const createSubscriptions = (saveData: boolean, interval: number) =>
      new PreviewSubscriptions((id, onImage) => subscribe(id, onImage, saveData), now, interval)
    this.#fullSubscriptions = createSubscriptions(false, PREVIEW_INTERVAL)
    this.#reducedSubscriptions = createSubscriptions(true, REDUCED_PREVIEW_INTERVAL)
  }

  /**
   * Handles `preview/open`. If the session has 8 streams already, the oldest is closed.
   * @returns an endless multipart response
   */
  open(owner: string, { seen: acknowledges, save: saveData }: PreviewOptions = {}): Response {
    const ofOwner = [...this.#streams.keys()].filter((streamId) => this.#find(owner, streamId))
    while (ofOwner.length >= STREAMS_PER_OWNER) this.#closeStream(ofOwner.shift() as string)
    const streamId = randomUUID()
    const timeShare = saveData ? REDUCED_TIME_SHARE : 1
    const flowControl = acknowledges ? new FlowControl({ now: this.#now, timeShare }) : undefined
    const stream = new PreviewStream(() => this.#closeStream(streamId), this.#now, flowControl)
    const subscriptions = saveData ? this.#reducedSubscriptions : this.#fullSubscriptions
    this.#streams.set(streamId, { owner, ids: new Set(), stream, listener: stream.offer, subscriptions })
    return new Response(stream.body, {
      headers: {
        // Clients read the handle ID from either header.
        'content-type': `multipart/x-mixed-replace; boundary=${stream.boundary}; handle-id=${streamId}`,
        'handle-id': streamId,
        'cache-control': 'no-store',
        // Otherwise nginx buffers the response.
        'x-accel-buffering': 'no'
      }
    })
  }

  /**
   * Handles `preview/setup`: removes the IDs in `del`, then adds those in `add`. IDs that the session may not see are
   * ignored.
   * @returns a result code: 16 if the stream is not open or belongs to another session, 17 beyond 1000 IDs (nothing is
   * changed)
   */
  setup(owner: string, request: PreviewSetup): number {
    const open = this.#find(owner, request.id)
    if (!open) return NOT_EXIST
    const removed = new Set(request.del?.map(String))
    const isAccessible = this.#createAccessCheck(owner)
    // A control character would end the part header that contains the ID.
    const isAllowed = (id: string) => !/\p{Cc}/u.test(id) && isAccessible(id)
    const added = new Set(request.add?.map(String).filter(isAllowed))
    const remainingIds = [...open.ids].filter((id) => !removed.has(id) && !added.has(id))
    if (remainingIds.length + added.size > IDS_PER_STREAM) return TOO_MANY
    for (const id of removed) removeId(open, id)
    for (const id of added) addId(open, id)
    return SUCCESS
  }

  /** The client received `count` images in total, so that more may be sent. Ignored for streams of other sessions. */
  acknowledge(owner: string, streamId: string, count: number): void {
    this.#find(owner, streamId)?.stream.acknowledge(count)
  }

  /** Handles `preview/clear`: closes a stream. @returns a result code: 16 as in `setup` */
  clear(owner: string, streamId: string): number {
    if (!this.#find(owner, streamId)) return NOT_EXIST
    this.#closeStream(streamId)
    return SUCCESS
  }

  /** Closes the streams of sessions that have ended, and removes IDs that a session may no longer see. */
  recheckAccess(isSessionValid: (owner: string) => boolean): void {
    this.#closeWhere(({ owner }) => !isSessionValid(owner))
    for (const open of this.#streams.values()) {
      const isAccessible = this.#createAccessCheck(open.owner)
      for (const id of open.ids) if (!isAccessible(id)) removeId(open, id)
    }
  }

  /** Closes the streams of a session. */
  closeOwner(owner: string): void {
    this.#closeWhere((open) => open.owner === owner)
  }

  /** Closes all streams. */
  close(): void {
    this.#closeWhere(() => true)
  }

  #find(owner: string, streamId: string): OpenStream | undefined {
    const open = this.#streams.get(streamId)
    return open?.owner === owner ? open : undefined
  }

  #closeStream(streamId: string): void {
    const open = this.#streams.get(streamId)
    if (!open) return
    this.#streams.delete(streamId)
    for (const id of open.ids) removeId(open, id)
    open.stream.close()
  }

  #closeWhere(matches: (open: OpenStream) => boolean): void {
    for (const [streamId, open] of [...this.#streams]) if (matches(open)) this.#closeStream(streamId)
  }
}

function addId(open: OpenStream, id: string): void {
  if (open.ids.has(id)) return
  open.ids.add(id)
  open.subscriptions.add(id, open.listener)
}

function removeId(open: OpenStream, id: string): void {
  if (!open.ids.delete(id)) return
  open.subscriptions.remove(id, open.listener)
  open.stream.forget(id)
}
