import { useEffect } from 'react'
import { NDI_EDIT } from '../../../contract/access/permissions.ts'
import type { Envelope } from '../../../contract/call.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'
import { t } from '../../text/language.ts'
import { saveNdiSettings } from './store.ts'
import { TEXT } from './text.ts'

/** Edits whether new channels have an NDI output. */
export function OutputForm({ enable }: { enable: boolean }) {
  const form = useForm(
    {},
    { enable },
    (values): Promise<Envelope> => saveNdiSettings({ channel: { 'ndi-enable': values.enable } }, form.showsError)
  )
  // New values from the hub replace the form's values.
  useEffect(() => form.setValues({ enable }), [enable])
  return (
    <SettingsForm title={t(TEXT.output)} form={form} access={NDI_EDIT}>
      <SwitchField {...form.field('enable')} label={t(TEXT.byDefault)} hint={t(TEXT.byDefaultHint)} />
    </SettingsForm>
  )
}
