// What components remember, and do once they are drawn. Each is called every time, in the same order.
import { drawAgain, type Effect, type Kept, keep, present, wanted } from './tree.ts'

type Known = readonly unknown[] | undefined

/** Whether one of what something was made from is another; always, without a list. */
function isOther(known: Known, before: Known): boolean {
  return !known || !before || known.some((one, at) => !Object.is(one, before[at]))
}

interface State<T> extends Kept {
  value: T
  set(next: T | ((value: T) => T)): void
}

const settled = <T, Given extends unknown[]>(what: T | ((...given: Given) => T), ...given: Given): T =>
  typeof what === 'function' ? (what as (...given: Given) => T)(...given) : what

/** A value, and how to set another, with which the component is drawn again. Either may be made by a function. */
export function useState<T>(first: T | (() => T)): [T, State<T>['set']] {
  const drawn = present
  const state = keep<State<T>>(() => ({
    value: settled(first),
    set(next) {
      const value = settled(next, state.value)
      if (Object.is(value, state.value)) return
      state.value = value
      drawAgain(drawn)
    }
  }))
  return [state.value, state.set]
}

/** What was made last time, unless something that it is made from is another. */
export function useMemo<T>(make: () => T, known: Known): T {
  const memo = keep<Kept & { value?: T; known?: Known }>(() => ({}))
  if (isOther(known, memo.known)) Object.assign(memo, { value: make(), known })
  return memo.value as T
}

/** A place for an element, or for what is not drawn. */
export function useRef<T>(first: T): { current: T } {
  return useMemo(() => ({ current: first }), [])
}

/**
 * Acts when what was drawn is in the document, before it is seen: the first time, and when something that it goes by is another.
 * @param act may answer how to undo it, which is done before the next time and when the component goes
 */
export function useLayoutEffect(act: () => undefined | (() => void), known?: Known): void {
  const effect = keep<Effect & { known?: Known }>(() => ({ act: () => {} }))
  if (!isOther(known, effect.known)) return
  effect.act = () => {
    effect.known = known
    effect.undo = act()
  }
  wanted.push(effect)
}

let ids = 0

/** A name for an element, of which there is no other on the page. */
export function useId(): string {
  return useMemo(() => `id${++ids}`, [])
}

/** Draws anew whenever the value of a store outside differs from the one that was drawn. Another `read` comes with another `subscribe`. */
export function useSyncExternalStore<T>(subscribe: (changed: () => void) => () => void, read: () => T): T {
  const drawn = present
  const shown = useRef<unknown>(undefined)
  const value = read()
  shown.current = value
  useLayoutEffect(() => {
    const look = () => {
      if (!Object.is(shown.current, read())) drawAgain(drawn)
    }
    const stop = subscribe(look)
    // It may have changed between drawing and now.
    look()
    return stop
  }, [subscribe])
  return value
}
