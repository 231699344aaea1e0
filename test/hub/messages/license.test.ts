import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { LICENSE } from '../../../contract/license.ts'
import { codeText } from '../../../hub/messages/codes.ts'
import { licenseLines } from '../../../hub/messages/license.ts'
import { areSaid } from '../../kit/both.ts'

const test = suite('licenses')

const said = (state: number) => licenseLines('en', state)[0]

test('every state has its own sentence in both languages', () => {
  const states = Object.values(LICENSE)
  for (const state of states) areSaid((language) => licenseLines(language, state))
  assert.equal(new Set(states.map(said)).size, states.length)
})

test('the wordings of the specification stand', () => {
  assert.equal(said(LICENSE.invalid), 'Invalid certificate')
  assert.equal(said(LICENSE.disabled), 'Certificate disabled')
  assert.equal(said(LICENSE.occupied), 'activated by another user')
  assert.equal(said(LICENSE.error), 'Certificate error')
  assert.equal(said(LICENSE.expired), 'License subscription is expired, please renew it.')
})

test('a number that licenses and the hub share is not the same sentence', () => {
  for (const shared of [LICENSE.invalid, LICENSE.notExist]) assert.notEqual(said(shared), codeText('en', shared))
  for (const own of [LICENSE.expired, LICENSE.error, LICENSE.disabled, LICENSE.occupied])
    assert.equal(said(own), codeText('en', own))
})

test('a code of the hub that is no state of a license is said as the hub says it', () => {
  assert.equal(said(31), 'No permission to operate.')
})

test.run()
