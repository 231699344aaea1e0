// What everybody can do for their own account, from the header's menu and the banner.

import { PasswordDialog } from '../parts/password/password-dialog.tsx'
import { openDialog } from '../ui/dialog/dialog-host.tsx'

export const openPasswordDialog = () => openDialog(PasswordDialog)
