import type { ReadableAtom } from 'nanostores'
import { useSyncExternalStore } from 'react'

/** The value of a store, drawn anew when it changes. While it is drawn the store has a listener, and so is awake. */
export function useStore<T>(store: ReadableAtom<T>): T {
  return useSyncExternalStore(store.listen, () => store.get())
}
