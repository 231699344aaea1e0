// Replaces the package `react` in the build: the part of it that the sources and wouter use, on top of Preact. Without
// it the whole of preact/compat would be in the bundle, because wouter imports React as a namespace. Differences to
// React: `onChange` is the browser's native change event, `onFocus` and `onBlur` do not bubble, and all effects are
// layout effects, which run before the browser paints.
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

let lastId = 0

/** An element id that is unique on the page. */
export function useId(): string {
  return useMemo(() => `id${++lastId}`, [])
}

/**
 * Used by wouter to give a function a stable identity. The console does not depend on that identity, so this returns
 * the function itself.
 */
export function useEvent<Handler>(handler: Handler): Handler {
  return handler
}

/** Preact passes `ref` to components as a property. */
export function forwardRef(render: (props: Props, ref: unknown) => unknown) {
  return ({ ref = null, ...props }: Props) => render(props, ref)
}

/**
 * Re-renders when the value of an external store has changed. A different `read` must come with a different
 * `subscribe`.
 */
export function useSyncExternalStore<T>(subscribe: (onChange: () => void) => () => void, getSnapshot: () => T): T {
  const [, rerender] = useState({})
  const rendered = useRef<T>(undefined)
  rendered.current = getSnapshot()
  useLayoutEffect(() => {
    const checkForChange = () => {
      if (!Object.is(rendered.current, getSnapshot())) rerender({})
    }
    // The value may have changed since it was rendered.
    checkForChange()
    return subscribe(checkForChange)
  }, [subscribe])
  return rendered.current as T
}
