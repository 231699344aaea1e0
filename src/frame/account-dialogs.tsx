// The dialog for the user's own account, opened from the top bar's menu and from the banner.
import { PasswordDialog } from '../parts/password/password-dialog.tsx'
import { openDialog } from '../ui/dialog/dialog-host.tsx'

export const openPasswordDialog = () => openDialog(PasswordDialog)
