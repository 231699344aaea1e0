// Checks the passwords of the hub's users.
import type { LockOut } from '../../accounts/lock-out.ts'
import { PasswordCheck } from '../../accounts/password-check.ts'
import { LOG_WARNING } from '../../contract/log.ts'
import type { Store } from '../store/store.ts'

export function createPasswordCheck(store: Store, lockOut: LockOut): PasswordCheck {
  return new PasswordCheck({
    lockOut,
    onLocked: (name, address, isUser) =>
      store.logEvent({ event: 'login-locked', detail: isUser ? `${name} ${address}` : address, level: LOG_WARNING })
  })
}
