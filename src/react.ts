// What `react` means here: the part of it that the console uses, drawn by `src/draw/`. `onChange` is the browser's own change event,
// `onFocus` and `onBlur` do not bubble, and there is one kind of effect, which comes with what was drawn, before it is seen.
export { createElement, Fragment } from './draw/element.ts'
export {
  useId,
  useLayoutEffect,
  useLayoutEffect as useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore
} from './draw/hooks.ts'
