// The dialog for the user's own account, opened from the top bar's menu and from the banner.
import { openDialog } from '../ui/dialog/dialog-host.tsx'
import { lazyDialog } from '../ui/lazy/lazy.tsx'

const PasswordDialog = lazyDialog(() =>
  import('../parts/password/password-dialog.tsx').then((module) => module.PasswordDialog)
)

export const openPasswordDialog = () => openDialog(PasswordDialog)
