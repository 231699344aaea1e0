import assert from 'node:assert/strict'
import { suite } from 'uvu'
import * as codes from '../../../contract/codes.ts'
import { DEVICE_WARNING_BITS } from '../../../contract/device/status.ts'
import { accessToken } from '../../../contract/rules/account.ts'
import { freeSpace, downgradePrompt } from '../../../contract/rules/file.ts'
import { ipBetween } from '../../../contract/rules/network.ts'
import { portOrDefault } from '../../../contract/rules/number.ts'
import { type Fault, passphrase, port, streamId, streamName } from '../../../contract/rules/rules.ts'
import { CONNECTION_STATE, SOURCE_STATE } from '../../../contract/stream/protocols.ts'
import * as failure from '../../../src/link/failure.ts'
import { codeText, isKnownCode, NO_CONNECTION, NO_RESPONSE, REQUEST_TIMED_OUT } from '../../../src/text/codes.ts'
import { faultOf, faultText } from '../../../src/text/faults.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { questionText } from '../../../src/text/questions.ts'
import { connectionWord, legWord, sourceWord, warningWords } from '../../../src/text/states.ts'
import { tables, verdictOf } from '../../contract/rules/rule-cases.ts'
import { inBothLanguages } from '../../kit/both-languages.ts'
import { shown } from './shown.ts'

const test = suite('sentences')

test.before.each(() => setLanguage('en'))

function isSaid(say: () => string): void {
  const [en, zh] = inBothLanguages(shown(say))
  assert.match(en, /[A-Za-z]/)
  assert.match(zh, /[\u4e00-\u9fff]/, `${en} has no Chinese`)
}

test('every code that the contract names for a hub has a sentence in both languages', () => {
  for (const code of Object.values(codes).filter((value) => typeof value === 'number')) {
    assert.ok(isKnownCode(code), `code ${code} has no sentence`)
    isSaid(() => codeText(code))
  }
})

test('a code that nobody knows is said with its number', () => {
  assert.deepEqual(inBothLanguages(shown(() => codeText(777))), ['Operation failed. Error code: 777', '操作失败，错误码：777'])
})

test('where no answer came it says which way', () => {
  assert.equal(codeText(NO_CONNECTION), 'Cannot connect to server')
  assert.equal(codeText(REQUEST_TIMED_OUT), 'Network Error: Please check your network connection')
  assert.equal(codeText(NO_RESPONSE), 'No response from the device')
})

test('the codes for no answer are those that the link gives', () => {
  assert.deepEqual(
    [NO_CONNECTION, REQUEST_TIMED_OUT, NO_RESPONSE],
    [failure.NO_CONNECTION, failure.REQUEST_TIMED_OUT, failure.NO_RESPONSE]
  )
})

