// Form that changes a password: the user's own, which requires the current one, or that of another user. Used in the
// dialog and on the page that enforces a change after signing in.
import { useState } from 'react'
import type { Envelope, LockoutInfo } from '../../../contract/call.ts'
import { INVALID_ARG, MISMATCH, REAUTHENTICATION_REQUIRED, SUCCESS } from '../../../contract/codes.ts'
import { type RuleSet, required } from '../../../contract/rules/rules.ts'
import { PasswordField } from '../../form/text-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { confirmAndRetry } from '../../state/mutations.ts'
import { $session, changePassword } from '../../state/session.ts'
import { codeText } from '../../text/codes.ts'
import { type Translation, t } from '../../text/language.ts'
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
} as const satisfies Record<string, Translation>

/** The form, and the error that belongs to no field, as a sentence. */
interface PasswordForm {
  form: Form<Values>
  error: string
  /** The other user whose password is changed; undefined for the user's own password. */
  userName?: string
}

function errorText({ result = SUCCESS, field, 'locked-s': seconds }: Partial<Envelope> & LockoutInfo): string {
  // Cancelled by the user.
  if (result === SUCCESS || result === REAUTHENTICATION_REQUIRED) return ''
  // A violation of the password rules is shown at the field.
  if (result === INVALID_ARG) return field === 'password' ? '' : t(PASSWORD_TEXT.same)
  return result === MISMATCH ? lockedText(t(PASSWORD_TEXT.wrong), seconds) : codeText(result)
}

/**
 * @param onChanged called when the hub has accepted the new password
 * @param userName name of the other user whose password is changed; undefined for the own password
 */
export function usePasswordForm(onChanged?: () => void, userName?: string): PasswordForm {
  const [failedReply, setFailedReply] = useState<Partial<Envelope> & LockoutInfo>({})
  const checkedName = userName ?? $session.get()?.name ?? ''
  const rules: RuleSet<Values> = {
    ...newPasswordRules<Values>(() => checkedName),
    old: userName ? undefined : required
  }
  const send = async ({ old, next }: Values) => {
    const reply = await confirmAndRetry(() =>
      changePassword({ oldPassword: old || undefined, newPassword: next, name: userName })
    )
    const { result, field } = reply
    setFailedReply(reply)
    if (result === SUCCESS) onChanged?.()
    return field === 'password' ? reply : undefined
  }
  const form = useForm<Values>(rules, { old: '', next: '', repeated: '' }, send, {
    fieldOfWireName: { password: 'next' }
  })
  return { form, error: errorText(failedReply), userName }
}

export function PasswordFields({ form, userName }: PasswordForm) {
  return (
    <>
      {!userName && (
        <PasswordField {...form.field('old')} label={t(PASSWORD_TEXT.old)} autoComplete="current-password" autoFocus />
      )}
      <NewPassword next={form.field('next')} repeated={form.field('repeated')} />
    </>
  )
}
