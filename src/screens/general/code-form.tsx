import { useEffect } from 'react'
import type { Envelope } from '../../../contract/call.ts'
import { invitationCode } from '../../../contract/rules/hub.ts'
import type { RuleSet } from '../../../contract/rules/rules.ts'
import { type Settings, settingAccess } from '../../../contract/settings.ts'
import { NumberField } from '../../form/number-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { saveSettings } from '../../parts/settings/save-settings.ts'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'
import { t } from '../../text/language.ts'
import { TEXT } from './text.ts'

interface Values {
  isRequired: boolean
  code: string
}

const RULES: RuleSet<Values> = { code: (value, { isRequired }) => (isRequired ? invitationCode(value) : undefined) }

/** A form that edits the invitation code. The hub sends the code only to users with the permission to edit settings. */
export function CodeForm({ settings }: { settings: Settings['security'] }) {
  const { 'enable-code': isRequired, 'code-value': code } = settings
  const initial: Values = { isRequired, code: code ?? '' }
  const form = useForm<Values>(
    RULES,
    initial,
    (values): Promise<Envelope> =>
      saveSettings(
        { security: { 'enable-code': values.isRequired, ...(values.isRequired && { 'code-value': values.code }) } },
        form.showsError
      ),
    { fieldOfWireName: { 'security.code-value': 'code' } }
  )
  // New values from the hub replace the form's values.
  useEffect(() => form.setValues(initial), [isRequired, code])
  return (
    <SettingsForm title={t(TEXT.registration)} form={form} access={settingAccess('security').edit}>
      <SwitchField {...form.field('isRequired')} label={t(TEXT.requireCode)} />
      {!form.values.isRequired && <p className="muted">{t(TEXT.codeOff)}</p>}
      {form.values.isRequired && code !== undefined && (
        <NumberField {...form.field('code')} label={t(TEXT.code)} hint={t(TEXT.codeHint)} />
      )}
    </SettingsForm>
  )
}
