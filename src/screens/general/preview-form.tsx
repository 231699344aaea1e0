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
export function PreviewForm({ isDataSaverOn }: { isDataSaverOn: boolean }) {
  const form = useForm(
    {},
    { isDataSaverOn },
    (values): Promise<Envelope> => saveSettings({ previews: { 'data-saver': values.isDataSaverOn } }, form.showsError)
  )
  // A new value from the hub replaces the form's.
  useEffect(() => form.setValues({ isDataSaverOn }), [isDataSaverOn])
  return (
    <SettingsForm title={t(TEXT.previews)} form={form} access={settingAccess('previews').edit}>
      <SwitchField {...form.field('isDataSaverOn')} label={t(TEXT.dataSaver)} hint={t(TEXT.dataSaverHint)} />
    </SettingsForm>
  )
}
