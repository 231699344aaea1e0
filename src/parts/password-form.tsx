// Changing one's own password: the same fields in the dialog and on the page that comes before all else.
import { useState } from 'react'
import { INVALID_ARG, MISMATCH, SUCCESS } from '../../contract/codes.ts'
import { type Fault, password, type RuleSet, required } from '../../contract/rules.ts'
import { PasswordField } from '../form/password-field.tsx'
import { type Form, useForm } from '../form/use-form.ts'
import { changePassword } from '../state/session.ts'
import { codeText } from '../text/codes.ts'
import { type Pair, t } from '../text/language.ts'

interface Values {
  old: string
  next: string
  again: string
}

export const PASSWORD_TEXT = {
  title: ['Change password', '修改密码'],
  old: ['Current password', '当前密码'],
  next: ['New password', '新密码'],
  hint: ['1 to 32 letters, digits or ~!@#$%^&*_-+=', '1 到 32 个字母、数字或 ~!@#$%^&*_-+='],
  again: ['Repeat new password', '确认新密码'],
  same: ['Choose a password other than the current one', '新密码不能与当前密码相同'],
  wrong: ['The current password is wrong', '当前密码错误']
} as const satisfies Record<string, Pair>

const RULES: RuleSet<Values> = {
  old: required,
  next: password,
  again: (value, { next }): Fault | undefined => required(value) ?? (value === next ? undefined : { name: 'different' })
}

/**
 * The form, and what went wrong with it, as a sentence.
 * @param done called when the hub has taken the new password
 */
export function usePasswordForm(done?: () => void): { form: Form<Values>; fault: string } {
  const [fault, setFault] = useState('')
  const form = useForm<Values>(RULES, { old: '', next: '', again: '' }, async ({ old, next }) => {
    const { result } = old === next ? { result: INVALID_ARG } : await changePassword({ old, next })
    const said = result === INVALID_ARG ? t(PASSWORD_TEXT.same) : t(PASSWORD_TEXT.wrong)
    setFault(result === SUCCESS ? '' : result === INVALID_ARG || result === MISMATCH ? said : codeText(result))
    if (result === SUCCESS) done?.()
    return undefined
  })
  return { form, fault }
}

export function PasswordFields({ form }: { form: Form<Values> }) {
  return (
    <>
      <PasswordField {...form.field('old')} label={t(PASSWORD_TEXT.old)} autoComplete="current-password" autoFocus />
      <PasswordField
        {...form.field('next')}
        label={t(PASSWORD_TEXT.next)}
        hint={t(PASSWORD_TEXT.hint)}
        autoComplete="new-password"
      />
      <PasswordField {...form.field('again')} label={t(PASSWORD_TEXT.again)} autoComplete="new-password" />
    </>
  )
}
