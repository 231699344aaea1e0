import assert from 'node:assert/strict'
import { createRandomPassword } from '../../accounts/random-password.ts'
import {
  DEFAULT_PASSWORD_RULES,
  makePasswordRule,
  NO_PASSWORD_RULES,
  type PasswordRules
} from '../../contract/rules/password.ts'
import { suite } from '../kit/runner/suite.ts'

const test = suite('random-password')

const RULES: readonly PasswordRules[] = [
  NO_PASSWORD_RULES,
  DEFAULT_PASSWORD_RULES,
  { ...NO_PASSWORD_RULES, length: 32, 'chk-name': 1 },
  { ...NO_PASSWORD_RULES, lowercase: 32 },
  { ...NO_PASSWORD_RULES, special: 32 },
  { length: 8, lowercase: 8, uppercase: 8, number: 8, special: 8, 'chk-name': 1 },
  { ...NO_PASSWORD_RULES, number: 21 }
]

test('a random password meets every rule that can be set, and has at least 20 characters', () => {
  for (const rules of RULES) {
    const password = createRandomPassword(rules, 'Admin')
    assert.equal(makePasswordRule(rules, 'Admin')(password), undefined, JSON.stringify(rules))
    assert.ok(password.length >= 20)
  }
})

test('without rules it has characters of all kinds, and differs each time', () => {
  const [one, other] = [1, 2].map(() => createRandomPassword(NO_PASSWORD_RULES, 'Admin'))
  for (const kind of [/[a-z]/, /[A-Z]/, /\d/, /\W/]) assert.match(one ?? '', kind)
  assert.notEqual(one, other)
})

test.run()
