import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CODE_KEYS } from '../../../contract/codes.ts'
import { codeLines, codeText, isKnownCode } from '../../../hub/messages/codes.ts'
import { assertTranslated, inBothLanguages } from '../../kit/both-languages.ts'

const test = suite('codes')

test('every code of the contract has a sentence in both languages', () => {
  for (const code of Object.keys(CODE_KEYS).map(Number)) {
    assert.ok(isKnownCode(code), `code ${code} has no sentence`)
    assertTranslated((language) => codeLines(language, code))
    assert.equal(codeLines('en', code)[0], codeText('en', code))
  }
})

test('an unknown code is shown with its number', () => {
  assert.deepEqual(
    inBothLanguages((language) => codeLines(language, 777)),
    [['Operation failed. Error code: 777'], ['操作失败，错误码：777']]
  )
})

test('sentences have the wording of the vendor', () => {
  assert.equal(codeText('en', -28), 'The input string is incorrect')
  assert.equal(codeText('en', -107), 'License subscription is expired, please renew it.')
})

test.run()
