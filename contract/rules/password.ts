// Password rules: requirements for new passwords beyond the built-in rule. Admins configure them per hub.
import { PASSWORD_LENGTH_DEFAULT, PASSWORD_MAX } from '../limits.ts'
import type { PasswordRules } from './password.schema.ts'
import { type Fault, password } from './rules.ts'

export type { PasswordRules } from './password.schema.ts'

export const NO_PASSWORD_RULES: PasswordRules = {
  length: 0,
  lowercase: 0,
  uppercase: 0,
  number: 0,
  special: 0,
  'chk-name': 0
}

/** The rules of a hub whose administrators have not set any. */
export const DEFAULT_PASSWORD_RULES: PasswordRules = { ...NO_PASSWORD_RULES, length: PASSWORD_LENGTH_DEFAULT }

/** The kinds of characters with a number of their own: the characters, and the fault of a password with too few. */
export const PASSWORD_CHARACTERS = {
  lowercase: [/[a-z]/g, 'lower'],
  uppercase: [/[A-Z]/g, 'upper'],
  number: [/\d/g, 'digit'],
  // `password` accepts no other characters than letters, digits and the special characters.
  special: [/[\W_]/g, 'special']
} as const satisfies Partial<Record<keyof PasswordRules, readonly [characters: RegExp, fault: Fault['name']]>>

export type PasswordCharacters = keyof typeof PASSWORD_CHARACTERS

const KINDS = Object.keys(PASSWORD_CHARACTERS) as PasswordCharacters[]

/** The rules of a hub that requires something; undefined otherwise. Absent fields require nothing. */
export function activeRules(rules: Partial<PasswordRules> | undefined): PasswordRules | undefined {
  const all = { ...NO_PASSWORD_RULES, ...rules }
  return all.length > 1 || all['chk-name'] || KINDS.some((kind) => all[kind]) ? all : undefined
}

/** The largest number of characters of one kind, so that a password can still have those of the others. */
export function charactersMax(rules: PasswordRules, kind: PasswordCharacters): number {
  return KINDS.reduce((rest, other) => (other === kind ? rest : rest - rules[other]), PASSWORD_MAX)
}

/** The fault of a password with too few characters of one kind. */
export function charactersFault(kind: PasswordCharacters, count: number): Fault {
  return { name: PASSWORD_CHARACTERS[kind][1], ...(count > 1 && { min: count }) }
}

/**
 * Makes the rule for a new password: the built-in rule, then the hub's password rules in order. The first violation is
 * the fault.
 * @param userName empty if it is not known yet
 */
export function makePasswordRule(rules: PasswordRules, userName = ''): (value: string) => Fault | undefined {
  const { length: min } = rules
  const name = userName.toLowerCase()
  const countFault = (value: string) => {
    const missing = KINDS.find((kind) => (value.match(PASSWORD_CHARACTERS[kind][0]) ?? []).length < rules[kind])
    return missing && charactersFault(missing, rules[missing])
  }
  return (value) =>
    password(value) ??
    (value.length < min ? { name: 'length', min, max: PASSWORD_MAX } : undefined) ??
    countFault(value) ??
    (rules['chk-name'] && name !== '' && value.toLowerCase().includes(name) ? { name: 'user-name' } : undefined)
}
