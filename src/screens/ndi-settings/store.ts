import type { Envelope } from '../../../contract/call.ts'
import { getSettings, type SettingsRequest, setSettings } from '../../../contract/settings.ts'
import { $ndiStatus } from '../../parts/source/ndi-status.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { type FailureOptions, sendMutation } from '../../state/mutations.ts'
import * as OUTCOME from '../../text/outcomes.ts'

export const $settings = createLiveValue({ call: getSettings, pace: 'slowest', topic: 'ndi' })

export async function saveNdiSettings(part: SettingsRequest, options: FailureOptions): Promise<Envelope> {
  const reply = await sendMutation(setSettings, part, {
    ...options,
    success: { text: OUTCOME.settingsSaved }
  })
  // Shows what the hub then says.
  await Promise.all([$settings.refresh(), $ndiStatus.refresh()])
  return reply
}
