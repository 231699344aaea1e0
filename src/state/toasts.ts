// The list of messages (toasts). A toast holds the hub's response; the frame turns it into sentences when it renders,
// so that they follow the current language.
import { atom } from 'nanostores'
import type { Envelope } from '../../contract/call.ts'
import { SUCCESS } from '../../contract/codes.ts'
import type { Translation } from '../text/language.ts'
import { onSessionClear } from './session.ts'

/** What a success says, and where it leads. */
export interface SuccessMessage {
  /** `{0}` are the names. */
  text: Translation
  names?: readonly string[]
  /** A second line with names. */
  note?: { text: Translation; names: readonly string[] }
  /** Further lines, in the language of the response. With them the toast stays until it is dismissed. */
  lines?: readonly string[]
  /** The link to the object (`paths.ts`). */
  path?: string
  /** Undoes the action. */
  undo?: () => unknown
}

export interface Toast {
  id: number
  response: Envelope
  /** Without it, result 0 is shown as 'Operation succeeded'. */
  success?: SuccessMessage
  /** The attempt: a later result of the same attempt replaces an earlier failure. */
  attempt?: string | undefined
}

/** Newest last. */
export const $toasts = atom<readonly Toast[]>([])

/** Milliseconds for which a success is shown. A failure stays until it is dismissed or pushed out. */
const SUCCESS_DURATION = 4000
/** Milliseconds for which successes are shown while one of them can be undone. */
const UNDO_DURATION = 10_000
/** Toasts shown at once. The oldest is pushed out. */
const TOASTS_MAX = 4

let lastId = 0
let isExpiryPaused = false
let timer: ReturnType<typeof setTimeout> | undefined

const isFailure = ({ response }: Toast) => response.result !== SUCCESS

const isKept = (toast: Toast) => isFailure(toast) || toast.success?.lines?.length

/** Undoes the last action that a toast offers to undo. @returns whether there is one */
export function undoLast(): boolean {
  const last = $toasts.get().findLast(({ success }) => success?.undo)
  if (last) undo(last)
  return last !== undefined
}

/** Undoes the action of a toast, and dismisses the toast. */
export function undo({ id, success }: Toast): void {
  dismiss(id)
  void success?.undo?.()
}

export function dismiss(id: number): void {
  $toasts.set($toasts.get().filter((toast) => toast.id !== id))
}

/**
 * While paused, successes stay on screen, because the user is reading them. When it ends, they are shown for their full
 * time again.
 */
export function setExpiryPaused(paused: boolean): void {
  isExpiryPaused = paused
  clearTimeout(timer)
  if (paused) return
  const toasts = $toasts.get()
  const time = toasts.some(({ success }) => success?.undo) ? UNDO_DURATION : SUCCESS_DURATION
  timer = setTimeout(() => $toasts.set($toasts.get().filter(isKept)), time)
}

/** Toasts with equal texts look the same. */
const keyOf = ({ response: { result, message }, success }: Toast) =>
  JSON.stringify([result, message, success?.text, success?.names])

/**
 * Shows a response, or a bare result code. A toast with the same text is replaced, and so is an earlier failure of the
 * same attempt.
 * @param success what result 0 says
 * @param attempt see `Toast`
 */
export function notify(responseOrResult: Envelope | number, success?: SuccessMessage, attempt?: string): void {
  const response = typeof responseOrResult === 'number' ? { result: responseOrResult } : responseOrResult
  const toast = { id: ++lastId, response, attempt, ...(success && response.result === SUCCESS && { success }) }
  const isReplaced = (other: Toast) =>
    keyOf(other) === keyOf(toast) || (attempt !== undefined && other.attempt === attempt && isFailure(other))
  const others = $toasts.get().filter((other) => !isReplaced(other))
  $toasts.set([...others, toast].slice(-TOASTS_MAX))
  if (!isFailure(toast)) setExpiryPaused(isExpiryPaused)
}

// Messages for one user must not be shown to the next.
onSessionClear(() => $toasts.set([]))
