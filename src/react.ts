// What `react` means in the build: the part of it that the sources and wouter use, on Preact. The whole of preact/compat would stay in
// the bundle otherwise, since wouter imports React as a namespace (design 10). So `onChange` is the browser's own change event here, and
// `onFocus` and `onBlur` do not bubble; and there is one kind of effect, which comes with what was drawn, before it is seen.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'

export { cloneElement, createContext, createElement, Fragment, isValidElement } from 'preact'
export {
  useCallback,
  useContext,
  useLayoutEffect as useEffect,
  useLayoutEffect,
  useLayoutEffect as useIsomorphicLayoutEffect,
  useMemo,
  useRef,
  useState
} from 'preact/hooks'

type Props = Record<string, unknown>

let ids = 0

/** A name for an element, of which there is no other on the page. */
export function useId(): string {
  return useMemo(() => `id${++ids}`, [])
}

/** Of wouter: makes one function of what is new with each drawing. Nobody here goes anywhere by what that function is for. */
export function useEvent<Act>(act: Act): Act {
  return act
}

/** Preact hands `ref` to components among the other properties. */
export function forwardRef(draw: (props: Props, ref: unknown) => unknown) {
  return ({ ref = null, ...props }: Props) => draw(props, ref)
}

/** Draws anew whenever the value of a store outside differs from the one that was drawn. Another `read` comes with another `subscribe`. */
export function useSyncExternalStore<T>(subscribe: (changed: () => void) => () => void, read: () => T): T {
  const [, draw] = useState({})
  const drawn = useRef<T>(undefined)
  drawn.current = read()
  useLayoutEffect(() => {
    const look = () => {
      if (!Object.is(drawn.current, read())) draw({})
    }
    // It may have changed between drawing and now.
    look()
    return subscribe(look)
  }, [subscribe])
  return drawn.current as T
}
