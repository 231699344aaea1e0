// What became of what the user did. Toasts hold the code, and the frame writes its sentence: so it is in the language of now.
import { atom } from 'nanostores'
import type { Envelope } from '../../contract/call.ts'
import { NOT_LOGGED_IN, SUCCESS } from '../../contract/codes.ts'

export interface Toast {
  id: number
  /** Result code; 0 is shown as 'operation succeeded'. */
  code: number
}

/** Newest last. */
export const $toasts = atom<readonly Toast[]>([])

/** Milliseconds for which a success is shown. A failure stays until it is dismissed, or until it is one too many. */
const SUCCESS_SHOWN = 4000
const TOASTS_MAX = 4

let last = 0

export function dismiss(id: number): void {
  $toasts.set($toasts.get().filter((toast) => toast.id !== id))
}

/** Shows a result. The same one again takes the place of the first. */
export function tell(code: number): void {
  const id = ++last
  $toasts.set([...$toasts.get().filter((toast) => toast.code !== code), { id, code }].slice(-TOASTS_MAX))
  if (code === SUCCESS) setTimeout(() => dismiss(id), SUCCESS_SHOWN)
}

/**
 * Shows what becomes of a call and hands its answer on.
 * @param silent codes the caller deals with itself: those that ask to confirm
 */
export async function act<Reply extends Envelope>(
  reply: Promise<Reply>,
  silent: readonly number[] = []
): Promise<Reply> {
  const answer = await reply
  // Nobody signed in: the login page says it all.
  if (answer.result !== NOT_LOGGED_IN && !silent.includes(answer.result)) tell(answer.result)
  return answer
}
