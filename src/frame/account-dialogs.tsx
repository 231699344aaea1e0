// Actions on the user's own account, in the top bar's menu, the palette and the banner.
import { SUCCESS } from '../../contract/codes.ts'
import { signOut } from '../state/session.ts'
import { notify } from '../state/toasts.ts'
import { openDialog } from '../ui/dialog/dialog-host.tsx'
import { lazyDialog } from '../ui/lazy/lazy.tsx'

const PasswordDialog = lazyDialog(() =>
  import('../parts/password/password-dialog.tsx').then((module) => module.PasswordDialog)
)

export const openPasswordDialog = () => openDialog(PasswordDialog)

export async function signOutAndNotify(): Promise<void> {
  const result = await signOut()
  if (result !== SUCCESS) notify(result)
}
