// Saves settings of the hub.
import type { Envelope } from '../../../contract/call.ts'
import { type SettingsRequest, setSettings } from '../../../contract/settings.ts'
import { sendMutation } from '../../state/mutations.ts'
import { verifySession } from '../../state/session.ts'
import * as OUTCOME from '../../text/outcomes.ts'

/**
 * Saves one part of the settings and reads the session again, which contains the password rules.
 * @param isShownElsewhere whether the form shows a failure at one of its fields: `form.showsError`
 */
export async function saveSettings(
  part: SettingsRequest,
  isShownElsewhere: (reply: Envelope) => boolean
): Promise<Envelope> {
  const reply = await sendMutation(setSettings, part, { isShownElsewhere, success: { text: OUTCOME.settingsSaved } })
  await verifySession()
  return reply
}
