// Confirms a change that the hub undoes otherwise, or undoes it at once.
import type { Call, Envelope } from '../../../contract/call.ts'
import { sendOverFreshConnection } from '../../link/fresh-connection.ts'
import { mutate } from '../../state/mutations.ts'
import { TEXT } from './text.ts'

/** A call that keeps the waiting change, or undoes it. */
export type ConfirmCall = Call<{ keep?: boolean }, unknown>

/** @param subject name of the changed interface, or of the firewall */
export const confirmChange = (call: ConfirmCall, subject: string, keep: boolean): Promise<Envelope> =>
  mutate(sendOverFreshConnection(call, { keep }), {
    success: { text: keep ? TEXT.kept : TEXT.restoring, names: [subject] },
    attempt: call.path
  })
