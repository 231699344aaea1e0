// Checks new passwords: the fixed rules, and those that the hub's settings add (contract/access/session.ts).
import { createHash } from 'node:crypto'
import { EMPTY_PASSWORD_MD5 } from '../../../accounts/passwords.ts'
import { INVALID_ARG } from '../../../contract/codes.ts'
import {
  activeRules,
  makePasswordRule,
  NO_PASSWORD_RULES,
  type PasswordRules
} from '../../../contract/rules/password.ts'
import { CallError } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'

/** The password rules in the hub's settings; undefined if they require nothing. */
export const activePasswordRules = ({ settings }: Store): PasswordRules | undefined =>
  activeRules(settings.get('pwd-rule'))

/**
 * Checks a new password against the rules. The plain text is only checked, never stored. It may be missing if the
 * settings have no rules, or only the default one, but is checked if it is present.
 * @param userName name of the user whose password it will be
 * @throws CallError 7 if the password breaks a rule
 */
export function validateNewPassword(
  store: Store,
  userName: string,
  { passwd, password }: { passwd: string; password?: string }
) {
  if (passwd === EMPTY_PASSWORD_MD5) throw new CallError(INVALID_ARG, { field: 'passwd', fault: 'required' })
  const rules = activePasswordRules(store)
  if (password === undefined) {
    // A client that knows only the calls of the vendor sends no plain text. It may change passwords as long as nobody
    // has chosen rules.
    if (rules && store.settings.isSet('pwd-rule'))
      throw new CallError(INVALID_ARG, { field: 'password', fault: 'required' })
    return
  }
  const fault = makePasswordRule(rules ?? NO_PASSWORD_RULES, userName)(password)
  if (fault) {
    const { name, ...numbers } = fault
    throw new CallError(INVALID_ARG, { field: 'password', fault: name, ...numbers })
  }
  // Otherwise a client could send a plain text that passes and the hash of a password that does not.
  if (createHash('md5').update(password).digest('hex') !== passwd)
    throw new CallError(INVALID_ARG, { field: 'password', fault: 'invalid' })
}
