import { PASSWORD_MAX } from '../../../contract/limits.ts'
import { charactersMax, NO_PASSWORD_RULES, type PasswordRules } from '../../../contract/rules/password.ts'
import { type RuleSet, wholeNumber } from '../../../contract/rules/rules.ts'
import { SETTING_RIGHTS } from '../../../contract/settings.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { NumberField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { CHARACTER_KINDS } from '../../parts/password/password-policy.ts'
import { saveSettings } from '../../parts/settings/save-settings.ts'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'
import { faultText } from '../../text/faults.ts'
import { type Translation, t } from '../../text/language.ts'
import { TEXT } from './text.ts'

type Counts = Omit<PasswordRules, 'chk-name'>
/** The numbers as typed. */
type Values = Record<keyof Counts, string> & { 'chk-name': boolean }

const COUNT_NAMES = ['length', ...CHARACTER_KINDS] as const

export const LABELS = {
  length: ['Minimum length', '最小长度'],
  lowercase: ['Lowercase letters', '小写字母'],
  uppercase: ['Uppercase letters', '大写字母'],
  number: ['Digits', '数字'],
  special: ['Special characters', '特殊字符']
} as const satisfies Record<keyof Counts, Translation>

const toRules = (values: Values): PasswordRules => ({
  ...NO_PASSWORD_RULES,
  ...Object.fromEntries(COUNT_NAMES.map((name) => [name, Number(values[name]) || 0])),
  'chk-name': values['chk-name'] ? 1 : 0
})

/** Each number is limited by the others, so that a password can meet all of them. */
const RULES: RuleSet<Values> = {
  length: (value) => wholeNumber(value, 0, PASSWORD_MAX),
  ...Object.fromEntries(
    CHARACTER_KINDS.map((kind) => [
      kind,
      (value: string, all: Values) => wholeNumber(value, 0, Math.max(0, charactersMax(toRules(all), kind)))
    ])
  )
}

/** Edits the rules for new passwords. */
export function PasswordRulesForm({ rules }: { rules: PasswordRules }) {
  const initial = {
    ...Object.fromEntries(COUNT_NAMES.map((name) => [name, String(rules[name])])),
    'chk-name': rules['chk-name'] !== 0
  } as Values
  const form = useForm<Values>(RULES, initial, (values, options) =>
    saveSettings({ 'pwd-rule': toRules(values) }, options)
  )
  return (
    <SettingsForm title={t(TEXT.rules)} form={form} saved={initial} access={SETTING_RIGHTS['pwd-rule'].edit}>
      <p className="muted">{t(TEXT.rulesLead)}</p>
      {COUNT_NAMES.map((name) => (
        <NumberField
          key={name}
          {...form.field(name)}
          label={t(LABELS[name])}
          hint={name === 'special' ? '~!@#$%^&*_-+=' : undefined}
        />
      ))}
      <SwitchField {...form.field('chk-name')} label={faultText({ name: 'user-name' })} />
    </SettingsForm>
  )
}
