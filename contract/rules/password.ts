// Password rules: requirements for new passwords beyond the built-in rule. Admins configure them per hub.
import { PASSWORD_LENGTH_DEFAULT, PASSWORD_MAX } from '../limits.ts'
import { type Fault, password } from './rules.ts'

export interface PasswordRules {
  /** Characters, 0-32; 0 and 1 require nothing, because no password may be empty. */
  'min-length': number
  /** At least one lower-case letter, upper-case letter, digit, character of ~!@#$%^&*_-+=. */
  lower: boolean
  upper: boolean
  digit: boolean
  special: boolean
  /** Must not contain the user name, ignoring case. */
  'not-user-name': boolean
}

export const NO_PASSWORD_RULES: PasswordRules = {
  'min-length': 0,
  lower: false,
  upper: false,
  digit: false,
  special: false,
  'not-user-name': false
}

/** The rules of a hub whose administrators have not set any. */
export const DEFAULT_PASSWORD_RULES: PasswordRules = { ...NO_PASSWORD_RULES, 'min-length': PASSWORD_LENGTH_DEFAULT }

/**
 * Makes the rule for a new password: the built-in rule, then the hub's password rules in order. The first violation is the fault.
 * @param userName empty if it is not known yet
 */
export function makePasswordRule(rules: PasswordRules, userName = ''): (value: string) => Fault | undefined {
  const { 'min-length': min, lower, upper, digit, special, 'not-user-name': notUserName } = rules
  const name = userName.toLowerCase()
  return (value) =>
    password(value) ??
    (value.length < min ? { name: 'length', min, max: PASSWORD_MAX } : undefined) ??
    (lower && !/[a-z]/.test(value) ? { name: 'lower' } : undefined) ??
    (upper && !/[A-Z]/.test(value) ? { name: 'upper' } : undefined) ??
    (digit && !/\d/.test(value) ? { name: 'digit' } : undefined) ??
    // `password` accepts no other characters than letters, digits and the special characters.
    (special && !/[\W_]/.test(value) ? { name: 'special' } : undefined) ??
    (notUserName && name !== '' && value.toLowerCase().includes(name) ? { name: 'user-name' } : undefined)
}
