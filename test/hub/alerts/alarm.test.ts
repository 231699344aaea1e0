// Alarms whose cause comes and goes, or changes.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { AlertBench } from '../../kit/hub/alerts/alert-bench.ts'

const test = suite('alarms')

/** Lets a channel go away and come back, in seconds. */
function flap(bench: AlertBench, id: string, { times, away, back }: { times: number; away: number; back: number }) {
  for (let time = 0; time < times; time++) {
    bench.begin(id, { channel: 3 })
    bench.pass(away)
    bench.end(id)
    bench.pass(back)
  }
}

test('a source that comes and goes makes three messages, which say so, and one when it stays', () => {
  const bench = new AlertBench()
  bench.addRule({ destinations: [bench.addDestination('Desk')] })
  bench.begin('channel-3', { channel: 3 })
  bench.pass(6)
  assert.equal(bench.titles().length, 1, 'the first one is not delayed')
  flap(bench, 'channel-3', { times: 20, away: 40, back: 50 })
  bench.restart()
  flap(bench, 'channel-3', { times: 20, away: 40, back: 50 })
  const before = [
    'problem: channel-3: Input lost.',
    'recovered: Recovered: channel-3',
    'problem: channel-3: Input lost.'
  ]
  assert.deepEqual(bench.titles(), before)
  const [first, , again] = bench.messages()
  assert.equal(again?.alarm, first?.alarm)
  assert.match(again?.text ?? '', /\nThis comes and goes: .* 15 minutes\.$/)
  bench.pass(900 - 52)
  assert.deepEqual(bench.titles(), before, 'not away for 15 minutes')
  bench.pass(3)
  assert.deepEqual(bench.titles(), [...before, 'recovered: Recovered: channel-3'])
})

for (const back of [12, 120, 600, 895, 905, 1200])
  test(`a source that comes back after ${back} s makes at most 10 messages an hour`, () => {
    const bench = new AlertBench()
    bench.addRule({ destinations: [bench.addDestination('Desk')] })
    flap(bench, 'channel-3', { times: Math.ceil(3600 / (back + 15)), away: 15, back })
    assert.ok(bench.titles().length <= 10, String(bench.titles()))
  })

test('a rule raises at most three alarms and one for all others in ten minutes, also when they end', () => {
  const bench = new AlertBench()
  bench.addRule({ destinations: [bench.addDestination('Desk')] })
  for (let channel = 1; channel <= 20; channel++) flap(bench, `channel-${channel}`, { times: 1, away: 10, back: 15 })
  const alarms = new Set(bench.messages().map(({ alarm }) => alarm))
  assert.equal(alarms.size, 4)
  assert.ok(bench.titles().length <= 12, String(bench.titles()))
})

test('a cause that is back after more than 15 minutes is a new alarm with an immediate recovery', () => {
  const bench = new AlertBench()
  bench.addRule({ destinations: [bench.addDestination('Desk')] })
  flap(bench, 'channel-3', { times: 2, away: 60, back: 920 })
  assert.equal(bench.titles().length, 4)
  assert.equal(new Set(bench.messages().map(({ alarm }) => alarm)).size, 2)
  assert.doesNotMatch(bench.messages()[2]?.text ?? '', /comes and goes/)
})

test('another reason of a problem is sent after a minute, and not if it was there before', () => {
  const bench = new AlertBench()
  const destination = bench.addDestination('Desk')
  bench.addRule({ destinations: [destination] })
  const warning = { channel: 3, severity: 'warn' } as const
  bench.begin('channel-3', { ...warning, reason: 'black' })
  bench.pass(10)
  bench.begin('channel-3', { ...warning, reason: 'silent' })
  bench.pass(10)
  bench.begin('channel-3', { ...warning, reason: 'black' })
  bench.pass(100)
  assert.equal(bench.titles().length, 1)
  bench.begin('channel-3', { ...warning, reason: 'silent' })
  bench.pass(1)
  assert.deepEqual(
    bench.messages().map(({ cause }) => cause),
    ['black', 'silent']
  )
  assert.match(bench.titles()[1] ?? '', /silent/i)
  bench.restart()
  bench.pass(600)
  assert.equal(bench.titles().length, 2)
})

test('a channel that goes down is sent at once, also when it was down before, but not without a limit', () => {
  const bench = new AlertBench()
  bench.addRule({ destinations: [bench.addDestination('Desk')] })
  const degraded = { channel: 3, severity: 'warn', reason: 'on-backup' } as const
  bench.begin('channel-3', degraded)
  bench.pass(10)
  bench.begin('channel-3', { channel: 3 })
  bench.pass(1)
  bench.begin('channel-3', degraded)
  bench.pass(130)
  bench.begin('channel-3', { channel: 3 })
  bench.pass(1)
  assert.deepEqual(
    bench.messages().map(({ severity, cause }) => `${severity} ${cause}`),
    ['warn on-backup', 'bad input-lost', 'warn on-backup', 'bad input-lost']
  )
  for (let time = 0; time < 60; time++) {
    bench.begin('channel-3', time % 2 ? { channel: 3 } : degraded)
    bench.pass(60)
  }
  assert.ok(bench.messages().length <= 10, String(bench.titles()))
})

test.run()
