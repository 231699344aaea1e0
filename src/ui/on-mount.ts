// Stores that do something as long as somebody listens. nanostores knows this too, among five events more and at eight times the size.
import { type ReadableAtom, STORE_UNMOUNT_DELAY } from 'nanostores'

/**
 * Calls `start` when the first listener comes, and what it returned when the last one has been gone for a while: what is shown next
 * often listens again. Once for each store.
 */
export function onMount($store: ReadableAtom, start: () => () => void): void {
  const { listen } = $store
  let started = false
  let stop: () => void
  $store.listen = (listener) => {
    if (!started) {
      started = true
      stop = start()
    }
    return listen(listener)
  }
  $store.off = () => {
    setTimeout(() => {
      if (!started || $store.lc) return
      started = false
      stop()
    }, STORE_UNMOUNT_DELAY)
  }
}
