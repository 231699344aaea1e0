import {
  ADMIN_SESSION_MAX,
  SESSION_DAYS_MAX,
  SESSION_EXPIRY,
  SESSION_EXPIRY_MAX,
  SESSION_NEVER
} from '../../../contract/limits.ts'
import { type RuleSet, wholeNumber } from '../../../contract/rules/rules.ts'
import { SETTING_RIGHTS } from '../../../contract/settings.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { NumberField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { type Translation, t } from '../../text/language.ts'
import { saveSettings } from './save-settings.ts'
import { SettingsForm } from './settings-form.tsx'

export const TEXT = {
  title: ['Session expiry', '会话有效期'],
  ends: ['End sessions that are not used', '结束未使用的会话'],
  minutes: ['Minutes without use', '未使用时长（分钟）'],
  lead: [
    'The user must then sign in again. Keys, clicks and touches in the console count as use, and so does the wall display. Every session ends {0} days after the sign-in.',
    '结束后用户需要重新登录。在控制台中按键、点击或触摸均视为正在使用，监控大屏亦然。登录 {0} 天后，会话必定结束。'
  ],
  never: [
    'Sessions never end by themselves: whoever gets hold of a signed-in browser stays signed in.',
    '会话不会自动结束：任何人拿到已登录的浏览器都可一直使用。'
  ],
  adminTitle: ['Sessions of administrators', '管理员会话'],
  hours: ['Hours after the sign-in', '登录后时长（小时）'],
  adminLead: [
    'Members of the Admin group must then sign in again, however much they use the console.',
    '到时管理员组成员必须重新登录，无论控制台是否在使用。'
  ],
  adminNever: [
    'Sessions of administrators have no limit of their own. Set one of {0} h or less.',
    '管理员会话没有单独的时长限制。请设置不超过 {0} 小时的限制。'
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
    (values, options) =>
      saveSettings({ 'expired-time': values.ends ? Number(values.minutes) : SESSION_NEVER }, options),
    { fieldOfWireName: { 'expired-time': 'minutes' } }
  )
  return (
    <SettingsForm title={t(TEXT.title)} form={form} saved={initial} access={SETTING_RIGHTS['expired-time'].edit}>
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

/**
 * Edits the hours after which a session of an administrator ends.
 * @param hours -1 = no limit, on a hub that an earlier version has set up
 */
export function AdminSessionForm({ hours }: { hours: number }) {
  const isLimited = hours !== SESSION_NEVER
  const initial = { hours: isLimited ? String(hours) : '' }
  const form = useForm<{ hours: string }>(
    { hours: (value) => wholeNumber(value, 1, ADMIN_SESSION_MAX) },
    initial,
    (values, options) => saveSettings({ 'admin-session': Number(values.hours) }, options),
    { fieldOfWireName: { 'admin-session': 'hours' } }
  )
  return (
    <SettingsForm title={t(TEXT.adminTitle)} form={form} saved={initial} access={SETTING_RIGHTS['admin-session'].edit}>
      <p className={isLimited ? 'muted' : 'banner'}>
        {isLimited ? t(TEXT.adminLead) : t(TEXT.adminNever, ADMIN_SESSION_MAX)}
      </p>
      <NumberField {...form.field('hours')} label={t(TEXT.hours)} />
    </SettingsForm>
  )
}
