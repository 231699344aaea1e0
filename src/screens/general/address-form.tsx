import { useEffect } from 'react'
import type { Envelope } from '../../../contract/call.ts'
import { settingAccess } from '../../../contract/settings.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { QUESTION } from '../../parts/actions.tsx'
import { saveSettings } from '../../parts/settings/save-settings.ts'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'
import { t } from '../../text/language.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { TEXT } from './text.ts'

/** Asks before running streams end. */
function confirmRefusal(): Promise<boolean> {
  const label = t(TEXT.forbid)
  return confirm({ title: t(QUESTION, label), text: t(TEXT.forbidText), confirmLabel: label, danger: true })
}

/** Edits the address policy of streams. */
export function AddressForm({ isForbidden }: { isForbidden: boolean }) {
  const form = useForm({}, { isAllowed: !isForbidden }, async ({ isAllowed }): Promise<Envelope | undefined> => {
    if (!isAllowed && !isForbidden && !(await confirmRefusal())) return undefined
    return saveSettings({ streams: { 'forbid-private': !isAllowed } }, form.showsError)
  })
  // A new value from the hub replaces the form's.
  useEffect(() => form.setValues({ isAllowed: !isForbidden }), [isForbidden])
  return (
    <SettingsForm title={t(TEXT.addresses)} form={form} access={settingAccess('streams').edit}>
      <SwitchField {...form.field('isAllowed')} label={t(TEXT.allowPrivate)} />
      <p className="muted">{t(form.values.isAllowed ? TEXT.allowed : TEXT.forbidden)}</p>
    </SettingsForm>
  )
}
