// Setting up a second factor, in a dialog or on the page that demands it.
import { useEffect, useState } from 'react'
import { enableSecondFactor, type SecondFactorSecret, startSecondFactor } from '../../contract/access/second-factor.ts'
import type { Envelope } from '../../contract/call.ts'
import { SUCCESS } from '../../contract/codes.ts'
import { required } from '../../contract/rules/rules.ts'
import { CodeField } from '../form/code-field.tsx'
import { FormDialog } from '../form/form-dialog.tsx'
import { type Form, useForm } from '../form/use-form.ts'
import { send } from '../link/send.ts'
import { confirmAndRetry } from '../state/mutations.ts'
import { verifySession } from '../state/session.ts'
import { t } from '../text/language.ts'
import { credentialsError } from '../text/response-message.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { QrSvg } from './copy-line.tsx'
import { showSecret } from './secret-dialog.tsx'

export const TEXT = {
  title: ['Second factor', '双重验证'],
  scan: [
    'Scan the QR code with an authenticator app, or enter the key, then enter the six digits that the app shows.',
    '使用身份验证器应用扫描二维码或输入密钥，然后输入应用显示的六位数字。'
  ],
  enable: ['Enable', '启用'],
  codes: ['Recovery codes', '恢复码'],
  codesText: [
    'Keep these codes in a safe place. Each code works once instead of the app. They are not shown again.',
    '请妥善保存这些恢复码。每个恢复码可代替应用使用一次，且不会再次显示。'
  ]
} as const

/** Shows recovery codes once. */
export const showRecoveryCodes = (codes: string[]): Promise<boolean> =>
  showSecret({ title: t(TEXT.codes), text: t(TEXT.codesText), secret: codes.join('\n') })

interface Enrollment {
  form: Form<{ code: string }>
  /** Undefined until the hub has sent it. */
  secret: SecondFactorSecret | undefined
  /** The error, as a sentence. */
  error: string
}

/** @param onDone called when the second factor is on */
export function useEnrollment(onDone?: () => void): Enrollment {
  const [response, setResponse] = useState<SecondFactorSecret & Envelope>()
  const [failure, setFailure] = useState<Envelope>({ result: SUCCESS })
  useEffect(() => void confirmAndRetry(() => send(startSecondFactor, {})).then(setResponse), [])
  const secret = response?.result === SUCCESS ? response : undefined
  const form = useForm({ code: required }, { code: '' }, async ({ code }) => {
    const reply = await confirmAndRetry(() => send(enableSecondFactor, { secret: secret?.secret ?? '', code }))
    setFailure(reply)
    if (reply.result !== SUCCESS) return
    onDone?.()
    void showRecoveryCodes(reply.codes)
    await verifySession()
  })
  return { form, secret, error: credentialsError(secret || !response ? failure : response) }
}

export const EnrollmentFields = ({ form, secret }: Enrollment) => (
  <>
    <p className="muted">{t(TEXT.scan)}</p>
    {secret && <QrSvg {...secret.qr} />}
    {secret && (
      <div className="row">
        <code>{secret.secret.replace(/.{4}(?=.)/g, '$& ')}</code>
        <CopyButton text={secret.secret} />
      </div>
    )}
    <CodeField {...form.field('code')} autoFocus appOnly />
  </>
)

export function EnrollDialog({ onClose }: { onClose: () => void }) {
  const enrollment = useEnrollment(onClose)
  return (
    <FormDialog form={enrollment.form} submitLabel={t(TEXT.enable)} title={t(TEXT.title)} onClose={onClose}>
      <EnrollmentFields {...enrollment} />
      <p role="alert" className="fault">
        {enrollment.error}
      </p>
    </FormDialog>
  )
}
