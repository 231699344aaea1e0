import assert from 'node:assert/strict'
import { suite } from 'uvu'
import * as codes from '../../../contract/codes.ts'
import { NOT_EXIST, PORT_OCCUPIED, STATE_CHANGED } from '../../../contract/codes.ts'
import { codeText, NO_CONNECTION, NO_RESPONSE, REQUEST_TIMED_OUT } from '../../../src/text/codes.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { responseLines } from '../../../src/text/response-message.ts'
import { assertTranslated, inBothLanguages } from '../../kit/both-languages.ts'
import { inGivenLanguage } from './with-language.ts'

const test = suite('answers')

test.before.each(() => setLanguage('en'))

test('every response has sentences in both languages, and the first states the result', () => {
  const named = Object.values(codes).filter((value) => typeof value === 'number')
  for (const result of [...named, NO_CONNECTION, NO_RESPONSE, REQUEST_TIMED_OUT, 777]) {
    assertTranslated(inGivenLanguage(() => responseLines({ result })))
    assert.equal(responseLines({ result })[0], codeText(result))
  }
})

test('the next step follows if there is one', () => {
  const steps: [code: number, next: string | undefined][] = [
    [0, undefined],
    [2, 'The operation may have completed. Check before you try again.'],
    [7, 'Check your entry.'],
    [11, 'Try again in a moment.'],
    [12, 'Check its power and network.'],
    [16, 'The current state is shown.'],
    [29, 'Free some space first.'],
    [31, 'Ask an administrator for it.'],
    [1003, 'Choose another one.'],
    [1004, 'The current state is shown.'],
    [1006, 'The license limit is reached.'],
    [777, undefined]
  ]
  for (const [result, next] of steps) assert.equal(responseLines({ result })[1], next, String(result))
})

test('the message of a response is shown unchanged', () => {
  const message = 'Port 9001 occupied\nChoose another one.'
  assert.deepEqual(responseLines({ result: PORT_OCCUPIED, message }), ['Port 9001 occupied', 'Choose another one.'])
  assert.deepEqual(responseLines({ result: PORT_OCCUPIED }), ['The port is already in use', 'Choose another one.'])
})

test('a conflict names the user, the change and its time', () => {
  const time = new Date(2026, 0, 2, 3, 4, 5).getTime()
  const by = { name: '李雷 <b>', time, event: '/output/del', what: 'Delete outputs' }
  assert.deepEqual(inBothLanguages(inGivenLanguage(() => responseLines({ result: NOT_EXIST, by })[1])), [
    'Delete outputs: 李雷 <b>, Jan 2, 2026, 03:04:05',
    'Delete outputs：李雷 <b>，2026年1月2日 03:04:05'
  ])
  assert.equal(
    responseLines({ result: STATE_CHANGED, by: { name: 'anna', time, event: '/of/another/hub' } })[1],
    '/of/another/hub: anna, Jan 2, 2026, 03:04:05'
  )
  assert.deepEqual(
    inBothLanguages(
      inGivenLanguage(() => responseLines({ result: NOT_EXIST, by: { ...by, name: 'anna', token: 'Playout' } })[1])
    ),
    [
      'Delete outputs: Token “Playout” of anna, Jan 2, 2026, 03:04:05',
      'Delete outputs：anna 的令牌“Playout”，2026年1月2日 03:04:05'
    ]
  )
})

test.run()
