// A new password, typed twice, in whichever form wants one.
import { useEffect } from 'react'
import { NO_PASSWORD_RULES, passwordByRules } from '../../../contract/rules/password.ts'
import { type Rule, required } from '../../../contract/rules/rules.ts'
import { PasswordField } from '../../form/password-field.tsx'
import type { Bound } from '../../form/use-form.ts'
import { $passwordRules, verify } from '../../state/session.ts'
import { type Pair, t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'
import { demandsOf } from './password-policy.ts'

const TEXT = {
  next: ['New password', '新密码'],
  hint: ['1 to 32 letters, digits or ~!@#$%^&*_-+=', '1 到 32 个字母、数字或 ~!@#$%^&*_-+='],
  again: ['Repeat new password', '确认新密码']
} as const satisfies Record<string, Pair>

export interface NewPasswordValues {
  next: string
  again: string
}

/** Rules of both fields, as the hub's rules are now. @param userOf the name of the user it is for */
export function newPasswordRules<Values extends NewPasswordValues>(userOf: (values: Values) => string) {
  const next: Rule<string, Values> = (value, all) =>
    passwordByRules($passwordRules.get() ?? NO_PASSWORD_RULES, userOf(all))(value)
  const again: Rule<string, Values> = (value, all) =>
    required(value) ?? (value === all.next ? undefined : { name: 'different' })
  return { next, again }
}

interface NewPasswordProps {
  next: Bound<string>
  again: Bound<string>
}

export function NewPassword({ next, again }: NewPasswordProps) {
  const rules = useStore($passwordRules) ?? NO_PASSWORD_RULES
  // They may have been made since this console was loaded.
  useEffect(() => void verify(), [])
  const demands = demandsOf(rules).join(' · ')
  return (
    <>
      <PasswordField {...next} label={t(TEXT.next)} hint={t(TEXT.hint)} autoComplete="new-password" />
      {demands && <p className="muted">{demands}</p>}
      <PasswordField {...again} label={t(TEXT.again)} autoComplete="new-password" />
    </>
  )
}
