import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { LICENSE_STATE } from '../../../contract/license/license.ts'
import { codeText } from '../../../hub/messages/codes.ts'
import { licenseLines } from '../../../hub/messages/license.ts'
import { assertTranslated } from '../../kit/both-languages.ts'

const test = suite('license messages')

const firstLine = (state: number) => licenseLines('en', state)[0]

test('every state has a unique sentence in both languages', () => {
  const states = Object.values(LICENSE_STATE)
  for (const state of states) assertTranslated((language) => licenseLines(language, state))
  assert.equal(new Set(states.map(firstLine)).size, states.length)
})

test('sentences have the wording of the vendor', () => {
  assert.equal(firstLine(LICENSE_STATE.invalid), 'Invalid certificate')
  assert.equal(firstLine(LICENSE_STATE.disabled), 'Certificate disabled')
  assert.equal(firstLine(LICENSE_STATE.occupied), 'activated by another user')
  assert.equal(firstLine(LICENSE_STATE.error), 'Certificate error')
  assert.equal(firstLine(LICENSE_STATE.expired), 'License subscription is expired, please renew it.')
})

test('a state whose number is also a result code of the hub has a sentence of its own', () => {
  for (const shared of [LICENSE_STATE.invalid, LICENSE_STATE.notExist])
    assert.notEqual(firstLine(shared), codeText('en', shared))
  for (const unique of [LICENSE_STATE.expired, LICENSE_STATE.error, LICENSE_STATE.disabled, LICENSE_STATE.occupied])
    assert.equal(firstLine(unique), codeText('en', unique))
})

test('a number that is not a state is shown as a result code of the hub', () => {
  assert.equal(firstLine(31), 'No permission to operate.')
})

test.run()
