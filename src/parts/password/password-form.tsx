// Changing a password: one's own, which takes the present one, or that of another user. The same fields in the dialog and on the page
// that comes before all else.
import { useState } from 'react'
import type { Envelope } from '../../../contract/call.ts'
import { INVALID_ARG, MISMATCH, SUCCESS } from '../../../contract/codes.ts'
import { type RuleSet, required } from '../../../contract/rules/rules.ts'
import type { Locked } from '../../../contract/session.ts'
import { PasswordField } from '../../form/password-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { $session, changePassword } from '../../state/session.ts'
import { codeText } from '../../text/codes.ts'
import { type Pair, t } from '../../text/language.ts'
import { lockedText } from '../../text/response-message.ts'
import { NewPassword, type NewPasswordValues, newPasswordRules } from './new-password.tsx'

interface Values extends NewPasswordValues {
  old: string
}

export const PASSWORD_TEXT = {
  title: ['Change password', '修改密码'],
  old: ['Current password', '当前密码'],
  same: ['Choose a password other than the current one', '新密码不能与当前密码相同'],
  wrong: ['The current password is wrong', '当前密码错误']
} as const satisfies Record<string, Pair>

/** A form for a password, and what went wrong with it, as a sentence. */
export interface PasswordForm {
  form: Form<Values>
  fault: string
  /** The user whose password it is, when it is not one's own. */
  of?: string
}

function faultOf({ result = SUCCESS, field, 'locked-s': wait }: Partial<Envelope> & Locked): string {
  if (result === SUCCESS) return ''
  // What the hub's rules refuse is said at its field.
  if (result === INVALID_ARG) return field === 'password' ? '' : t(PASSWORD_TEXT.same)
  return result === MISMATCH ? lockedText(t(PASSWORD_TEXT.wrong), wait) : codeText(result)
}

/**
 * @param done called when the hub has taken the new password
 * @param of the name of the user, when it is not one's own password
 */
export function usePasswordForm(done?: () => void, of?: string): PasswordForm {
  const [refused, setRefused] = useState<Partial<Envelope> & Locked>({})
  const user = of ?? $session.get()?.name ?? ''
  const rules: RuleSet<Values> = { ...newPasswordRules<Values>(() => user), old: of ? undefined : required }
  const send = async ({ old, next }: Values) => {
    const reply = await changePassword({ old: old || undefined, next, name: of })
    const { result, field } = reply
    setRefused(reply)
    if (result === SUCCESS) done?.()
    return field === 'password' ? reply : undefined
  }
  const form = useForm<Values>(rules, { old: '', next: '', again: '' }, send, { fields: { password: 'next' } })
  return { form, fault: faultOf(refused), of }
}

export function PasswordFields({ form, of }: PasswordForm) {
  return (
    <>
      {!of && (
        <PasswordField {...form.field('old')} label={t(PASSWORD_TEXT.old)} autoComplete="current-password" autoFocus />
      )}
      <NewPassword next={form.field('next')} again={form.field('again')} />
    </>
  )
}
