// The password rules that an administrator sets, as sentences.
import { PASSWORD_MAX } from '../../../contract/limits.ts'
import {
  charactersFault,
  PASSWORD_CHARACTERS,
  type PasswordCharacters,
  type PasswordRules
} from '../../../contract/rules/password.ts'
import { faultText } from '../../text/faults.ts'

/** The kinds of characters of which a password can need some. */
export const CHARACTER_KINDS = Object.keys(PASSWORD_CHARACTERS) as PasswordCharacters[]

/** The active rules as sentences. */
export function requirementTexts(rules: PasswordRules): string[] {
  const { length: min } = rules
  return [
    ...(min > 1 ? [faultText({ name: 'length', min, max: PASSWORD_MAX })] : []),
    ...CHARACTER_KINDS.filter((kind) => rules[kind] > 0).map((kind) => faultText(charactersFault(kind, rules[kind]))),
    ...(rules['chk-name'] ? [faultText({ name: 'user-name' })] : [])
  ]
}
