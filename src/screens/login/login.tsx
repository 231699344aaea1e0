import { type ReactNode, useEffect, useState } from 'react'
import { SECOND_FACTOR_REQUIRED, SUCCESS } from '../../../contract/codes.ts'
import { required } from '../../../contract/rules/rules.ts'
import { CodeField } from '../../form/code-field.tsx'
import { PasswordField } from '../../form/password-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { takeEarlyLogin } from '../../state/early-login.ts'
import { signIn } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { credentialsError } from '../../text/response-message.ts'
import { Button } from '../../ui/button.tsx'
import * as UI from '../../ui/text.ts'
import { LoginLayout } from './login-layout.tsx'
import { TEXT } from './text.ts'

/** The login page. It takes over the input of the page's own form from before this script had arrived. The frame decides which page follows. */
export function LoginScreen({ language }: { language: ReactNode }) {
  const [early] = useState(takeEarlyLogin)
  const [refused, setRefused] = useState<Awaited<ReturnType<typeof signIn>>>({ result: SUCCESS })
  /** The password was right, and the hub wants a code of the second factor. */
  const [asksCode, setAsksCode] = useState(false)
  const form = useForm(
    { name: required, password: required, code: asksCode ? required : undefined },
    { name: early?.name ?? '', password: early?.password ?? '', code: '' },
    async ({ name, password, code }) => {
      setRefused({ result: SUCCESS })
      // Neither the hub nor the console says whether the name or the password was wrong.
      const response = await signIn(name, password, code || undefined)
      setRefused(response)
      if (response.result === SECOND_FACTOR_REQUIRED) setAsksCode(true)
      return undefined
    }
  )
  function goBack(): void {
    setAsksCode(false)
    setRefused({ result: SUCCESS })
    form.setValues({ password: '', code: '' })
  }
  useEffect(() => {
    const { focus, submitted } = early ?? {}
    const field = focus && document.querySelector<HTMLInputElement>(`form [name=${focus.field}]`)
    field?.focus()
    field?.setSelectionRange(focus?.start ?? 0, focus?.end ?? 0)
    if (submitted) document.forms[0]?.requestSubmit()
  }, [early])
  return (
    <LoginLayout
      key={String(asksCode)}
      title={t(TEXT.title)}
      language={language}
      onSubmit={form.submit}
      error={credentialsError(refused)}
    >
      {asksCode ? (
        <CodeField {...form.field('code')} autoFocus />
      ) : (
        <>
          <TextField {...form.field('name')} label={t(TEXT.name)} autoComplete="username" autoFocus />
          <PasswordField {...form.field('password')} label={t(TEXT.password)} autoComplete="current-password" />
        </>
      )}
      <Button submit kind="main" label={t(TEXT.title)} busy={form.busy} />
      {asksCode && <Button label={t(UI.cancel)} onClick={goBack} />}
    </LoginLayout>
  )
}
