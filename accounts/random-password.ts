// Random passwords that meet the password rules of a hub.
import { randomInt } from 'node:crypto'
import { makePasswordRule, type PasswordCharacters, type PasswordRules } from '../contract/rules/password.ts'

/** Without characters that look alike. */
const CHARACTERS: Readonly<Record<PasswordCharacters, string>> = {
  lowercase: 'abcdefghijkmnpqrstuvwxyz',
  uppercase: 'ABCDEFGHJKLMNPQRSTUVWXYZ',
  number: '23456789',
  special: '#@%+='
}

const KINDS = Object.keys(CHARACTERS) as PasswordCharacters[]

/** Characters of a password, unless the rules require more. */
const LENGTH = 20

/** A password with at least the required characters, in random order. */
function draw(rules: PasswordRules): string {
  const kinds = KINDS.flatMap((kind) => Array<PasswordCharacters>(rules[kind]).fill(kind))
  const length = Math.max(LENGTH, rules.length)
  for (let index = 0; kinds.length < length; index++) kinds.push(KINDS[index % KINDS.length] as PasswordCharacters)
  const characters: string[] = []
  for (const kind of kinds) {
    const set = CHARACTERS[kind]
    characters.splice(randomInt(characters.length + 1), 0, set.charAt(randomInt(set.length)))
  }
  return characters.join('')
}

/** @param userName which the password does not contain if the rules forbid that */
export function createRandomPassword(rules: PasswordRules, userName: string): string {
  const fault = makePasswordRule(rules, userName)
  let password = draw(rules)
  while (fault(password)) password = draw(rules)
  return password
}
