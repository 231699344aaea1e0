// Stores and mutations of hubs and of the invitation.
import {
  acceptHubs,
  type CloudHub,
  deleteHubs,
  getInvitation,
  listHubs,
  rejectHubs,
  renewInvitation
} from '../../../contract/cloud/calls.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { BADGE_CAP_DEVICES } from '../../../contract/limits.ts'
import { createLiveList } from '../../state/live-list.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import type { Badges } from '../../state/system.ts'
import type { Translation } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

export const $hubs = createLiveList({
  call: listHubs,
  pace: 'slowest',
  topic: 'device',
  keyOf: ({ sn }) => sn
})

/** The counts in the menu. */
export function useHubBadges(): Badges {
  const { items } = useStore($hubs)
  const pending = items.filter(({ state }) => state === REGISTRATION_STATE.pending).length
  return { pending: Math.min(pending, BADGE_CAP_DEVICES), warnings: 0, problems: 0, channels: 0, upgrade: 0 }
}

/** Makes a call for hubs. @returns whether it succeeded */
const forHubs =
  (call: typeof acceptHubs, text: Translation) =>
  (hubs: readonly CloudHub[]): Promise<boolean> =>
    succeeded(
      sendMutation(call, { sn: hubs.map(({ sn }) => sn) }, { success: { text, names: hubs.map(({ name }) => name) } })
    )

export const accept = forHubs(acceptHubs, TEXT.acceptedOutcome)
export const reject = forHubs(rejectHubs, OUTCOME.rejected)
export const remove = forHubs(deleteHubs, OUTCOME.deleted)

export const $invitation = createLiveValue({ call: getInvitation, pace: 'rare', topic: 'device' })

export const renew = () => sendMutation(renewInvitation, {}, { success: { text: TEXT.renewed } })
