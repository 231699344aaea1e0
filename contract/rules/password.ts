// What the hub demands of a new password besides the rule every password has (specification 5): settings of the hub, made by admins.
import { PASSWORD_MAX } from '../limits.ts'
import { type Fault, password } from './rules.ts'

/** Each demand is off in a new hub. */
export interface PasswordRules {
  /** Characters, 1-32. */
  'min-length': number
  /** At least one small letter, capital letter, digit, or one of ~!@#$%^&*_-+= is in it. */
  lower: boolean
  upper: boolean
  digit: boolean
  special: boolean
  /** The user name is not in it, however written. */
  'not-user-name': boolean
}

export const NO_PASSWORD_RULES: PasswordRules = {
  'min-length': 1,
  lower: false,
  upper: false,
  digit: false,
  special: false,
  'not-user-name': false
}

/**
 * Makes the rule for a new password: what every password must be, then the hub's demands in the order of their list, the first that
 * is not met being the fault. A user name in it counts in capital and small letters alike; none is given where it is not known yet.
 */
export function passwordByRules(rules: PasswordRules, userName = ''): (value: string) => Fault | undefined {
  const { 'min-length': min, lower, upper, digit, special, 'not-user-name': notUserName } = rules
  const name = userName.toLowerCase()
  return (value) =>
    password(value) ??
    (value.length < min ? { name: 'length', min, max: PASSWORD_MAX } : undefined) ??
    (lower && !/[a-z]/.test(value) ? { name: 'lower' } : undefined) ??
    (upper && !/[A-Z]/.test(value) ? { name: 'upper' } : undefined) ??
    (digit && !/\d/.test(value) ? { name: 'digit' } : undefined) ??
    // What is neither letter nor digit is one of the signs, since `password` lets no others through.
    (special && !/[\W_]/.test(value) ? { name: 'special' } : undefined) ??
    (notUserName && name !== '' && value.toLowerCase().includes(name) ? { name: 'user-name' } : undefined)
}
