import assert from 'node:assert/strict'
import { suite } from 'uvu'
import * as codes from '../../../contract/codes.ts'
import { DEVICE_WARNING_BITS } from '../../../contract/device/status.ts'
import { accessToken } from '../../../contract/rules/account.ts'
import { downgradePrompt, freeSpace } from '../../../contract/rules/file.ts'
import { ipBetween } from '../../../contract/rules/network.ts'
import { portOrDefault } from '../../../contract/rules/number.ts'
import { type Fault, passphrase, port, streamId, streamName } from '../../../contract/rules/rules.ts'
import * as failure from '../../../src/link/failure.ts'
import { downgradeQuestion } from '../../../src/parts/device/upgrade-dialog.tsx'
import { codeText, isKnownCode, NO_CONNECTION, NO_RESPONSE, REQUEST_TIMED_OUT } from '../../../src/text/codes.ts'
import { faultOf, faultText } from '../../../src/text/faults.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { warningLabels } from '../../../src/text/states.ts'
import { tables, verdictOf } from '../../contract/rules/rule-cases.ts'
import { inBothLanguages } from '../../kit/both-languages.ts'
import { inGivenLanguage } from './with-language.ts'

const test = suite('sentences')

test.before.each(() => setLanguage('en'))

function assertSentence(create: () => string): void {
  const [en, zh] = inBothLanguages(inGivenLanguage(create))
  assert.match(en, /[A-Za-z]/)
  assert.match(zh, /[\u4e00-\u9fff]/, `${en} has no Chinese`)
}

test('every result code of the contract has a sentence in both languages', () => {
  for (const code of Object.values(codes).filter((value) => typeof value === 'number')) {
    assert.ok(isKnownCode(code), `code ${code} has no sentence`)
    assertSentence(() => codeText(code))
  }
})

test('the sentence for an unknown code contains the number', () => {
  assert.deepEqual(inBothLanguages(inGivenLanguage(() => codeText(777))), [
    'Operation failed. Error code: 777',
    '操作失败，错误码：777'
  ])
})

test('a missing response has a sentence for each cause', () => {
  assert.equal(codeText(NO_CONNECTION), 'Cannot connect to server')
  assert.equal(codeText(REQUEST_TIMED_OUT), 'Network Error: Please check your network connection')
  assert.equal(codeText(NO_RESPONSE), 'No response from the device')
})

test('the codes for a missing response are those of the transport', () => {
  assert.deepEqual(
    [NO_CONNECTION, REQUEST_TIMED_OUT, NO_RESPONSE],
    [failure.NO_CONNECTION, failure.REQUEST_TIMED_OUT, failure.NO_RESPONSE]
  )
})

test('result codes have the wording of the wire', () => {
  const expected: Record<number, string> = {
    7: 'Invalid request parameters',
    9: 'Not yet supported',
    16: 'This configuration has been deleted by another user.',
    17: 'Limit exceeded',
    31: 'No permission to operate.',
    39: 'Incorrect account or password',
    1003: 'The name already exists',
    1004: 'The status has been changed by another people',
    1007: 'The port is already in use'
  }
  for (const [code, text] of Object.entries(expected)) assert.equal(codeText(Number(code)), text)
})

test('sentences of faults contain their numbers', () => {
  const textOf = (fault: Fault | undefined) => faultText(fault ?? { name: 'scheme' })
  assert.equal(textOf(streamName('a'.repeat(65))), 'Must be 1 to 64 characters long')
  assert.equal(
    textOf(streamName('室'.repeat(22))),
    'Must be 1 to 64 characters long; ^ and letters other than A-Z count as 3'
  )
  assert.equal(textOf(port('65536')), 'Must be between 1 and 65535')
  assert.equal(textOf(portOrDefault({ default: 80, min: 1024 })('81')), 'Must be 80, or between 1024 and 65535')
  assert.equal(textOf(ipBetween('10.0.0.1', '10.0.0.9')('10.0.0.10')), 'Must be between 10.0.0.1 and 10.0.0.9')
  assert.equal(textOf(streamId('x'.repeat(257))), 'At most 256 characters')
  assert.equal(textOf(accessToken('x')), 'Must be 64 characters long')
  assert.equal(textOf(passphrase('short')), 'Must be 10 to 79 characters long')
  assert.equal(textOf(freeSpace(0)), 'Less than 50 MB free')
})

test('faults have the wording of the wire', () => {
  const expected: Partial<Record<Fault['name'], string>> = {
    required: 'Required',
    invalid: 'Invalid entry',
    number: 'Invalid number',
    'outer-space': 'Cannot begin or end with a space',
    'any-space': 'Cannot contain any space',
    different: 'Two passwords are inconsistent',
    file: 'Invalid file'
  }
  for (const [name, text] of Object.entries(expected)) assert.equal(faultText({ name: name as Fault['name'] }), text)
  setLanguage('zh')
  assert.equal(faultText({ name: 'required' }), '必填')
})

test('every fault of a rule has a sentence in both languages with all its numbers', () => {
  const found = new Map<string, Fault>()
  for (const { rule, rows } of tables)
    for (const [value] of rows) {
      const fault = (rule as (value: unknown) => Fault | undefined)(value)
      if (fault) found.set(verdictOf(fault), fault)
    }
  assert.ok(found.size > 40, `${found.size} faults`)
  const sentences = new Set<string>()
  for (const fault of found.values()) {
    assertSentence(() => faultText(fault))
    for (const text of inBothLanguages(inGivenLanguage(() => faultText(fault)))) {
      assert.doesNotMatch(text, /[{}]|undefined/)
      if (fault.max !== undefined) assert.ok(text.includes(String(fault.max)), text)
    }
    sentences.add(faultText(fault))
  }
  // All sentences differ.
  assert.equal(sentences.size, found.size)
})

test('a fault from the hub has the same sentence as one found in the console', () => {
  const textOf = (answer: Parameters<typeof faultOf>[0]) => faultText(faultOf(answer))
  assert.equal(textOf({ fault: 'range', min: 20, max: 8000 }), 'Must be between 20 and 8000')
  assert.equal(textOf({ fault: 'port', default: 80, min: 1, max: 9 }), 'Must be 80, or between 1 and 9')
  for (const fault of ['', 'Invalid input', 'constructor', '__proto__', 'range', 'length', 'port'])
    assert.equal(textOf({ fault }), 'Invalid entry', fault)
  assert.equal(textOf({}), 'Invalid entry')
})

test('the question before a downgrade names both versions and the risk', () => {
  const question = downgradePrompt('1.5.79', '1.5.78')
  assert.ok(question)
  for (const text of inBothLanguages(inGivenLanguage(() => downgradeQuestion(question))))
    assert.match(text, /1\.5\.78.*1\.5\.79/)
})

test('every warning has a label in both languages', () => {
  for (const bit of Object.values(DEVICE_WARNING_BITS)) assertSentence(() => warningLabels(bit).join())
})

test('a warning mask has a label for each bit', () => {
  assert.deepEqual(warningLabels(0), [])
  assert.deepEqual(warningLabels(DEVICE_WARNING_BITS.noSignal | DEVICE_WARNING_BITS.storageFull), [
    'No signal',
    'Storage full'
  ])
})

test.run()
