// Hooks of the screens of the NDI router.
import { useEffect, useLayoutEffect, useRef } from 'react'
import { type Matrix, takeRoutes } from '../../../contract/ndi/router.ts'
import { $isAllowed } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'
import { structureOf } from './armed.ts'
import { $isCurrent } from './current-state.ts'
import { $matrices } from './store.ts'
import { TEXT } from './take-text.ts'

/** The matrix with this id. Unchanged parts stay the same objects, so that only the changed ones render again. */
export function useMatrix(id: number): Matrix | undefined {
  const latest = useStore($matrices).items.find((matrix) => matrix.id === id)
  const shared = useRef<Matrix>(undefined)
  shared.current = latest && shareUnchanged(shared.current, latest)
  return shared.current
}

/** `useMatrix` for a dialog, which closes when somebody deletes the matrix. */
export function useDialogMatrix(id: number, onClose: () => void): Matrix | undefined {
  const matrix = useMatrix(id)
  const isDeleted = matrix === undefined && $matrices.get().phase === 'ready'
  useEffect(() => {
    if (isDeleted) onClose()
  }, [isDeleted])
  return matrix
}

/**
 * Calls `onChange` after somebody has edited the lists of the matrix: routes that were chosen by number may now mean
 * other sources.
 */
export function useStructureChange(matrix: Matrix | undefined, onChange: () => void): void {
  const structure = matrix && structureOf(matrix)
  const before = useRef(structure)
  useLayoutEffect(() => {
    if (structure === undefined) return
    if (before.current !== undefined && before.current !== structure) onChange()
    before.current = structure
  }, [structure])
}

/**
 * Why nothing can be switched, as a sentence: the user lacks the permission, or the state may be old. Undefined if
 * takes are possible.
 */
export function useTakeObstacle(): string | undefined {
  const isAllowed = useStore($isAllowed)
  const isCurrent = useStore($isCurrent)
  if (!isAllowed(takeRoutes)) return t(TEXT.viewOnly)
  return isCurrent ? undefined : t(TEXT.stale)
}

// Structural sharing between two versions of the same JSON value.
type Fields = Record<string, unknown>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** @returns `next`, with every part that equals the one at the same place of `previous` replaced by that one */
export function shareUnchanged<Value>(previous: unknown, next: Value): Value {
  if (previous === next || !isObject(previous) || !isObject(next)) return next
  if (Array.isArray(previous) !== Array.isArray(next)) return next
  const shared: Fields = Array.isArray(next) ? ([] as unknown as Fields) : {}
  const keys = Object.keys(next)
  let isEqual = keys.length === Object.keys(previous).length
  for (const key of keys) {
    shared[key] = shareUnchanged(previous[key], next[key])
    isEqual &&= shared[key] === previous[key]
  }
  return (isEqual ? previous : shared) as Value
}
