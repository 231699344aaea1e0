// Fields for a new password and its repetition.
import { useEffect } from 'react'
import { sameAs } from '../../../contract/rules/compare.ts'
import { makePasswordRule, NO_PASSWORD_RULES } from '../../../contract/rules/password.ts'
import { type Rule, required } from '../../../contract/rules/rules.ts'
import { PasswordField } from '../../form/text-field.tsx'
import type { FieldBinding } from '../../form/use-form.ts'
import { $passwordRules, verifySession } from '../../state/session.ts'
import { type Translation, t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'
import { requirementTexts } from './password-policy.ts'

const TEXT = {
  next: ['New password', '新密码'],
  hint: ['Letters, digits or ~!@#$%^&*_-+=', '字母、数字或 ~!@#$%^&*_-+='],
  repeated: ['Repeat new password', '确认新密码'],
  first: ['Password', '密码'],
  firstRepeated: ['Repeat password', '确认密码']
} as const satisfies Record<string, Translation>

export interface NewPasswordValues {
  next: string
  repeated: string
}

/**
 * Validation rules of both fields, from the hub's current password rules.
 * @param userOf the user name, which a rule may forbid
 */
export function newPasswordRules<Values extends NewPasswordValues>(userOf: (values: Values) => string) {
  const next: Rule<string, Values> = (value, all) =>
    makePasswordRule($passwordRules.get() ?? NO_PASSWORD_RULES, userOf(all))(value)
  const repeated: Rule<string, Values> = (value, all) => required(value) ?? sameAs('next')(value, all)
  return { next, repeated }
}

interface NewPasswordProps {
  next: FieldBinding<string>
  repeated: FieldBinding<string>
  /** The password is the first one of a new user. */
  isFirst?: boolean
}

export function NewPassword({ next, repeated, isFirst }: NewPasswordProps) {
  const rules = useStore($passwordRules) ?? NO_PASSWORD_RULES
  // The rules may have changed since the console was loaded.
  useEffect(() => void verifySession(), [])
  const requirements = requirementTexts(rules).join(' · ')
  return (
    <>
      <PasswordField
        {...next}
        label={t(isFirst ? TEXT.first : TEXT.next)}
        hint={t(TEXT.hint)}
        autoComplete="new-password"
      />
      {requirements && <p className="muted">{requirements}</p>}
      <PasswordField
        {...repeated}
        label={t(isFirst ? TEXT.firstRepeated : TEXT.repeated)}
        autoComplete="new-password"
      />
    </>
  )
}
