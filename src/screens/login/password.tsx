import type { ReactNode } from 'react'
import { PASSWORD_TEXT, PasswordFields, usePasswordForm } from '../../parts/password/password-form.tsx'
import { signOut } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { LoginLayout } from './login-layout.tsx'
import * as TEXT from './text.ts'

/** Shown instead of every screen while the default password stands and the session comes from another machine. */
export function PasswordScreen({ language }: { language: ReactNode }) {
  const password = usePasswordForm()
  const { form, error } = password
  return (
    <LoginLayout title={t(PASSWORD_TEXT.title)} language={language} onSubmit={form.submit} error={error}>
      <p className="muted">{t(TEXT.first)}</p>
      <PasswordFields {...password} />
      <Button submit kind="main" label={t(PASSWORD_TEXT.title)} busy={form.busy} />
      <Button label={t(TEXT.leave)} onClick={() => void signOut()} />
    </LoginLayout>
  )
}
