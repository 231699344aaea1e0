import type { ReactNode } from 'react'
import { EnrollmentFields, TEXT as SECOND_FACTOR, useEnrollment } from '../../parts/second-factor.tsx'
import { signOut } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { LoginLayout } from './login-layout.tsx'
import * as TEXT from './text.ts'

/** Shown instead of every screen while the user's group demands a second factor that the user does not have. */
export function EnrollScreen({ language }: { language: ReactNode }) {
  const enrollment = useEnrollment()
  const { form, error } = enrollment
  return (
    <LoginLayout title={t(SECOND_FACTOR.title)} language={language} onSubmit={form.submit} error={error}>
      <p>{t(TEXT.demanded)}</p>
      <EnrollmentFields {...enrollment} />
      <Button submit kind="main" label={t(SECOND_FACTOR.enable)} busy={form.busy} />
      <Button label={t(TEXT.leave)} onClick={() => void signOut()} />
    </LoginLayout>
  )
}
