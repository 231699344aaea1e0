// The firewall of the machine under the hub, and its changes.
import { atom } from 'nanostores'
import { SUCCESS } from '../../../contract/codes.ts'
import { type FirewallSettings, getFirewall, setFirewall } from '../../../contract/machine/firewall/firewall.ts'
import { TEXT as CONFIRMATION } from '../../parts/confirmation/text.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { sendMutation } from '../../state/mutations.ts'
import { onSessionClear } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { TEXT } from './text.ts'

export const $firewall = createLiveValue({ call: getFirewall, pace: 'slower', topic: 'status' })

/** Settings that the user has edited, or those of the hub. */
export interface FirewallDraft extends FirewallSettings {
  /**
   * Of the settings of the hub that the draft began with. Absent in a change that waits for its confirmation: it is not
   * edited.
   */
  revision?: string
}

/** Settings that the user has edited and not applied; undefined if there are none. */
export const $draft = atom<FirewallDraft | undefined>()
onSessionClear(() => $draft.set(undefined))

/** @param settings those on screen: of the hub, or the draft */
export function editSettings({ mode, rules, revision }: FirewallDraft, changes: Partial<FirewallDraft>): void {
  $draft.set({ mode, rules, revision, ...changes })
}

export const isSameSettings = (left: FirewallSettings, right: FirewallSettings): boolean =>
  left.mode === right.mode && JSON.stringify(left.rules) === JSON.stringify(right.rules)

/**
 * Applies settings. The draft stays if the hub refuses them, also because the settings of the hub have another revision
 * by now.
 * @returns whether the hub has applied them, or waits for their confirmation
 */
export async function applySettings({ mode, rules, revision }: FirewallDraft): Promise<boolean> {
  const response = await sendMutation(
    setFirewall,
    { mode, rules, revision },
    {
      success: ({ change }) => ({
        text: change ? CONFIRMATION.keepQuestion : OUTCOME.settingsSaved,
        names: [t(TEXT.theFirewall)]
      })
    }
  )
  if (response.result === SUCCESS) $draft.set(undefined)
  return response.result === SUCCESS
}
