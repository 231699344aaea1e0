// Sentences of a demo device about its registration at the hub.
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { REFUSAL_STATE } from '../../contract/device/link.ts'

const SENTENCES: Readonly<Record<number, string>> = {
  [REGISTRATION_STATE.registering]: 'registering',
  [REGISTRATION_STATE.accepted]: 'accepted',
  [REGISTRATION_STATE.rejected]: 'rejected by a user of the hub',
  [REGISTRATION_STATE.pending]: 'waiting for approval',
  [REGISTRATION_STATE.deleted]: 'deleted from the hub',
  [REFUSAL_STATE.exists]: 'refused: another device has its serial number',
  [REFUSAL_STATE.wrongCode]: 'refused: wrong invitation code',
  [REFUSAL_STATE.illegalDevice]: 'refused: the hub does not take it for a valid device'
}

/** States in which the hub does not take the device, or no longer. */
const REFUSALS: readonly number[] = [
  REGISTRATION_STATE.rejected,
  REGISTRATION_STATE.deleted,
  ...Object.values(REFUSAL_STATE)
]

/** @param state registration state or refusal (contract/device/link.ts); undefined before the first attempt */
export function registrationText(state: number | undefined): string {
  return state === undefined ? '' : (SENTENCES[state] ?? `unknown state ${state}`)
}

/** Whether a registration state is worth a line in the output of the fleet. */
export const isRefusal = (state: number | undefined): boolean => state !== undefined && REFUSALS.includes(state)
