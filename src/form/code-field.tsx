import { type Translation, t } from '../text/language.ts'
import { TextField } from './text-field.tsx'
import type { FieldBinding } from './use-form.ts'

const TEXT = {
  label: ['Code', '验证码'],
  hint: ['Code from your authenticator app, or a recovery code', '身份验证器应用中的验证码，或恢复码']
} as const satisfies Record<string, Translation>

/** A code of the second factor. @param appOnly recovery codes are not accepted */
export const CodeField = ({ appOnly, ...props }: FieldBinding<string> & { autoFocus?: boolean; appOnly?: boolean }) => (
  <TextField {...props} label={t(TEXT.label)} hint={appOnly ? undefined : t(TEXT.hint)} autoComplete="one-time-code" />
)
