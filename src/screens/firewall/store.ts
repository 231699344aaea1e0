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

/** Settings that the user has edited. */
export interface FirewallDraft extends FirewallSettings {
  /** Settings of the hub that the draft began with. */
  base: FirewallSettings
}

/** Settings that the user has edited and not applied; undefined if there are none. */
export const $draft = atom<FirewallDraft | undefined>()
onSessionClear(() => $draft.set(undefined))

/** @param settings those on screen: of the hub, or the draft */
export function editSettings(settings: FirewallSettings | FirewallDraft, changes: Partial<FirewallSettings>): void {
  const { mode, rules } = settings
  const base = 'base' in settings ? settings.base : { mode, rules }
  $draft.set({ mode, rules, ...changes, base })
}

export const isSameSettings = (left: FirewallSettings, right: FirewallSettings): boolean =>
  left.mode === right.mode && JSON.stringify(left.rules) === JSON.stringify(right.rules)

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
