// What became of what the user did. Toasts hold the answer, and the frame writes its sentences: so they are in the language of now.
import { atom } from 'nanostores'
import type { Call, Envelope } from '../../contract/call.ts'
import { DATA_LOSS, NOT_LOGGED_IN, OBJECT_BUSY, SUCCESS } from '../../contract/codes.ts'
import { send } from '../link/send.ts'
import { codeText } from '../text/codes.ts'
import { type Pair, t } from '../text/language.ts'
import { confirm } from '../ui/dialog/confirm.tsx'
import { closeDialogs } from '../ui/dialog/dialog-host.tsx'
import { refreshLive } from './live.ts'
import { $session, onClear } from './session.ts'

export interface Toast {
  id: number
  /** With result 0 it is shown as 'operation succeeded'. */
  answer: Envelope
}

/** Newest last. */
export const $toasts = atom<readonly Toast[]>([])

/** Milliseconds for which a success is shown. A failure stays until it is dismissed, or until it is one too many. */
const SUCCESS_SHOWN = 4000
const TOASTS_MAX = 4

let last = 0
let held = false
let timer: ReturnType<typeof setTimeout> | undefined

const isFailure = ({ answer }: Toast) => answer.result !== SUCCESS

export function dismiss(id: number): void {
  $toasts.set($toasts.get().filter((toast) => toast.id !== id))
}

/** Successes stay as long as they are held, since somebody reads; from then on their time begins anew. */
export function hold(on: boolean): void {
  held = on
  clearTimeout(timer)
  if (!held) timer = setTimeout(() => $toasts.set($toasts.get().filter(isFailure)), SUCCESS_SHOWN)
}

/** Shows an answer, or a mere result. The same result again takes the place of the first. */
export function tell(answer: Envelope | number): void {
  const toast = { id: ++last, answer: typeof answer === 'number' ? { result: answer } : answer }
  const others = $toasts
    .get()
    .filter((other) => other.answer.result !== toast.answer.result || other.answer.message !== toast.answer.message)
  $toasts.set([...others, toast].slice(-TOASTS_MAX))
  if (!isFailure(toast)) hold(held)
}

// What one user did is not for the next, who may have to sign in first.
onClear(() => {
  closeDialogs()
  $toasts.set([])
})

const TEXT = {
  busy: ['What uses it is interrupted. {0}', '使用它的对象会被中断。{0}'],
  loss: ['What is lost cannot be brought back.', '丢失的数据无法恢复。'],
  replaced: ['The one of this name is replaced.', '同名的已有项将被替换。'],
  proceed: ['Proceed anyway', '仍然继续']
} as const satisfies Record<string, Pair>

/** To be spread into the request: it is there when the user wants it whatever stands against it. */
export interface Force {
  force?: true
}

/** Answers that the user took as a no. */
const denied = new WeakSet<Envelope>()

/**
 * Makes a call. Where the hub answers that the object is busy (1005), that data would be lost (1009), or that a name is taken whose owner can
 * be overridden (1003 with `owner-i`), it asks the user, and makes it again with `force`. For the steps of a longer action; `act` does it for whole ones.
 */
export async function insist<Reply extends Envelope>(make: (force: Force) => Promise<Reply>): Promise<Reply> {
  const answer = await make({})
  const danger = answer.result !== OBJECT_BUSY
  if (danger && answer.result !== DATA_LOSS && !answer['owner-i']) return answer
  const owners = [...(answer['owner-i'] ?? []), ...(answer['owner-o'] ?? [])]
  const lost = answer['owner-i'] ? TEXT.replaced : TEXT.loss
  const text = t(danger && owners.length === 0 ? lost : TEXT.busy, owners.join(', '))
  if (await confirm({ title: codeText(answer.result), text, verb: t(TEXT.proceed), danger }))
    return make({ force: true })
  denied.add(answer)
  return answer
}

export interface ActOptions {
  /** Whether the caller says it itself: `form.takes`. */
  quiet?: (answer: Envelope) => boolean
}

/**
 * What every change goes through. Makes the call (see `insist`), tells what became of it, and asks anew for what is shown, be it that
 * it was changed now or, as an answer may say, before.
 * @param work how to make the call; or what is under way already, which cannot be made again
 * @returns the answer; a question that the user answered with no leaves it 1003, 1005 or 1009
 */
export async function act<Reply extends Envelope>(
  work: ((force: Force) => Promise<Reply>) | Promise<Reply>,
  { quiet }: ActOptions = {}
): Promise<Reply> {
  const answer = await (typeof work === 'function' ? insist(work) : work)
  const { result } = answer
  // Nobody signed in: the login page says it all. A device may say it of its own session.
  const signIn = result === NOT_LOGGED_IN && (!answer.api || !$session.get())
  if (!signIn && !denied.has(answer) && !quiet?.(answer)) tell(answer)
  await refreshLive()
  return answer
}

/** `act` for a change that is one call. */
export const change = <Request extends object, Reply>(
  call: Call<Request, Reply>,
  request: Request,
  options?: ActOptions
): Promise<Reply & Envelope> => act((force) => send(call, { ...request, ...force }), options)

/** Whether a change went well. */
export const well = async (work: Promise<Envelope>): Promise<boolean> => (await work).result === SUCCESS
