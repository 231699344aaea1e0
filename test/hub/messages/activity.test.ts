import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { activityStatus, sessionStatus } from '../../../hub/messages/activity.ts'
import { ultraCodeText } from '../../../hub/messages/ultra-codes.ts'
import { assertTranslated, inBothLanguages } from '../../kit/both-languages.ts'

const test = suite('activity messages')

test('a recording or stream that has not started, or ended without an error, is off', () => {
  const off = [
    { tone: 'off', text: 'Off' },
    { tone: 'off', text: '未进行' }
  ]
  for (const activity of [{ on: false }, { on: false, result: 0 }, { on: false, result: 27 }])
    assert.deepEqual(
      inBothLanguages((language) => activityStatus(language, activity)),
      off
    )
  assert.deepEqual(
    inBothLanguages((language) => sessionStatus(language, { id: 1, use: false, result: -51 })),
    off
  )
})

test('a running recording or stream is on, whatever its last result', () => {
  assert.deepEqual(activityStatus('en', { on: true, result: -51 }), { tone: 'good', text: 'On' })
  assert.deepEqual(sessionStatus('en', { id: 1 }), { tone: 'good', text: 'On' })
})

test('each state of a stream has a label in both languages; other results are shown as errors', () => {
  const tones = { 0: 'good', 22: 'good', 23: 'busy', 24: 'busy', 25: 'busy', 27: 'off', [-51]: 'bad', 777: 'bad' }
  for (const [result, tone] of Object.entries(tones)) {
    const session = { id: 1, use: true, result: Number(result) }
    assert.equal(sessionStatus('en', session).tone, tone)
    assertTranslated((language) => [sessionStatus(language, session).text])
  }
  for (const status of [activityStatus('en', { on: false, result: -51 }), sessionStatus('en', { id: 1, result: -51 })])
    assert.deepEqual(status, { tone: 'bad', text: ultraCodeText('en', -51) })
})

test.run()
