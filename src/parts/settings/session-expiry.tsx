import { useEffect } from 'react'
import type { Envelope } from '../../../contract/call.ts'
import { SESSION_DAYS_MAX, SESSION_EXPIRY, SESSION_EXPIRY_MAX, SESSION_NEVER } from '../../../contract/limits.ts'
import { type RuleSet, wholeNumber } from '../../../contract/rules/rules.ts'
import { settingRights } from '../../../contract/settings.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { NumberField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { type Translation, t } from '../../text/language.ts'
import { saveSettings } from './save-settings.ts'
import { SettingsForm } from './settings-form.tsx'

const TEXT = {
  title: ['Session expiry', '会话有效期'],
  ends: ['End sessions that are not used', '结束未使用的会话'],
  minutes: ['Minutes without use', '未使用时长（分钟）'],
  lead: [
    'The user must then sign in again. An open console counts as use. Every session ends {0} days after the sign-in.',
    '结束后用户需要重新登录。打开控制台即视为正在使用。登录 {0} 天后，会话必定结束。'
  ],
  never: [
    'Sessions never end by themselves: whoever gets hold of a signed-in browser stays signed in.',
    '会话不会自动结束：任何人拿到已登录的浏览器都可一直使用。'
  ]
} as const satisfies Record<string, Translation>

interface Values {
  ends: boolean
  minutes: string
}

const RULES: RuleSet<Values> = {
  minutes: (value, { ends }) => (ends ? wholeNumber(value, 1, SESSION_EXPIRY_MAX) : undefined)
}

/** Edits after how many minutes without use a session ends. @param minutes -1 = never */
export function SessionExpiryForm({ minutes }: { minutes: number }) {
  const ends = minutes !== SESSION_NEVER
  const initial: Values = { ends, minutes: String(ends ? minutes : SESSION_EXPIRY) }
  const form = useForm<Values>(
    RULES,
    initial,
    (values): Promise<Envelope> =>
      saveSettings({ 'expired-time': values.ends ? Number(values.minutes) : SESSION_NEVER }, form.showsError),
    { fieldOfWireName: { 'expired-time': 'minutes' } }
  )
  // New values from the hub replace the form's values.
  useEffect(() => form.setValues(initial), [minutes])
  return (
    <SettingsForm title={t(TEXT.title)} form={form} access={settingRights('expired-time').edit}>
      <SwitchField {...form.field('ends')} label={t(TEXT.ends)} />
      {form.values.ends ? (
        <>
          <p className="muted">{t(TEXT.lead, SESSION_DAYS_MAX)}</p>
          <NumberField {...form.field('minutes')} label={t(TEXT.minutes)} />
        </>
      ) : (
        <p className="banner">{t(TEXT.never)}</p>
      )}
    </SettingsForm>
  )
}
