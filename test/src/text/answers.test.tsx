import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CODE_KEYS } from '../../../contract/codes.ts'
import { answerText, deviceAnswerText, whatHappened } from '../../../src/text/answers.ts'
import { codeText, NO_CONNECTION, NO_RESPONSE, REQUEST_TIMED_OUT } from '../../../src/text/codes.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { areSaid, both } from './both.ts'

const test = suite('answers')

test.before.each(() => setLanguage('en'))

const first = (answer: Parameters<typeof answerText>[0]) => both(() => answerText(answer)[0])

test('every answer is said in both languages, beginning with what happened', () => {
  const codes = [...Object.keys(CODE_KEYS).map(Number), NO_CONNECTION, NO_RESPONSE, REQUEST_TIMED_OUT, 777]
  for (const result of codes) {
    areSaid(() => answerText({ result }))
    assert.equal(answerText({ result })[0], codeText(result))
  }
})

test('the next step is said where there is one', () => {
  const steps: [code: number, next: string | undefined][] = [
    [0, undefined],
    [2, 'It may have been done all the same: look before you try again.'],
    [7, 'Check what you entered.'],
    [11, 'Try again in a moment.'],
    [12, 'Check its power and network.'],
    [16, 'What is shown is the present state.'],
    [29, 'Free some space first.'],
    [31, 'An administrator can grant it to your user group.'],
    [1003, 'Choose another one.'],
    [1004, 'What is shown is the present state.'],
    [1006, 'The license allows no more.'],
    [777, undefined]
  ]
  for (const [result, next] of steps) assert.equal(answerText({ result })[1], next, String(result))
})

test('the numbers and names of an answer are in its sentence', () => {
  assert.deepEqual(first({ result: 1007, port: 9001 }), ['Port 9001 occupied', '端口 9001 被占用'])
  assert.deepEqual(first({ result: 46, port: 80 }), ['Port 80 occupied', '端口 80 被占用'])
  assert.deepEqual(first({ result: 41, exists: 'user' }), ['User already exists', '用户已存在'])
  assert.deepEqual(first({ result: 41, exists: 'group' }), ['Group already exists', '用户组已存在'])
  assert.deepEqual(first({ result: 1003, exists: 'server' }), ['The server already exists', '服务器已存在'])
  assert.equal(whatHappened({ result: 1007 }), 'The port is already in use')
  assert.equal(whatHappened({ result: 1003 }), 'The name already exists')
})

test('how many there can be is said of what there are so many', () => {
  const most = (of: 'user' | 'group' | 'server', max: number) => answerText({ result: 17, of, max })
  assert.deepEqual(most('user', 32), ['Limit exceeded', 'max users 32'])
  assert.deepEqual(most('group', 6), ['Limit exceeded', 'max groups 6'])
  assert.deepEqual(most('server', 16), ['Limit exceeded', '16 servers at most'])
  assert.deepEqual(answerText({ result: 17, max: 100 }), ['Limit exceeded'])
})

test('who changed it is said with what was done and when', () => {
  const time = new Date(2026, 0, 2, 3, 4, 5).getTime()
  assert.deepEqual(
    both(() => answerText({ result: 16, by: { name: '李雷 <b>', time, event: '/output/del' } })[1]),
    ['Delete outputs: 李雷 <b>, Jan 2, 2026, 03:04:05', '删除输出：李雷 <b>，2026年1月2日 03:04:05']
  )
  assert.equal(
    answerText({ result: 1004, by: { name: 'anna', time, event: '/of/another/hub' } })[1],
    '/of/another/hub: anna, Jan 2, 2026, 03:04:05'
  )
})

test('of a device that does not answer in time it is the device that is spoken of', () => {
  assert.equal(deviceAnswerText({ result: REQUEST_TIMED_OUT })[0], 'No response from the device')
  assert.equal(deviceAnswerText({ result: NO_CONNECTION })[0], 'Cannot connect to server')
  assert.equal(deviceAnswerText({ result: 9 })[0], 'Not yet supported')
})

test.run()
