import type { ReactNode } from 'react'
import { PASSWORD_TEXT, PasswordFields, usePasswordForm } from '../../parts/password/password-form.tsx'
import { signOut } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Alone } from './login-layout.tsx'
import { TEXT } from './text.ts'

/** From another machine nothing is possible before the first password is changed (design 3). */
export function PasswordScreen({ language }: { language: ReactNode }) {
  const password = usePasswordForm()
  const { form, fault } = password
  return (
    <Alone title={t(PASSWORD_TEXT.title)} language={language} onSubmit={form.submit} fault={fault}>
      <p className="muted">{t(TEXT.first)}</p>
      <PasswordFields {...password} />
      <Button submit kind="main" label={t(PASSWORD_TEXT.title)} busy={form.busy} />
      <Button label={t(TEXT.leave)} onClick={() => void signOut()} />
    </Alone>
  )
}
