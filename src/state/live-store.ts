// A store that follows a response of the hub while it has listeners. It sends its request at a pace, and immediately
// when the change feed announces a change of its topic. `live-list.ts` and `live-value.ts` define what the store makes
// of a response.
import { atom, type PreinitializedWritableAtom, type ReadableAtom } from 'nanostores'
import type { Call, DeltaRequest, Envelope } from '../../contract/call.ts'
import type { Topic } from '../../contract/change-feed.ts'
import { NOT_LOGGED_IN, NOT_PERMITTED, SUCCESS } from '../../contract/codes.ts'
import { REFRESH_INTERVAL } from '../../contract/limits.ts'
import { isFeedCurrent, reopenFeed, requestOverFeed, watchTopic } from '../link/change-feed.ts'
import { type Pace, poll } from '../link/polling.ts'
import { send } from '../link/send.ts'
import { $language } from '../text/language.ts'
import { onMount } from '../ui/on-mount.ts'
import { $session, onSessionClear } from './session.ts'

export interface LiveState {
  /**
   * - `loading`: no response to the current request yet
   * - `ready`: the data belongs to the current request. It stays when a later response fails; `code` is then the
   *   reason.
   * - `failed`: no response to the current request was successful; `code` is the reason
   * - `denied`: the user has no permission for the call
   */
  phase: 'loading' | 'ready' | 'failed' | 'denied'
  /** Result code of the last response. */
  code: number
  /** Time of the last successful response in milliseconds since the epoch; 0 = none. */
  updatedAt: number
}

/** What a live store requests, and how often. */
export interface LiveSource<Request extends object, Response> {
  call: Call<Request, Response>
  /**
   * The request. When it changes, it is sent at once; the previous data stays until the response arrives. Left out for
   * a call whose request needs no fields.
   */
  request?: ReadableAtom<Request>
  pace: Pace
  topic?: Topic | readonly Topic[]
  /** The shortest interval between two requests after announced changes. The default is `fast`. */
  changePace?: Pace
}

interface LiveStoreOptions<Response, Data> {
  /** The data before the first response. */
  initial: Data
  /**
   * Computes the data from the previous data and a response. Undefined requests the whole data again, without `since`.
   */
  reduce(previous: Data, response: Response): Data | undefined
  /** Sends no request at the pace while the change feed guarantees that nothing has changed. */
  skipsUnchanged?: boolean
}

export type LiveStore<State> = ReadableAtom<State> & {
  /** Sends the request now; aborts one that is running. Resolves when the response is in the store. */
  refresh(): Promise<void>
}

// The socket of the change feed has the session and the language of the time at which it was opened.
onSessionClear(() => {
  if ($session.get()) reopenFeed()
})
$language.listen(reopenFeed)

const mountedRefreshes = new Set<() => unknown>()

/** Refreshes all live stores that have listeners. Resolves when the responses are in the stores. */
export const refreshLiveStores = (): Promise<unknown> =>
  Promise.all(Array.from(mountedRefreshes, (refresh) => refresh()))

const $noFields: ReadableAtom<object> = atom({})

/** What a store has loaded. */
interface Loaded<Request> {
  /** The request that the data in the store belongs to. */
  request?: Request | undefined
  /** Revision and mark of the data. Without a revision the whole data is requested next. */
  revision?: number | undefined
  mark?: string | undefined
  /** When the last request was sent, in milliseconds since the epoch. */
  requestedAt: number
}

