import { type ReactNode, useState } from 'react'
import { SUCCESS } from '../../../contract/codes.ts'
import { required } from '../../../contract/rules/rules.ts'
import { PasswordField } from '../../form/password-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { signIn } from '../../state/session.ts'
import { codeText } from '../../text/codes.ts'
import { t } from '../../text/language.ts'
import { lockedText } from '../../text/response-message.ts'
import { Button } from '../../ui/button.tsx'
import { Alone } from './login-layout.tsx'
import { TEXT } from './text.ts'

const RULES = { name: required, password: required }

/** The login page. Where it leads afterwards is the frame's business. */
export function LoginScreen({ language }: { language: ReactNode }) {
  const [refused, setRefused] = useState<Awaited<ReturnType<typeof signIn>>>({ result: SUCCESS })
  const form = useForm(RULES, { name: '', password: '' }, async ({ name, password }) => {
    setRefused({ result: SUCCESS })
    // What was wrong is not told apart: neither by the hub nor here.
    setRefused(await signIn(name, password))
    return undefined
  })
  const { result, lockedS } = refused
  const fault = result === SUCCESS ? '' : lockedText(codeText(result), lockedS)
  return (
    <Alone title={t(TEXT.title)} language={language} onSubmit={form.submit} fault={fault}>
      <TextField {...form.field('name')} label={t(TEXT.name)} autoComplete="username" autoFocus />
      <PasswordField {...form.field('password')} label={t(TEXT.password)} autoComplete="current-password" />
      <Button submit kind="main" label={t(TEXT.title)} busy={form.busy} />
    </Alone>
  )
}
