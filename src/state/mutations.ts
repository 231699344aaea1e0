// Runs the writes of the console: asks the user where the hub wants a confirmation, shows the result as a toast, and
// refreshes the data on screen.
import type { Call, Envelope } from '../../contract/call.ts'
import {
  DATA_LOSS,
  NOT_LOGGED_IN,
  OBJECT_BUSY,
  OFF_AIR,
  REAUTHENTICATION_REQUIRED,
  STATE_CHANGED,
  SUCCESS
} from '../../contract/codes.ts'
import { send } from '../link/send.ts'
import { codeText } from '../text/codes.ts'
import { type Translation, t } from '../text/language.ts'
import { responseLines } from '../text/response-message.ts'
import { confirm } from '../ui/dialog/confirm.tsx'
import { closeDialogs } from '../ui/dialog/dialog-host.tsx'
import { refreshLiveStores } from './live-store.ts'
import { offAirItems } from './off-air.ts'
import { askForPassword } from './reauthenticate-dialog.tsx'
import { $session, onSessionClear } from './session.ts'
import { notify, type SuccessMessage } from './toasts.ts'

// An open question must not be answered by the next user.
onSessionClear(closeDialogs)

const TEXT = {
  busy: ['Everything that uses it will be interrupted. {0}', '使用它的对象会被中断。{0}'],
  others: ['channels of other users', '其他用户的频道'],
  loss: ['This cannot be undone.', '此操作无法撤销。'],
  replaced: ['The existing item with this name will be replaced.', '同名的已有项将被替换。'],
  proceed: ['Proceed anyway', '仍然继续']
} as const satisfies Record<string, Translation>

/**
 * Spread into a request. At first, the hub shall refuse a call that takes channels off air. `force` is set once the
 * user has confirmed that the hub shall override a conflict.
 */
export interface ForceOption {
  'dry-run'?: 'if-off-air'
  force?: true
}

export const ASK_FIRST: ForceOption = { 'dry-run': 'if-off-air' }

/** Responses whose question the user answered with 'Cancel'. They need no message. */
const declined = new WeakSet<Envelope>()

/** The question in the words of the hub. */
function detailedQuestion(response: Envelope) {
  const [title = '', text] = responseLines(response)
  return { title, text, confirmLabel: t(TEXT.proceed) }
}

/** The question about a response that a repetition with `force` would override; undefined for any other response. */
function questionFor(response: Envelope) {
  const items = offAirItems(response)
  if (response['same-host'] !== undefined) return { ...detailedQuestion(response), items }
  const { result, message, 'owner-i': inputOwners, 'owner-o': outputOwners = [], 'owner-hidden': hasOthers } = response
  const danger = result !== OBJECT_BUSY
  if (danger && result !== DATA_LOSS && !inputOwners) return undefined
  // Only the hub knows what else uses the object.
  if (!danger && message && !inputOwners && !hasOthers && outputOwners.length === 0)
    return { ...detailedQuestion(response), items }
  const owners = [...(inputOwners ?? []), ...outputOwners, ...(hasOthers ? [t(TEXT.others)] : [])]
  const withoutOwners = inputOwners ? TEXT.replaced : TEXT.loss
  const text = t(danger && owners.length === 0 ? withoutOwners : TEXT.busy, owners.join(', '))
  // The list names the owners that are on air.
  return { title: codeText(result), text, items, confirmLabel: t(TEXT.proceed), danger }
}

/**
 * Asks whether the channels in these responses may go off air.
 * @returns whether the user agreed; true if they contain none
 */
export async function confirmOffAir(responses: readonly Envelope[]): Promise<boolean> {
  const items = responses.flatMap((response) => offAirItems(response) ?? [])
  if (items.length === 0) return true
  return confirm({ title: codeText(OFF_AIR), items, confirmLabel: t(TEXT.proceed), danger: true })
}

