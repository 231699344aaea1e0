import { SUCCESS } from '../../../contract/codes.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { $session } from '../../state/session.ts'
import { notify } from '../../state/toasts.ts'
import { type Translation, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { PASSWORD_TEXT, PasswordFields, usePasswordForm } from './password-form.tsx'

const TEXT = {
  title: ['Password of {0}', '{0} 的密码'],
  lead: ['All sessions of {0} will be ended.', '{0} 的所有会话都将结束。']
} as const satisfies Record<string, Translation>

/** Changes the user's own password, or that of another user. */
export function PasswordDialog({ userName, onClose }: { userName?: string; onClose: () => void }) {
  const password = usePasswordForm(() => {
    const name = userName ?? $session.get()?.name ?? ''
    notify(SUCCESS, { text: OUTCOME.saved, names: [t(TEXT.title, name)] })
    onClose()
  }, userName)
  const { form, error } = password
  return (
    <FormDialog
      form={form}
      title={userName && t(TEXT.title, userName)}
      submitLabel={t(PASSWORD_TEXT.title)}
      onClose={onClose}
    >
      {userName && <p className="muted">{t(TEXT.lead, userName)}</p>}
      <PasswordFields {...password} />
      <p role="alert" className="fault">
        {error}
      </p>
    </FormDialog>
  )
}
