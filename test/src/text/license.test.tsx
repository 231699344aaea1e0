import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { LICENSE } from '../../../contract/license.ts'
import { codeText } from '../../../src/text/codes.ts'
import { licenseAnswerText, licenseExpiresText, licenseText } from '../../../src/text/license.ts'
import { areSaid, both } from './both.ts'

const test = suite('licenses')

test('every state has its own sentence in both languages', () => {
  const states = Object.values(LICENSE)
  for (const result of states) {
    areSaid(() => [licenseText(result)])
    areSaid(() => licenseAnswerText({ result }))
  }
  assert.equal(new Set(states.map(licenseText)).size, states.length)
})

test('the wordings of the specification stand', () => {
  assert.equal(licenseText(LICENSE.invalid), 'Invalid certificate')
  assert.equal(licenseText(LICENSE.disabled), 'Certificate disabled')
  assert.equal(licenseText(LICENSE.occupied), 'activated by another user')
  assert.equal(licenseText(LICENSE.error), 'Certificate error')
  assert.equal(licenseText(LICENSE.expired), 'License subscription is expired, please renew it.')
})

test('a number that licenses and the hub share is not the same sentence', () => {
  for (const shared of [LICENSE.invalid, LICENSE.notExist]) assert.notEqual(licenseText(shared), codeText(shared))
  for (const own of [LICENSE.expired, LICENSE.error, LICENSE.disabled, LICENSE.occupied])
    assert.equal(licenseText(own), codeText(own))
})

test('a call that went well says so, and one that the hub refused says that', () => {
  assert.deepEqual(licenseAnswerText({ result: 0 }), ['Operation succeeded'])
  assert.equal(licenseAnswerText({ result: 31 })[0], 'No permission to operate.')
})

test('when it expires is said with its numbers', () => {
  assert.deepEqual(
    both(() => licenseExpiresText(14, '2026-12-05')),
    [
      'The license expires in 14 days, on 2026-12-05. Please renew it.',
      '许可证将于 14 天后（2026-12-05）到期，请续订。'
    ]
  )
})

test.run()
