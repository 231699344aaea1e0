import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ULTRA_CODE_KEYS } from '../../../contract/device/ultra-codes.ts'
import { ultraCodeText, ultraLines } from '../../../hub/messages/ultra-codes.ts'
import { assertTranslated } from '../../kit/both-languages.ts'

const test = suite('messages of the Ultra family')

test('every code has a sentence in both languages', () => {
  const codes = Object.keys(ULTRA_CODE_KEYS).map(Number)
  assert.ok(codes.length > 35)
  for (const code of codes) {
    assertTranslated((language) => ultraLines(language, code))
    assert.equal(ultraLines('en', code)[0], ultraCodeText('en', code))
    assert.doesNotMatch(ultraCodeText('en', code), /Error code/)
  }
})

test('no two codes share a key', () => {
  const keys = Object.values(ULTRA_CODE_KEYS)
  assert.equal(new Set(keys).size, keys.length)
})

test('documented codes have the wording of the vendor', () => {
  const expected: Record<number, string> = {
    [-4]: 'Device error',
    [-9]: 'The device is busy',
    [-10]: 'Invalid request parameters',
    [-11]: 'Not yet supported',
    [-14]: 'This configuration has been deleted by another user.',
    [-28]: 'The input string is incorrect',
    1: 'Repeated operations'
  }
  for (const [code, text] of Object.entries(expected)) assert.equal(ultraCodeText('en', Number(code)), text)
})

test('an unknown code is shown as a result code of the hub', () => {
  assert.equal(ultraLines('en', 31)[0], 'No permission to operate.')
  assert.equal(ultraLines('en', 10007)[0], 'The device is offline')
  assert.deepEqual(ultraLines('en', -999), ['Operation failed. Error code: -999'])
})

test.run()
