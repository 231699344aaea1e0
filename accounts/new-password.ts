// Checks new passwords: the fixed rules, and those that an administrator has added (contract/access/session.ts).
import { createHash } from 'node:crypto'
import { INVALID_ARG } from '../contract/codes.ts'
import { makePasswordRule, NO_PASSWORD_RULES, type PasswordRules } from '../contract/rules/password.ts'
import { CallError } from '../web-server/call-error.ts'
import { EMPTY_PASSWORD_MD5 } from './passwords.ts'

export interface NewPasswordRules {
  /** The password rules of the settings; undefined if they require nothing. */
  rules: PasswordRules | undefined
  /** Whether an administrator has set them. */
  isSet: boolean
}

/**
 * Checks a new password against the rules. The plain text is only checked, never stored. It may be missing if the
 * settings have no rules, or only the default one, but is checked if it is present.
 * @param userName name of the user whose password it will be
 * @throws CallError 7 if the password breaks a rule
 */
export function validateNewPassword(
  { rules, isSet }: NewPasswordRules,
  userName: string,
  { passwd, password }: { passwd: string; password?: string | undefined }
) {
  if (passwd === EMPTY_PASSWORD_MD5) throw new CallError(INVALID_ARG, { field: 'passwd', fault: 'required' })
  if (password === undefined) {
    // A client that knows only the calls of the vendor sends no plain text. It may change passwords as long as nobody
    // has chosen rules.
    if (rules && isSet) throw new CallError(INVALID_ARG, { field: 'password', fault: 'required' })
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
