import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VERDICTS, DEVICE_VERDICTS, HEALTH_REASONS, type Health, NEXT_STEPS } from '../../../contract/health.ts'
import { healthLabel, healthSentence, type Verdict } from '../../../src/text/health.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { inBothLanguages } from '../../kit/both-languages.ts'
import { inGivenLanguage } from './with-language.ts'

const test = suite('labels and sentences of verdicts')

test.before.each(() => setLanguage('en'))

const why = (health: Omit<Health, 'verdict'>) => inBothLanguages(inGivenLanguage(() => healthSentence(health).why))

test('each verdict on a channel has a shape and a word of its own', () => {
  const labels = CHANNEL_VERDICTS.map((verdict) => healthLabel({ verdict }))
  for (const field of ['shape', 'text'] as const)
    assert.equal(new Set(labels.map((label) => label[field])).size, CHANNEL_VERDICTS.length)
})

test('nothing but a verdict on air, on standby or online has the colour of something that works', () => {
  const verdicts: Verdict[] = [...CHANNEL_VERDICTS, ...DEVICE_VERDICTS, 'standby']
  const good = verdicts.filter((verdict) => healthLabel({ verdict }).tone === 'good')
  assert.deepEqual(good, ['on-air', 'online', 'standby'])
})

test('an output that waits says what it waits for', () => {
  assert.equal(healthLabel({ verdict: 'waiting', reason: 'awaits-player' }).text, 'Waiting for player')
  assert.equal(healthLabel({ verdict: 'waiting', reason: 'awaits-publisher' }).text, 'Waiting for incoming stream')
})

test('every cause and every next step has a sentence in both languages', () => {
  for (const reason of HEALTH_REASONS) {
    const [en, zh] = why({ reason, backup: 1, outputs: 3, 'outputs-failed': 1 })
    assert.match(en, /^[A-Z\d].*\.$/)
    assert.match(zh, /[\u4e00-\u9fff].*。$/)
  }
  for (const step of NEXT_STEPS) {
    const [en, zh] = inBothLanguages(inGivenLanguage(() => healthSentence({ 'next-step': step }).todo))
    assert.match(en, /^[A-Z].*\.$/)
    assert.match(zh, /[\u4e00-\u9fff].*。$/)
  }
})

test('a cause contains its numbers', () => {
  assert.deepEqual(why({ reason: 'on-backup', backup: 2 }), [
    'Running on backup 2: main input lost.',
    '正在使用备用输入 2：主输入中断。'
  ])
  assert.deepEqual(why({ reason: 'outputs-failed', outputs: 3, 'outputs-failed': 1 }), [
    '1 of 3 outputs failed.',
    '3 个输出中有 1 个失败。'
  ])
  assert.deepEqual(why({ reason: 'outputs-failed', outputs: 2, 'outputs-failed': 2 }), [
    'All outputs failed.',
    '所有输出均失败。'
  ])
  assert.equal(why({ reason: 'packet-loss', 'loss-percent': 0.25 })[0], '0.25 % packet loss in the last 10 s.')
})

test('failed outputs are named beside a worse cause', () => {
  assert.equal(
    why({ reason: 'on-backup', backup: 1, outputs: 3, 'outputs-failed': 1 })[0],
    'Running on backup 1: main input lost. 1 of 3 outputs failed.'
  )
})

test('the words of the hub come first', () => {
  const health = { reason: 'refused', 'next-step': 'check-address', message: 'The port is closed.\nOpen it.\nRetry.' }
  assert.deepEqual(healthSentence(health as Health), { why: 'The port is closed.', todo: 'Open it. Retry.' })
})

test('a cause and a next step that only a later hub knows are left out', () => {
  const later = { reason: 'of-a-later-hub', 'next-step': 'of-a-later-hub', 'outputs-failed': 1, outputs: 1 }
  assert.deepEqual(healthSentence(later as Partial<Health> as Omit<Health, 'verdict'>), {
    why: 'All outputs failed.',
    todo: ''
  })
})

test('nothing is said about what is well', () => {
  assert.deepEqual(healthSentence({}), { why: '', todo: '' })
})

test.run()
