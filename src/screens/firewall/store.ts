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

export const $firewall = createLiveValue({ call: getFirewall, request: atom({}), pace: 'slower', topic: 'status' })

/** Settings that the user has edited and not applied; undefined if there are none. */
export const $draft = atom<FirewallSettings | undefined>()
onSessionClear(() => $draft.set(undefined))

/** Applies settings. The draft stays if the hub refuses them. */
export async function applySettings({ mode, rules }: FirewallSettings): Promise<void> {
  const response = await sendMutation(
    setFirewall,
    { mode, rules },
    {
      success: ({ change }) => ({
        text: change ? CONFIRMATION.keepQuestion : OUTCOME.settingsSaved,
        names: [t(TEXT.theFirewall)]
      })
    }
  )
  if (response.result === SUCCESS) $draft.set(undefined)
}
