// Asks for the password again before a change that requires it.
import { useState } from 'react'
import { reauthenticate } from '../../contract/access/session.ts'
import type { Envelope, LockoutInfo } from '../../contract/call.ts'
import { REAUTHENTICATION_REQUIRED, SUCCESS } from '../../contract/codes.ts'
import { required } from '../../contract/rules/rules.ts'
import { CodeField } from '../form/code-field.tsx'
import { FormDialog } from '../form/form-dialog.tsx'
import { PasswordField } from '../form/text-field.tsx'
import { useForm } from '../form/use-form.ts'
import { md5 } from '../link/md5.ts'
import { send } from '../link/send.ts'
import { codeText } from '../text/codes.ts'
import { type Translation, t } from '../text/language.ts'
import { credentialsError } from '../text/response-message.ts'
import { openDialog } from '../ui/dialog/dialog-host.tsx'
import { useStore } from '../ui/use-store.ts'
import { $secondFactor } from './session.ts'

const TEXT = {
  lead: [
    'This affects the protection of the hub. Enter your password again, so that nobody else does it at an unattended console.',
    '此操作关系到中控的安全。请再次输入密码，以防他人在无人看管的控制台上操作。'
  ],
  password: ['Password', '密码'],
  proceed: ['Continue', '继续']
} as const satisfies Record<string, Translation>

let openQuestion: Promise<boolean> | undefined

/** Asks for the password, once for all writes that wait for it. @returns whether the hub accepted it */
export function askForPassword(): Promise<boolean> {
  openQuestion ??= openDialog(ReauthenticateDialog).finally(() => {
    openQuestion = undefined
  })
  return openQuestion
}

function ReauthenticateDialog({ onClose }: { onClose: (completed?: boolean) => void }) {
  const [response, setResponse] = useState<Envelope & LockoutInfo>({ result: SUCCESS })
  const asksCode = useStore($secondFactor) !== undefined
  const form = useForm(
    { password: required, code: asksCode ? required : undefined },
    { password: '', code: '' },
    async ({ password, code }) => {
      setResponse({ result: SUCCESS })
      const reply = await send(reauthenticate, { pass: md5(password), code: code || undefined })
      setResponse(reply)
      return { result: reply.result }
    },
    { onSuccess: () => onClose(true) }
  )
  return (
    <FormDialog
      form={form}
      title={codeText(REAUTHENTICATION_REQUIRED)}
      submitLabel={t(TEXT.proceed)}
      onClose={() => onClose()}
    >
      <p className="muted">{t(TEXT.lead)}</p>
      <PasswordField {...form.field('password')} label={t(TEXT.password)} autoComplete="current-password" autoFocus />
      {asksCode && <CodeField {...form.field('code')} />}
      <p role="alert" className="fault">
        {credentialsError(response)}
      </p>
    </FormDialog>
  )
}
