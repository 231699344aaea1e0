// What everybody can do for their own account, from the header's menu and the banner.
import { openDialog } from '../parts/dialog-host.tsx'
import { PasswordDialog } from '../parts/password-dialog.tsx'

export const openPasswordDialog = () => openDialog(PasswordDialog)
