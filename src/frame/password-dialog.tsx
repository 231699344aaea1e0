import { atom } from 'nanostores'
import { SUCCESS } from '../../contract/codes.ts'
import { FormDialog } from '../form/form-dialog.tsx'
import { PASSWORD_TEXT, PasswordFields, usePasswordForm } from '../parts/password-form.tsx'
import { tell } from '../state/toasts.ts'
import { t } from '../text/language.ts'
import { useStore } from '../ui/use-store.ts'

const $open = atom(false)

export function openPasswordDialog(): void {
  $open.set(true)
}

/** Mounted once, so that the header's menu and the banner open the same dialog. */
export function PasswordDialogHost() {
  return useStore($open) ? <PasswordDialog /> : null
}

function PasswordDialog() {
  const { form, fault } = usePasswordForm(() => {
    tell(SUCCESS)
    $open.set(false)
  })
  return (
    <FormDialog
      form={form}
      title={t(PASSWORD_TEXT.title)}
      verb={t(PASSWORD_TEXT.title)}
      onClose={() => $open.set(false)}
    >
      <PasswordFields form={form} />
      <p role="alert" className="fault">
        {fault}
      </p>
    </FormDialog>
  )
}
