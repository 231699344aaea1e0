// What everybody can do for their own account, from the header's menu.
import { atom } from 'nanostores'
import { PasswordDialog } from '../parts/password-dialog.tsx'
import { onClear } from '../state/session.ts'
import { useStore } from '../ui/use-store.ts'
import { SessionDialog } from './session-dialog.tsx'

const $open = atom<'password' | 'sessions' | undefined>(undefined)

const close = () => $open.set(undefined)

// What one user opened is not for the next.
onClear(close)

export function openPasswordDialog(): void {
  $open.set('password')
}

export function openSessionDialog(): void {
  $open.set('sessions')
}

/** Mounted once, so that the header's menu and the banner open the same dialog. */
export function OwnDialogHost() {
  const open = useStore($open)
  if (open === 'password') return <PasswordDialog onClose={close} />
  return open ? <SessionDialog onClose={close} /> : null
}
