import type { ReadableAtom } from 'nanostores'
import { useCallback, useSyncExternalStore } from 'react'

/** The value of a store, drawn anew when it changes. While it is drawn the store has a listener, and so is awake. */
export function useStore<T>(store: ReadableAtom<T>): T {
  const subscribe = useCallback((changed: () => void) => store.listen(changed), [store])
  return useSyncExternalStore(subscribe, () => store.get())
}
