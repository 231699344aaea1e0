// Values that several places watch, and that may do something as long as somebody does.

type Listener<T> = (value: T, before: T) => void

export interface ReadableAtom<T> {
  /** The value as it is, which is none of a store that was never awake and starts with none. */
  readonly value: T
  /** The value. Reading wakes as a listener does that leaves at once. */
  get(): T
  /**
   * @param listener hears of each change; one that is heard by this store already is not heard twice
   * @returns how to listen no more
   */
  listen(listener: Listener<T>): () => void
  /** Listens, and is told the present value at once. */
  subscribe(listener: Listener<T>): () => void
}

export interface WritableAtom<T> extends ReadableAtom<T> {
  /** The value that it is already changes nothing. */
  set(value: T): void
}

/** A store as this file knows it. */
interface Waking<T> extends WritableAtom<T> {
  value: T
  start?: () => () => void
}

/** Milliseconds that a store stays awake after its last listener: what is shown next often listens again. */
export const STORE_UNMOUNT_DELAY = 1000

export function atom<T>(): WritableAtom<T | undefined>
export function atom<T>(value: T): WritableAtom<T>
export function atom<T>(first?: T): WritableAtom<T | undefined> {
  const listeners = new Set<Listener<T | undefined>>()
  let awake = false
  let stop: (() => void) | undefined
  function rest(): void {
    if (!awake || listeners.size) return
    awake = false
    stop?.()
  }
  const store: Waking<T | undefined> = {
    value: first,
    get() {
      if (!listeners.size) store.listen(() => {})()
      return store.value
    },
    listen(listener) {
      if (!awake) {
        // What starts may read and set this store.
        awake = true
        stop = store.start?.()
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (stop && !listeners.size) setTimeout(rest, STORE_UNMOUNT_DELAY)
      }
    },
    set(next) {
      const before = store.value
      if (Object.is(next, before)) return
      store.value = next
      // Who has left or come meanwhile is not told. A listener that sets the store again has that told at once.
      for (const listener of [...listeners]) if (listeners.has(listener)) listener(store.value, before)
    },
    subscribe(listener) {
      const leave = store.listen(listener)
      listener(store.value, store.value)
      return leave
    }
  }
  return store
}

/** Calls `start` when the first listener comes, and what it returned when the last one has been gone for a while. Once for each store. */
export function onMount<T>(store: ReadableAtom<T>, start: () => () => void): void {
  ;(store as Waking<T>).start = start
}

// biome-ignore lint/suspicious/noExplicitAny: stores of values of any kind
type Stores = readonly ReadableAtom<any>[]
type Values<From extends Stores> = { [At in keyof From]: From[At]['value'] }

/** A store of what is made from the values of others, anew only when one of them is another. */
export function computed<T, From>(from: ReadableAtom<From>, make: (value: From) => T): ReadableAtom<T>
export function computed<T, From extends Stores>(
  from: readonly [...From],
  make: (...values: Values<From>) => T
): ReadableAtom<T>
export function computed<T>(from: ReadableAtom<unknown> | Stores, make: (...values: never[]) => T): ReadableAtom<T> {
  const stores = [from].flat() as Stores
  const store = atom<T>() as WritableAtom<T>
  const { get } = store
  let known: readonly unknown[] | undefined
  function look(): void {
    const values = stores.map((one) => one.get())
    if (values.every((value, at) => known && Object.is(value, known[at]))) return
    known = values
    store.set(make(...(values as never[])))
  }
  store.get = () => {
    look()
    return get()
  }
  onMount(store, () => {
    const leave = stores.map((one) => one.listen(look))
    look()
    return () => {
      for (const one of leave) one()
    }
  })
  return store
}