test('the wordings of the specification stand', () => {
  const said: Record<number, string> = {
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
  for (const [code, text] of Object.entries(said)) assert.equal(codeText(Number(code)), text)
})

test('faults are said with their numbers', () => {
  const say = (fault: Fault | undefined) => faultText(fault ?? { name: 'scheme' })
  assert.equal(say(streamName('a'.repeat(65))), 'Must be 1 to 64 characters long')
  assert.equal(
    say(streamName('室'.repeat(22))),
    'Must be 1 to 64 characters long; ^ and letters other than A-Z count as 3'
  )
  assert.equal(say(port('65536')), 'Must be between 1 and 65535')
  assert.equal(say(portOrDefault({ default: 80, min: 1024 })('81')), 'Must be 80, or between 1024 and 65535')
  assert.equal(say(ipBetween('10.0.0.1', '10.0.0.9')('10.0.0.10')), 'Must be between 10.0.0.1 and 10.0.0.9')
  assert.equal(say(streamId('x'.repeat(257))), 'At most 256 characters')
  assert.equal(say(accessToken('x')), 'Must be 64 characters long')
  assert.equal(say(passphrase('short')), 'Must be 10 to 79 characters long')
  assert.equal(say(freeSpace(0)), 'Less than 50 MB of space')
})

test('faults are said in the wordings of the specification', () => {
  const said: Partial<Record<Fault['name'], string>> = {
    required: 'Required',
    invalid: 'Invalid entry',
    number: 'Invalid number',
    'outer-space': 'Cannot begin or end with a space',
    'any-space': 'Cannot contain any space',
    different: 'Two passwords are inconsistent',
    file: 'Invalid file'
  }
  for (const [name, text] of Object.entries(said)) assert.equal(faultText({ name: name as Fault['name'] }), text)
  setLanguage('zh')
  assert.equal(faultText({ name: 'required' }), '必填')
})

test('every fault that a rule finds has a sentence in both languages, with all its numbers in it', () => {
  const found = new Map<string, Fault>()
  for (const { rule, rows } of tables)
    for (const [value] of rows) {
      const fault = (rule as (value: unknown) => Fault | undefined)(value)
      if (fault) found.set(verdictOf(fault), fault)
    }
  assert.ok(found.size > 40, `${found.size} faults`)
  const sentences = new Set<string>()
  for (const fault of found.values()) {
    isSaid(() => faultText(fault))
    for (const text of inBothLanguages(shown(() => faultText(fault)))) {
      assert.doesNotMatch(text, /[{}]|undefined/)
      if (fault.max !== undefined) assert.ok(text.includes(String(fault.max)), text)
    }
    sentences.add(faultText(fault))
  }
  // No two are said alike.
  assert.equal(sentences.size, found.size)
})

test('what the hub answers is said as if the rule had found it here', () => {
  const said = (answer: Parameters<typeof faultOf>[0]) => faultText(faultOf(answer))
  assert.equal(said({ fault: 'range', min: 20, max: 8000 }), 'Must be between 20 and 8000')
  assert.equal(said({ fault: 'port', default: 80, min: 1, max: 9 }), 'Must be 80, or between 1 and 9')
  for (const fault of ['', 'Invalid input', 'constructor', '__proto__', 'range', 'length', 'port'])
    assert.equal(said({ fault }), 'Invalid entry', fault)
  assert.equal(said({}), 'Invalid entry')
})

test('before a lower version is installed it is said which, and what may be lost', () => {
  const question = downgradePrompt('1.5.79', '1.5.78')
  assert.ok(question)
  for (const text of inBothLanguages(shown(() => questionText(question)))) assert.match(text, /1\.5\.78.*1\.5\.79/)
})

test('every state has a word in both languages', () => {
  for (const state of Object.values(SOURCE_STATE)) isSaid(() => sourceWord(state).text)
  for (const state of Object.values(CONNECTION_STATE)) isSaid(() => connectionWord(state).text)
  for (const bit of Object.values(DEVICE_WARNING_BITS)) isSaid(() => warningWords(bit).join())
  assert.deepEqual(inBothLanguages(shown(() => sourceWord(99).text)), ['Unknown', '未知'])
})

test('a leg says the cause where its connection knows it', () => {
  assert.equal(legWord(SOURCE_STATE.running, CONNECTION_STATE.connected).text, 'Running')
  assert.equal(legWord(SOURCE_STATE.running, CONNECTION_STATE.waitingForData).text, 'Waiting for data')
  assert.equal(legWord(SOURCE_STATE.failed, CONNECTION_STATE.refused).text, 'Refused by the remote')
  assert.equal(legWord(SOURCE_STATE.failed, CONNECTION_STATE.waiting).text, 'Failed')
  assert.equal(legWord(SOURCE_STATE.offline, CONNECTION_STATE.disconnected).text, 'Offline')
})

test('a mask of warnings is said bit by bit', () => {
  assert.deepEqual(warningWords(0), [])
  assert.deepEqual(warningWords(DEVICE_WARNING_BITS.noSignal | DEVICE_WARNING_BITS.storageFull), ['No signal', 'Storage full'])
})

test.run()
