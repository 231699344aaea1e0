import { useEffect } from 'react'
import type { Envelope } from '../../../contract/call.ts'
import { settingAccess } from '../../../contract/settings.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { saveSettings } from '../../parts/settings/save-settings.ts'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'
import { t } from '../../text/language.ts'
import { TEXT } from './text.ts'

/** Edits the default of the data saver. */
export function PreviewForm({ isSaving }: { isSaving: boolean }) {
  const form = useForm(
    {},
    { isSaving },
    (values): Promise<Envelope> => saveSettings({ previews: { 'data-saver': values.isSaving } }, form.showsError)
  )
  // A new value from the hub replaces the form's.
  useEffect(() => form.setValues({ isSaving }), [isSaving])
  return (
    <SettingsForm title={t(TEXT.previews)} form={form} access={settingAccess('previews').edit}>
      <SwitchField {...form.field('isSaving')} label={t(TEXT.dataSaver)} hint={t(TEXT.dataSaverHint)} />
    </SettingsForm>
  )
}
