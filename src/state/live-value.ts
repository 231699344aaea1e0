// Single responses of the hub that keep themselves up to date. They contain measured values, whose changes the change
// feed does not announce: they are always requested at their pace, and sooner when the feed announces a change.
import type { ListResponse } from '../../contract/call.ts'
import { createLiveStore, type LiveSource, type LiveState, type LiveStore } from './live-store.ts'

interface LiveValueState<Response> extends LiveState {
  /** The last successful response. */
  value?: Response
}

/** Makes a value store. @param onResponse called with each successful response before it is in the store */
export function createLiveValue<Request extends object, Response extends object>(
  source: LiveSource<Request, Response>,
  onResponse?: (value: Response) => void
): LiveStore<LiveValueState<Response>> {
  return createLiveStore<Request, Response, { value?: Response }>(source, {
    initial: {},
    reduce(_previous, value) {
      // A value is whole: of a list that answers with changes only, the whole list is requested.
      if ((value as Partial<ListResponse<unknown>>).partial) return undefined
      onResponse?.(value)
      return { value }
    }
  })
}
