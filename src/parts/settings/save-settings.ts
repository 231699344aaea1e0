// Saves settings of the hub.
import type { Envelope } from '../../../contract/call.ts'
import { type SettingsRequest, setSettings } from '../../../contract/settings.ts'
import { type FailureOptions, sendMutation } from '../../state/mutations.ts'
import { verifySession } from '../../state/session.ts'
import * as OUTCOME from '../../text/outcomes.ts'

/**
 * Saves one part of the settings and reads the session again, which contains the password rules.
 */
export async function saveSettings(part: SettingsRequest, options: FailureOptions): Promise<Envelope> {
  const reply = await sendMutation(setSettings, part, { ...options, success: { text: OUTCOME.settingsSaved } })
  await verifySession()
  return reply
}
