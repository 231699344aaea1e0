import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { activityStanding, sessionStanding } from '../../../hub/messages/activity.ts'
import { ultraCodeText } from '../../../hub/messages/ultra-codes.ts'
import { areSaid, both } from '../../kit/both.ts'

const test = suite('activity in words')

test('a recording or a stream that ended well, or has not begun, is off', () => {
  const off = [
    { tone: 'off', text: 'Off' },
    { tone: 'off', text: '未进行' }
  ]
  for (const activity of [{ on: false }, { on: false, result: 0 }, { on: false, result: 27 }])
    assert.deepEqual(
      both((language) => activityStanding(language, activity)),
      off
    )
  assert.deepEqual(
    both((language) => sessionStanding(language, { id: 1, use: false, result: -51 })),
    off
  )
})

test('one that runs is on, whatever it answered last', () => {
  assert.deepEqual(activityStanding('en', { on: true, result: -51 }), { tone: 'good', text: 'On' })
  assert.deepEqual(sessionStanding('en', { id: 1 }), { tone: 'good', text: 'On' })
})

test('each state of a stream has a word in both languages, and what is none is said as the error it is', () => {
  const tones = { 0: 'good', 22: 'good', 23: 'busy', 24: 'busy', 25: 'busy', 27: 'off', [-51]: 'bad', 777: 'bad' }
  for (const [result, tone] of Object.entries(tones)) {
    const session = { id: 1, use: true, result: Number(result) }
    assert.equal(sessionStanding('en', session).tone, tone)
    areSaid((language) => [sessionStanding(language, session).text])
  }
  for (const standing of [
    activityStanding('en', { on: false, result: -51 }),
    sessionStanding('en', { id: 1, result: -51 })
  ])
    assert.deepEqual(standing, { tone: 'bad', text: ultraCodeText('en', -51) })
})

test.run()
