import { useEffect } from 'react'
import { setProfile } from '../../../contract/access/profile.ts'
import type { Envelope } from '../../../contract/call.ts'
import { nickName } from '../../../contract/rules/account.ts'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'
import { sendMutation } from '../../state/mutations.ts'
import { verifySession } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { TEXT } from './text.ts'

/** Edits the user's own display name. */
export function NameForm({ nick }: { nick: string }) {
  const form = useForm({ nick: nickName }, { nick }, async (values): Promise<Envelope> => {
    const reply = await sendMutation(setProfile, values, {
      isShownElsewhere: form.showsError,
      success: { text: OUTCOME.saved, names: [t(TEXT.nick)] }
    })
    // Shows the stored name.
    await verifySession()
    return reply
  })
  // A new value from the hub replaces the form's.
  useEffect(() => form.setValues({ nick }), [nick])
  return (
    <SettingsForm title={t(TEXT.nick)} form={form} access={setProfile.access}>
      <TextField {...form.field('nick')} label={t(TEXT.nick)} hint={t(TEXT.nickHint)} autoComplete="nickname" />
    </SettingsForm>
  )
}
