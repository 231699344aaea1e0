// Fields for a new password and its repetition.
import { useEffect, useState } from 'react'
import { sameAs } from '../../../contract/rules/compare.ts'
import { makePasswordRule, NO_PASSWORD_RULES } from '../../../contract/rules/password.ts'
import { type Rule, required } from '../../../contract/rules/rules.ts'
import { PasswordField } from '../../form/text-field.tsx'
import type { FieldBinding } from '../../form/use-form.ts'
import { $passwordRules, isCommonPassword, verifySession } from '../../state/session.ts'
import { type Translation, t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'
import { requirementTexts } from './password-policy.ts'

const TEXT = {
  next: ['New password', '新密码'],
  hint: ['Letters, digits or ~!@#$%^&*_-+=', '字母、数字或 ~!@#$%^&*_-+='],
  common: [
    'This is a common password, which attackers try first. Choose another one.',
    '这是常见密码，攻击者会首先尝试。请换一个。'
  ],
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

/** Milliseconds after the last key at which the hub is asked. */
const CHECK_DELAY = 400

/** Whether the hub knows the typed password as a common one. */
function useIsCommon(password: string): boolean {
  const [common, setCommon] = useState('')
  useEffect(() => {
    if (!password) return undefined
    let isCurrent = true
    const check = async () => {
      if ((await isCommonPassword(password)) && isCurrent) setCommon(password)
    }
    const timer = setTimeout(check, CHECK_DELAY)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [password])
  return password !== '' && common === password
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
  const isCommon = useIsCommon(next.value)
  // The one that the password violates is the error of the field.
  const requirements = requirementTexts(rules)
    .filter((text) => text !== next.error)
    .join(' · ')
  return (
    <>
      <PasswordField
        {...next}
        label={t(isFirst ? TEXT.first : TEXT.next)}
        hint={t(TEXT.hint)}
        autoComplete="new-password"
      />
      <p role="status" className={isCommon ? 'banner' : undefined}>
        {isCommon && t(TEXT.common)}
      </p>
      {requirements && <p className="muted">{requirements}</p>}
      <PasswordField
        {...repeated}
        label={t(isFirst ? TEXT.firstRepeated : TEXT.repeated)}
        autoComplete="new-password"
      />
    </>
  )
}
