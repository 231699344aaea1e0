// Single answers of the hub that keep themselves up to date. They hold measured values, which change without a word of the feed: they
// are asked for at their pace always, and sooner when there is a word.
import { type Live, type LiveSource, type LiveStore, live } from './live.ts'

export interface LiveValue<Reply> extends Live {
  /** The last good answer. */
  value?: Reply
}

/** Makes a value store. @param heard told each good answer before the store holds it */
export function liveValue<Request extends object, Reply extends object>(
  source: LiveSource<Request, Reply>,
  heard?: (value: Reply) => void
): LiveStore<LiveValue<Reply>> {
  return live<Request, Reply, { value?: Reply }>(source, {
    nothing: {},
    read(_held, value) {
      heard?.(value)
      return { value }
    }
  })
}
