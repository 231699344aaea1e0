// The password rules that an administrator sets.
import { PASSWORD_MAX } from '../../../contract/limits.ts'
import type { PasswordRules } from '../../../contract/rules/password.ts'
import type { Fault } from '../../../contract/rules/rules.ts'
import { faultText } from '../../text/faults.ts'

/** The rules that can be switched on, with the fault of a password that violates them. */
export const REQUIREMENT_FAULTS = {
  lower: 'lower',
  upper: 'upper',
  digit: 'digit',
  special: 'special',
  'not-user-name': 'user-name'
} as const satisfies Partial<Record<keyof PasswordRules, Fault['name']>>

export const REQUIREMENTS = Object.keys(REQUIREMENT_FAULTS) as (keyof typeof REQUIREMENT_FAULTS)[]

/** The active rules as sentences. */
export function requirementTexts(rules: PasswordRules): string[] {
  const min = rules['min-length']
  return [
    ...(min > 1 ? [faultText({ name: 'length', min, max: PASSWORD_MAX })] : []),
    ...REQUIREMENTS.filter((name) => rules[name]).map((name) => faultText({ name: REQUIREMENT_FAULTS[name] }))
  ]
}
