import { useState } from 'react'
import { disableSecondFactor } from '../../../contract/access/second-factor.ts'
import type { Envelope } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { required } from '../../../contract/rules/rules.ts'
import { CodeField } from '../../form/code-field.tsx'
import { FormDialog } from '../../form/form-dialog.tsx'
import { PasswordField } from '../../form/password-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { md5 } from '../../link/md5.ts'
import { send } from '../../link/send.ts'
import { verifySession } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { credentialsError } from '../../text/response-message.ts'
import { TEXT } from './text.ts'

const RULES = { password: required, code: required }

/** Switches the second factor off, with password and code. */
export function DisableDialog({ onClose }: { onClose: () => void }) {
  const [response, setResponse] = useState<Envelope>({ result: SUCCESS })
  const form = useForm(RULES, { password: '', code: '' }, async ({ password, code }) => {
    const reply = await send(disableSecondFactor, { pass: md5(password), code })
    setResponse(reply)
    if (reply.result !== SUCCESS) return
    onClose()
    await verifySession()
  })
  return (
    <FormDialog form={form} submitLabel={t(TEXT.disable)} onClose={onClose}>
      <PasswordField {...form.field('password')} label={t(TEXT.password)} autoComplete="current-password" autoFocus />
      <CodeField {...form.field('code')} />
      <p role="alert" className="fault">
        {credentialsError(response)}
      </p>
    </FormDialog>
  )
}
