import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CODE_KEYS } from '../../../contract/codes.ts'
import { REGISTRATION, WARNING } from '../../../contract/device.ts'
import { EVENTS } from '../../../contract/events.ts'
import { REFUSAL } from '../../../contract/link.ts'
import { CONNECTION, SOURCE } from '../../../contract/protocols.ts'
import { passphrase, password, port, streamId, streamName } from '../../../contract/rules.ts'
import * as failure from '../../../src/link/failure.ts'
import { codeText, isKnownCode, NO_CONNECTION, NO_RESPONSE, REQUEST_TIMED_OUT } from '../../../src/text/codes.ts'
import { eventText } from '../../../src/text/events.ts'
import { faultText } from '../../../src/text/faults.ts'
import { type Language, setLanguage } from '../../../src/text/language.ts'
import {
  connectionWord,
  legWord,
  registrationWord,
  sourceWord,
  warningWord,
  warningWords
} from '../../../src/text/states.ts'

const test = suite('sentences')

test.before.each(() => setLanguage('en'))

/** What `say` says in both languages. */
function both(say: () => string): [string, string] {
  const [en, zh] = (['en', 'zh'] as Language[]).map((language) => {
    setLanguage(language)
    return say()
  })
  return [en ?? '', zh ?? '']
}

function isSaid(say: () => string): void {
  const [en, zh] = both(say)
  assert.match(en, /[A-Za-z]/)
  assert.match(zh, /[\u4e00-\u9fff]/, `${en} has no Chinese`)
}

test('every code the contract names has a sentence in both languages', () => {
  for (const code of Object.keys(CODE_KEYS).map(Number)) {
    assert.ok(isKnownCode(code), `code ${code} has no sentence`)
    isSaid(() => codeText(code))
  }
})

test('a code that nobody knows is said with its number', () => {
  assert.deepEqual(
    both(() => codeText(777)),
    ['Operation failed. Error code: 777', '操作失败，错误码：777']
  )
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
    1007: 'The port is already in use',
    [-28]: 'The input string is incorrect'
  }
  for (const [code, text] of Object.entries(said)) assert.equal(codeText(Number(code)), text)
})

test('faults are said with their numbers', () => {
  const say = (fault: Parameters<typeof faultText>[0] | undefined) => faultText(fault ?? { name: 'scheme' })
  assert.equal(say(streamName('')), 'Required')
  assert.equal(say(streamName(' a')), 'Cannot begin or end with a space')
  assert.equal(say(streamName('a'.repeat(65))), 'Must be 1 to 64 characters long')
  assert.equal(say(password('a b')), 'Cannot contain any space')
  assert.equal(say(port('x')), 'Invalid number')
  assert.equal(say(port('65536')), 'Must be between 1 and 65535')
  assert.equal(say(streamId('x'.repeat(257))), 'At most 256 characters')
  assert.equal(say(passphrase('short')), 'Must be 10 to 79 characters long')
  assert.equal(faultText({ name: 'different' }), 'Two passwords are inconsistent')
  assert.equal(faultText({ name: 'invalid' }), 'Invalid entry')
})

test('every event has a sentence in both languages, with its detail in it', () => {
  for (const event of EVENTS) {
    isSaid(() => eventText(event, 'Hall 1 storageFull'))
    setLanguage('en')
    if (!['hub-stopped', 'low-memory'].includes(event)) assert.match(eventText(event, 'Hall 1 x'), /Hall 1/)
  }
})

test('warnings and refusals in a line are said in words', () => {
  assert.equal(eventText('warning-raised', 'Hall 1 storageFull'), 'Hall 1: Storage full')
  assert.equal(
    eventText('device-refused', `Hall 1 192.0.2.1 ${REFUSAL.wrongCode}`),
    'Hall 1 192.0.2.1 refused: wrong invitation code'
  )
  assert.equal(eventText('device-refused', 'Hall'), 'Hall refused: ')
})

test('an event that nobody knows is shown as it came', () => {
  assert.equal(eventText('toString', 'x'), 'toString x')
  assert.equal(eventText('/usr/update', ''), '/usr/update')
})

test('every state has a word in both languages', () => {
  for (const state of Object.values(SOURCE)) isSaid(() => sourceWord(state).text)
  for (const state of Object.values(CONNECTION)) isSaid(() => connectionWord(state).text)
  for (const state of Object.values(REGISTRATION)) isSaid(() => registrationWord(state).text)
  for (const name of Object.keys(WARNING)) isSaid(() => warningWord(name))
  assert.deepEqual(
    both(() => sourceWord(99).text),
    ['Unknown', '未知']
  )
})

test('a leg says the cause where its connection knows it', () => {
  assert.equal(legWord(SOURCE.running, CONNECTION.connected).text, 'Running')
  assert.equal(legWord(SOURCE.running, CONNECTION.waitingForData).text, 'Waiting for data')
  assert.equal(legWord(SOURCE.failed, CONNECTION.refused).text, 'Refused by the remote')
  assert.equal(legWord(SOURCE.failed, CONNECTION.waiting).text, 'Failed')
  assert.equal(legWord(SOURCE.offline, CONNECTION.disconnected).text, 'Offline')
})

test('a mask of warnings is said bit by bit', () => {
  assert.deepEqual(warningWords(0), [])
  assert.deepEqual(warningWords(WARNING.noSignal | WARNING.storageFull), ['No signal', 'Storage full'])
})

test.run()
