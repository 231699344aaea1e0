import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { activityStatus, sessionStatus } from '../../../hub/messages/activity.ts'
import { ultraCodeText } from '../../../hub/messages/ultra-codes.ts'
import { assertTranslated, inBothLanguages } from '../../kit/both-languages.ts'

const test = suite('activity messages')

test('a recording or stream that has not started, or ended without an error, is off', () => {
  const off = (en: string, zh: string) => [
    { tone: 'off', text: en },
    { tone: 'off', text: zh }
  ]
  for (const activity of [{ on: false }, { on: false, result: 0 }, { on: false, result: 27 }]) {
    assert.deepEqual(
      inBothLanguages((language) => activityStatus(language, 'recording', activity)),
      off('Not recording', '未录制')
    )
    assert.deepEqual(
      inBothLanguages((language) => activityStatus(language, 'live', activity)),
      off('Not streaming', '未推流')
    )
  }
  assert.deepEqual(
    inBothLanguages((language) => sessionStatus(language, 'live', { id: 1, use: false, result: -51 })),
    off('Not streaming', '未推流')
  )
})

test('a running recording or stream is on, whatever its last result', () => {
  assert.deepEqual(activityStatus('en', 'recording', { on: true, result: -51 }), { tone: 'good', text: 'Recording' })
  assert.deepEqual(activityStatus('en', 'live', { on: true, result: -51 }), { tone: 'good', text: 'Streaming' })
  assert.deepEqual(sessionStatus('en', 'live', { id: 1 }), { tone: 'good', text: 'Streaming' })
})

test('each state of a stream has a label in both languages; other results are shown as errors', () => {
  const tones = { 0: 'good', 22: 'good', 23: 'busy', 24: 'busy', 25: 'busy', 27: 'off', [-51]: 'bad', 777: 'bad' }
  for (const [result, tone] of Object.entries(tones)) {
    const session = { id: 1, use: true, result: Number(result) }
    assert.equal(sessionStatus('en', 'live', session).tone, tone)
    assertTranslated((language) => [sessionStatus(language, 'live', session).text])
  }
  for (const status of [
    activityStatus('en', 'live', { on: false, result: -51 }),
    sessionStatus('en', 'live', { id: 1, result: -51 })
  ])
    assert.deepEqual(status, { tone: 'bad', text: ultraCodeText('en', -51) })
})

test.run()
