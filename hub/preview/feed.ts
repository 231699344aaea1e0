// The hub's side of previews (reference 5.6): the open streams of each session, and which ids each of them shows.
import { randomUUID } from 'node:crypto'
import { NOT_EXIST, SUCCESS, TOO_MANY } from '../../contract/codes.ts'
import type { PreviewSetup, PreviewWish } from '../../contract/preview.ts'
import { createPicturePace } from './pace.ts'
import { createSources, type Sources, type SubscribePictures, type Taker } from './sources.ts'
import { createPictureStream, type PictureStream } from './stream.ts'

/** Open streams of one session; a hidden tab keeps none, so more than these were left behind by browsers that are gone. */
export const STREAMS_PER_OWNER = 8

/** Ids that one stream may show. */
export const IDS_PER_STREAM = 1000

/** The share of the line's time that pictures take at most where data is to be saved. */
const SAVED_SHARE = 0.25

/** Milliseconds for which a saved picture is worth showing to a newcomer: there are few of them. */
const SAVED_FRESH = 10_000

export interface PreviewFeedOptions {
  /** Asks for pictures; `save`: for few and small ones. */
  subscribe(id: string, onPicture: (jpeg: Uint8Array) => void, save: boolean): ReturnType<SubscribePictures>
  /** Which preview ids a session may see; asked at setup and again at `check`. */
  allowed?(owner: string): (id: string) => boolean
  /** Milliseconds. */
  now?(): number
}

export interface PreviewFeed {
  /**
   * Answers `preview/open` for a session: an endless multipart body. Beyond 8 streams the session's oldest is closed.
   * @param wish how it is paced, and whether data is to be saved
   */
  open(owner: string, wish?: PreviewWish): Response
  /**
   * Answers `preview/setup`: first `del`, then `add`. Ids that the session may not see are ignored.
   * @returns a result code: 16 for a stream that is not open or another session's, 17 beyond 1000 ids (then nothing is changed)
   */
  setup(owner: string, request: PreviewSetup): number
  /** Notes that so many pictures of a stream have arrived, so that more may be sent. Of another session's stream it counts for nothing. */
  seen(owner: string, id: string, count: number): void
  /** Answers `preview/clear`: closes the stream. 16 as above. */
  clear(owner: string, id: string): number
  /** Closes the streams of sessions that are not alive, and takes from the others what they may no longer see. */
  check(alive: (owner: string) => boolean): void
  /** Closes the streams of a session. */
  closeOwner(owner: string): void
  /** Closes all streams. */
  close(): void
}

interface Handle {
  owner: string
  ids: Set<string>
  stream: PictureStream
  take: Taker
  sources: Sources
}

/** Makes a preview feed. It keeps nothing upstream while nobody looks. */
export function createPreviewFeed({
  subscribe,
  allowed = () => () => true,
  now = Date.now
}: PreviewFeedOptions): PreviewFeed {
  const full = createSources((id, onPicture) => subscribe(id, onPicture, false), now)
  const saving = createSources((id, onPicture) => subscribe(id, onPicture, true), now, undefined, SAVED_FRESH)
  /** In the order of opening. */
  const handles = new Map<string, Handle>()

  function owned(owner: string, id: string): Handle | undefined {
    const handle = handles.get(id)
    return handle?.owner === owner ? handle : undefined
  }

  function drop(handle: Handle, id: string): void {
    if (!handle.ids.delete(id)) return
    handle.sources.leave(id, handle.take)
    handle.stream.forget(id)
  }

  function closeHandle(key: string): void {
    const handle = handles.get(key)
    if (!handle) return
    handles.delete(key)
    for (const id of handle.ids) drop(handle, id)
    handle.stream.close()
  }

  function closeWhere(matches: (handle: Handle) => boolean): void {
    for (const [key, handle] of [...handles]) if (matches(handle)) closeHandle(key)
  }

  return {
    open(owner, { seen, save } = {}) {
      const theirs = [...handles.keys()].filter((key) => owned(owner, key))
      while (theirs.length >= STREAMS_PER_OWNER) closeHandle(theirs.shift() as string)
      const key = randomUUID()
      const pace = seen ? createPicturePace({ now, share: save ? SAVED_SHARE : 1 }) : undefined
      const stream = createPictureStream(() => closeHandle(key), pace)
      handles.set(key, { owner, ids: new Set(), stream, take: stream.offer, sources: save ? saving : full })
      return new Response(stream.body, {
        headers: {
          // Both readings of where the handle stands.
          'content-type': `multipart/x-mixed-replace; boundary=${stream.boundary}; handle-id=${key}`,
          'handle-id': key,
          'cache-control': 'no-store',
          // nginx would gather pictures otherwise.
          'x-accel-buffering': 'no'
        }
      })
    },

    setup(owner, request) {
      const handle = owned(owner, request.id)
      if (!handle) return NOT_EXIST
      const del = new Set(request.del?.map(String))
      // A control character would end the header that carries the id.
      const may = allowed(owner)
      const add = new Set(request.add?.map(String).filter((id) => !/\p{Cc}/u.test(id) && may(id)))
      const kept = [...handle.ids].filter((id) => !del.has(id) && !add.has(id))
      if (kept.length + add.size > IDS_PER_STREAM) return TOO_MANY
      for (const id of del) drop(handle, id)
      for (const id of add) {
        if (handle.ids.has(id)) continue
        handle.ids.add(id)
        handle.sources.join(id, handle.take)
      }
      return SUCCESS
    },

    seen(owner, id, count) {
      owned(owner, id)?.stream.seen(count)
    },

    clear(owner, id) {
      if (!owned(owner, id)) return NOT_EXIST
      closeHandle(id)
      return SUCCESS
    },

    check(alive) {
      closeWhere(({ owner }) => !alive(owner))
      for (const handle of handles.values()) {
        const may = allowed(handle.owner)
        for (const id of handle.ids) if (!may(id)) drop(handle, id)
      }
    },

    closeOwner(owner) {
      closeWhere((handle) => handle.owner === owner)
    },

    close() {
      closeWhere(() => true)
    }
  }
}
