// Life cycle of stores. nanostores has an `onMount` too, among five further events and at eight times the size.
import { type ReadableAtom, STORE_UNMOUNT_DELAY } from 'nanostores'

/**
 * Calls `start` when the store gets its first listener, and the function that `start` returned one second after the
 * last listener left. The delay avoids a restart when the next page listens to the same store. May be called once per
 * store.
 */
export function onMount($store: ReadableAtom, start: () => () => void): void {
  const { listen } = $store
  let isStarted = false
  let stop: () => void
  $store.listen = (listener) => {
    if (!isStarted) {
      isStarted = true
      stop = start()
    }
    return listen(listener)
  }
  $store.off = () => {
    setTimeout(() => {
      if (!isStarted || $store.lc) return
      isStarted = false
      stop()
    }, STORE_UNMOUNT_DELAY)
  }
}
