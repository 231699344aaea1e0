// What the hub demands of a new password besides what every password needs.
import { PASSWORD_MAX } from '../../../contract/limits.ts'
import type { PasswordRules } from '../../../contract/rules/password.ts'
import type { Fault } from '../../../contract/rules/rules.ts'
import { faultText } from '../../text/faults.ts'

/** Those that are on or off, and the fault of a password that does not meet them. */
export const FAULT_OF = {
  lower: 'lower',
  upper: 'upper',
  digit: 'digit',
  special: 'special',
  'not-user-name': 'user-name'
} as const satisfies Partial<Record<keyof PasswordRules, Fault['name']>>

export const DEMANDS = Object.keys(FAULT_OF) as (keyof typeof FAULT_OF)[]

/** Each demand that is made, in words. */
export function demandsOf(rules: PasswordRules): string[] {
  const min = rules['min-length']
  return [
    ...(min > 1 ? [faultText({ name: 'length', min, max: PASSWORD_MAX })] : []),
    ...DEMANDS.filter((demand) => rules[demand]).map((demand) => faultText({ name: FAULT_OF[demand] }))
  ]
}