/**
 * Makes a call. Asks the user when the hub responds that channels go off air (1102), that the object is busy or that a
 * host is both of an input and an output (1005), that data would be lost (1009), or that the name is taken by an object
 * that can be overridden (1003 with `owner-i`), and repeats the call when the user agrees: with `force`, except after
 * 1102. Asks for the password and repeats the call when the hub requires that (1100).
 *
 * For single steps of a longer action. `mutate` includes it.
 */
export async function confirmAndRetry<Response extends Envelope>(
  makeCall: (force: ForceOption) => Promise<Response>
): Promise<Response> {
  let response = await makeCall(ASK_FIRST)
  if (response.result === REAUTHENTICATION_REQUIRED) {
    if (await askForPassword()) response = await makeCall(ASK_FIRST)
    else declined.add(response)
  }
  if (response.result === OFF_AIR) {
    if (await confirmOffAir([response])) response = await makeCall({})
    else declined.add(response)
  }
  const question = questionFor(response)
  if (!question || declined.has(response)) return response
  if (await confirm(question)) return makeCall({ force: true })
  declined.add(response)
  return response
}

export interface FailureOptions {
  /** Whether the caller shows this response itself, for instance `form.showsError`. It then gets no toast. */
  isShownElsewhere?: (response: Envelope) => boolean
}

export interface MutateOptions<Response = Envelope> extends FailureOptions {
  /** What the toast of a success says: it names the object. A function if that depends on the response. */
  success: SuccessMessage | ((response: Response) => SuccessMessage)
  /** The attempt: its result replaces the toast of an earlier failure of the same attempt. */
  attempt?: string
}

/**
 * Runs a write: makes the call (see `confirmAndRetry`), shows a toast with the result, and refreshes all live stores,
 * because a failure may also mean that somebody else has changed the data.
 * @param work makes the call; or the promise of a call that is already running and cannot be repeated
 * @returns the response. When the user declined the question, its result is still 1003, 1005, 1009, 1100 or 1102.
 */
export async function mutate<Response extends Envelope>(
  work: ((force: ForceOption) => Promise<Response>) | Promise<Response>,
  { isShownElsewhere, success, attempt }: MutateOptions<Response>
): Promise<Response> {
  const response = await (typeof work === 'function' ? confirmAndRetry(work) : work)
  // The login page needs no message. A device (`api`) may report 37 about its own session while the user's session
  // continues.
  const isSignedOut = response.result === NOT_LOGGED_IN && (!response.api || !$session.get())
  if (!isSignedOut && !declined.has(response) && !isShownElsewhere?.(response))
    notify(response, typeof success === 'function' ? success(response) : success, attempt)
  await refreshLiveStores()
  return response
}

/** `mutate` for a write that is a single call. The same call for the same object is the same attempt. */
export function sendMutation<Request extends object, Response>(
  call: Call<Request, Response>,
  request: Request,
  options: MutateOptions<Response & Envelope>
): Promise<Response & Envelope> {
  const { id, sn }: { id?: unknown; sn?: unknown } = request
  const attempt = `${call.path} ${JSON.stringify([id, sn])}`
  return mutate(
    ({ 'dry-run': dryRun, ...force }) =>
      send(call, { ...request, ...(call.interrupts && { 'dry-run': dryRun }), ...force }),
    {
      attempt,
      ...options
    }
  )
}

/** Whether a write returned result 0. */
export const succeeded = async (work: Promise<Envelope>): Promise<boolean> => (await work).result === SUCCESS

/**
 * Returns an undo that leaves what another user has changed since the action, and says so.
 * @param read requests the object from the hub
 * @param isUnchanged whether the object is as the action has left it
 * @param write sets what was before the action
 */
export const undoIfUnchanged =
  <Response extends Envelope>(
    read: () => Promise<Response>,
    isUnchanged: (response: Response) => boolean,
    write: (response: Response) => unknown
  ) =>
  async (): Promise<unknown> => {
    const response = await read()
    if (response.result !== SUCCESS) return notify(response)
    return isUnchanged(response) ? write(response) : notify(STATE_CHANGED)
  }
