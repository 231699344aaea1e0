import { useSyncExternalStore } from 'react'
import type { ReadableAtom } from '../draw/store.ts'

/** The value of a store, drawn anew when it changes. While it is drawn the store has a listener, and so is awake. */
export function useStore<T>(store: ReadableAtom<T>): T {
  return useSyncExternalStore(store.listen, () => store.get())
}
