// Store of the power state, and the calls that restart, shut down or reset the hub.
import type { Call, Envelope } from '../../../contract/call.ts'
import { DATA_LOSS } from '../../../contract/codes.ts'
import { getPower, type PowerRequest } from '../../../contract/machine/power.ts'
import { send } from '../../link/send.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { offAirItems } from '../../state/off-air.ts'
import { t } from '../../text/language.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { TEXT } from './text.ts'

export const $power = createLiveValue({ call: getPower, pace: 'slow', topic: 'status' })

interface Question {
  title: string
  /** A further consequence, shown after the list. */
  note?: string
  confirmLabel: string
}

/** Asks the user, with the list of what will stop. */
function askConsent(response: Envelope, { title, note, confirmLabel }: Question): Promise<boolean> {
  const { 'owner-i': names = [], 'owner-hidden': hasOthers } = response
  const list = [...names, ...(hasOthers ? [t(TEXT.someOthers)] : [])].join(', ')
  const text = [t(TEXT.stops, list), note].filter(Boolean).join(' ')
  return confirm({ title, text, items: offAirItems(response), confirmLabel, danger: true })
}

/**
 * Makes a call that interrupts channels or uploads. The user is asked if the hub reports any.
 * @returns undefined if the user declined
 */
export async function sendWithConsent<Request extends PowerRequest, Reply extends object>(
  call: Call<Request, Reply>,
  request: Request,
  question: Question
): Promise<(Reply & Envelope) | undefined> {
  const response = await send(call, request)
  if (response.result !== DATA_LOSS) return response
  return (await askConsent(response, question)) ? send(call, { ...request, 'dry-run': false, force: true }) : undefined
}
