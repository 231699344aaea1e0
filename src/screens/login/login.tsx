import { type ReactNode, useEffect, useState } from 'react'
import { SUCCESS } from '../../../contract/codes.ts'
import { required } from '../../../contract/rules/rules.ts'
import { PasswordField } from '../../form/password-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { takeEarlyLogin } from '../../state/early-login.ts'
import { signIn } from '../../state/session.ts'
import { codeText } from '../../text/codes.ts'
import { t } from '../../text/language.ts'
import { lockedText } from '../../text/response-message.ts'
import { Button } from '../../ui/button.tsx'
import { LoginLayout } from './login-layout.tsx'
import { TEXT } from './text.ts'

const RULES = { name: required, password: required }

/** The login page. It takes over the input of the page's own form from before this script had arrived. The frame decides which page follows. */
export function LoginScreen({ language }: { language: ReactNode }) {
  const [early] = useState(takeEarlyLogin)
  const [refused, setRefused] = useState<Awaited<ReturnType<typeof signIn>>>({ result: SUCCESS })
  const form = useForm(
    RULES,
    { name: early?.name ?? '', password: early?.password ?? '' },
    async ({ name, password }) => {
      setRefused({ result: SUCCESS })
      // Neither the hub nor the console says whether the name or the password was wrong.
      setRefused(await signIn(name, password))
      return undefined
    }
  )
  useEffect(() => {
    const { focus, submitted } = early ?? {}
    const field = focus && document.querySelector<HTMLInputElement>(`form [name=${focus.field}]`)
    field?.focus()
    field?.setSelectionRange(focus?.start ?? 0, focus?.end ?? 0)
    if (submitted) document.forms[0]?.requestSubmit()
  }, [early])
  const { result, lockedSeconds } = refused
  const error = result === SUCCESS ? '' : lockedText(codeText(result), lockedSeconds)
  return (
    <LoginLayout title={t(TEXT.title)} language={language} onSubmit={form.submit} error={error}>
      <TextField {...form.field('name')} label={t(TEXT.name)} autoComplete="username" autoFocus />
      <PasswordField {...form.field('password')} label={t(TEXT.password)} autoComplete="current-password" />
      <Button submit kind="main" label={t(TEXT.title)} busy={form.busy} />
    </LoginLayout>
  )
}
