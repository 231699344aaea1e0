import { atom } from 'nanostores'
import { SUCCESS } from '../../contract/codes.ts'
import { PASSWORD_TEXT, PasswordFields, usePasswordForm } from '../parts/password-form.tsx'
import { tell } from '../state/toasts.ts'
import { t } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
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
    <Dialog
      title={t(PASSWORD_TEXT.title)}
      onClose={() => $open.set(false)}
      onSubmit={form.submit}
      footer={<Button submit kind="main" label={t(PASSWORD_TEXT.title)} busy={form.busy} />}
    >
      <PasswordFields form={form} />
      <p role="alert" className="fault">
        {fault}
      </p>
    </Dialog>
  )
}