/** Makes the function that sends a store's request and puts the response into the store. */
function createLoader<Request extends object, Response extends object, Data extends object>(
  { call, request = $noFields as ReadableAtom<Request> }: LiveSource<Request, Response>,
  reduce: LiveStoreOptions<Response, Data>['reduce'],
  $state: PreinitializedWritableAtom<LiveState & Data>,
  blank: LiveState & Data
) {
  const loaded: Loaded<Request> = { requestedAt: 0 }

  async function fetchResponse(wanted: Request, signal: AbortSignal): Promise<(Response & Envelope) | undefined> {
    // The first response may be long and would delay messages of the feed. Later ones are similar, which compresses
    // well on the socket.
    const overFeed = $state.value.phase === 'ready' ? await requestOverFeed(call, wanted, signal) : undefined
    return overFeed ?? (await send(call, wanted, { signal }).catch(() => undefined))
  }

  async function load(signal: AbortSignal): Promise<void> {
    const current = request.get()
    if (current !== loaded.request) {
      loaded.request = current
      loaded.revision = undefined
      if ($state.value.phase !== 'loading') $state.set({ ...$state.value, phase: 'loading' })
    }
    loaded.requestedAt = Date.now()
    const isDelta = loaded.revision !== undefined
    const liveRequest = isDelta ? { ...current, since: loaded.revision, mark: loaded.mark } : current
    const response = await fetchResponse(liveRequest, signal)
    // Only the signal rejects a request. A response that arrived at the same moment is ignored too.
    if (!response || signal.aborted) return
    const code = response.result
    if (code === SUCCESS) {
      const data = reduce($state.value, response)
      loaded.revision = data && (response as DeltaRequest & { rev?: number }).rev
      loaded.mark = (response as DeltaRequest).mark
      if (!data && isDelta) return load(signal)
      $state.set({ ...$state.value, ...data, phase: 'ready', code, updatedAt: Date.now() })
    } else if (code === NOT_PERMITTED) {
      loaded.revision = undefined
      $state.set({ ...blank, phase: 'denied', code })
    } else if (code !== NOT_LOGGED_IN) {
      // An ended session is not stored as a failure, because the next user would see it.
      $state.set({ ...$state.value, phase: $state.value.phase === 'ready' ? 'ready' : 'failed', code })
    }
  }

  return { loaded, load }
}

/** Makes a live store. It is never destroyed: make it once, at the top level of a module. */
export function createLiveStore<Request extends object, Response extends object, Data extends object>(
  source: LiveSource<Request, Response>,
  { initial, reduce, skipsUnchanged }: LiveStoreOptions<Response, Data>
): LiveStore<LiveState & Data> {
  const { request = $noFields as ReadableAtom<Request>, pace, topic, changePace = 'fast' } = source
  const blank: LiveState & Data = { phase: 'loading', code: SUCCESS, updatedAt: 0, ...initial }
  const $state = atom(blank)
  const { loaded, load } = createLoader(source, reduce, $state, blank)
  /** The newest revision that the feed has announced. */
  let announcedRevision = 0
  let running: { abort: AbortController; done: Promise<void> } | undefined
  let scheduled: ReturnType<typeof setTimeout> | undefined

  const isOutdated = () => loaded.revision !== undefined && announcedRevision > loaded.revision

  function stop(): void {
    running?.abort.abort()
    running = undefined
    clearTimeout(scheduled)
    scheduled = undefined
  }

  function refresh(): Promise<void> {
    stop()
    const abort = new AbortController()
    const done = load(abort.signal).finally(() => {
      if (running?.abort !== abort) return
      running = undefined
      if (isOutdated()) scheduleRequest()
    })
    running = { abort, done }
    return done
  }

  /** Sends the request unless it is running already. Resolves when the response is in the store. */
  const requestOnce = () => running?.done ?? refresh()

  /** Sends the request as soon as the interval of `changePace` has passed since the last one. */
  function scheduleRequest(): void {
    const sendRequest = () => {
      scheduled = undefined
      // A hidden tab catches up when it becomes visible.
      if (!document.hidden) void requestOnce()
    }
    scheduled ??= setTimeout(sendRequest, Math.max(0, loaded.requestedAt + REFRESH_INTERVAL[changePace] - Date.now()))
  }

  function handleRevision(revision?: number): void {
    if (revision === undefined) return void refresh()
    announcedRevision = revision
    if (loaded.revision === undefined || isOutdated()) scheduleRequest()
  }

  async function handlePace(): Promise<number> {
    const { phase, code } = $state.value
    const isUpToDate = phase === 'ready' && code === SUCCESS && loaded.request === request.get() && !isOutdated()
    if (!skipsUnchanged || !isUpToDate || !isFeedCurrent()) await requestOnce()
    return $state.value.code
  }

  onMount($state, () => {
    mountedRefreshes.add(refresh)
    const stops = [
      () => mountedRefreshes.delete(refresh),
      request.listen(() => void refresh()),
      poll(pace, handlePace),
      ...[topic ?? []].flat().map((each) => watchTopic(each, handleRevision)),
      stop
    ]
    return () => {
      for (const stopOne of stops) stopOne?.()
    }
  })
  // Responses contain sentences of the hub: in another language all of the data is requested again, whatever its
  // revision.
  $language.listen(() => {
    loaded.revision = undefined
    if (mountedRefreshes.has(refresh)) void refresh()
  })
  onSessionClear(() => {
    stop()
    loaded.request = loaded.revision = undefined
    $state.set(blank)
  })
  return Object.assign($state, { refresh })
}
