import { SUCCESS } from '../../../contract/codes.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { tell } from '../../state/toasts.ts'
import { type Pair, t } from '../../text/language.ts'
import { PASSWORD_TEXT, PasswordFields, usePasswordForm } from './password-form.tsx'

const TEXT = {
  of: ['Password of {0}', '{0} 的密码'],
  lead: ['Sessions of {0} end.', '{0} 的会话将结束。']
} as const satisfies Record<string, Pair>

/** Changes one's own password, or that of user `of`. */
export function PasswordDialog({ of, onClose }: { of?: string; onClose: () => void }) {
  const password = usePasswordForm(() => {
    tell(SUCCESS)
    onClose()
  }, of)
  const { form, fault } = password
  return (
    <FormDialog form={form} title={of && t(TEXT.of, of)} verb={t(PASSWORD_TEXT.title)} onClose={onClose}>
      {of && <p className="muted">{t(TEXT.lead, of)}</p>}
      <PasswordFields {...password} />
      <p role="alert" className="fault">
        {fault}
      </p>
    </FormDialog>
  )
}
