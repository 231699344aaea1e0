// The messages that rules make of problems: their times, numbers and destinations.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { newChannelKeys } from '../../../hub/store/channels.ts'
import { AlertBench } from '../../kit/hub/alerts/alert-bench.ts'

const test = suite('rules of notifications')

test('a problem that lasts long enough is sent once, and its end when it stays away', () => {
  const bench = new AlertBench()
  const desk = bench.addDestination('Desk')
  bench.addRule({ destinations: [desk], 'after-s': 30 })
  bench.begin('channel-3', { channel: 3 })
  bench.pass(29)
  bench.end('channel-3')
  bench.pass(60)
  assert.deepEqual(bench.titles(), [], 'too short')
  bench.begin('channel-3', { channel: 3 })
  bench.pass(120)
  assert.deepEqual(bench.titles(), ['problem: channel-3: Input lost.'])
  bench.end('channel-3')
  bench.pass(8)
  bench.begin('channel-3', { channel: 3 })
  bench.pass(60)
  assert.equal(bench.titles().length, 1, 'it was away for less than 10 s')
  bench.end('channel-3')
  bench.pass(60)
  assert.deepEqual(bench.titles(), ['problem: channel-3: Input lost.', 'recovered: Recovered: channel-3'])
  const [problem, recovery] = bench.messages()
  assert.equal(problem?.alarm, recovery?.alarm)
  assert.notEqual(problem?.id, recovery?.id)
  assert.ok((recovery?.endedAt ?? 0) > (recovery?.since ?? 0))
})

test('a dead source is one message with all its channels, in the language of the destination', () => {
  const bench = new AlertBench()
  const [desk, night] = [bench.addDestination('Desk'), bench.addDestination('Night', 'zh')]
  bench.addRule({ destinations: [desk, night] })
  const channels = Array.from({ length: 60 }, (_, index) =>
    bench.addChannel(`Hall ${index}`, 'srt://studio.example.com:9000')
  )
  for (const [index, channel] of channels.entries()) {
    bench.begin(`channel-${channel}`, { channel })
    if (index % 20 === 0) bench.pass(1)
  }
  bench.pass(30)
  assert.deepEqual(bench.titles(), [
    'problem: studio.example.com: 60 problems',
    'problem: studio.example.com：60 个问题'
  ])
  const [message] = bench.messages(desk)
  assert.deepEqual([message?.concernCount, message?.concerns.length], [60, 50])
  assert.match(
    message?.text ?? '',
    /^channel-\d+: Input lost\.\n(.*\n){49}… and 10 more\nSince 30 Nov 2026, 12:00:0\d$/
  )
  bench.problems.clear()
  bench.pass(30)
  assert.deepEqual(bench.titles(desk)[1], 'recovered: Recovered: studio.example.com: 60 problems')
})

test('1,000 problems at once make at most 10 messages a destination, with their recoveries', () => {
  const bench = new AlertBench()
  const desk = bench.addDestination('Desk')
  bench.addRule({ destinations: [desk] })
  for (let index = 0; index < 1000; index++) {
    bench.begin(`device-${index}`, { sn: String(index), reason: 'device-offline' })
    if (index % 200 === 0) bench.pass(1)
  }
  bench.pass(600)
  const problems = bench.messages(desk)
  assert.equal(
    problems.reduce((sum, { concernCount }) => sum + concernCount, 0),
    1000,
    'each problem is in one'
  )
  bench.problems.clear()
  bench.pass(60)
  assert.ok(bench.messages(desk).length <= 10, String(bench.titles(desk)))
  assert.equal(bench.messages(desk).filter(({ state }) => state === 'recovered').length, problems.length)
})

test('a storm of problems that begin one after the other makes few messages', () => {
  const bench = new AlertBench()
  const desk = bench.addDestination('Desk')
  bench.addRule({ destinations: [desk] })
  for (let index = 0; index < 300; index++) {
    bench.begin(`device-${index}`, { sn: String(index), reason: 'device-offline' })
    bench.pass(1)
  }
  assert.ok(bench.messages(desk).length <= 10, String(bench.messages(desk).length))
  const last = bench
    .messages(desk)
    .filter(({ title }) => title.startsWith('Several causes'))
    .at(-1)
  assert.ok((last?.concernCount ?? 0) > 100)
})

test('a further problem of a known cause is sent after a minute; one that becomes worse at once', () => {
  const bench = new AlertBench()
  bench.addRule({ destinations: [bench.addDestination('Desk')] })
  const [first, second] = [
    bench.addChannel('One', 'srt://studio.example.com:9000'),
    bench.addChannel('Two', 'srt://studio.example.com:9000')
  ]
  bench.begin(`channel-${first}`, { channel: first, severity: 'warn' })
  bench.pass(10)
  bench.begin(`channel-${second}`, { channel: second, severity: 'warn' })
  bench.pass(30)
  assert.equal(bench.titles().length, 1)
  bench.pass(60)
  assert.deepEqual(bench.titles().slice(1), ['problem: studio.example.com: 2 problems'])
  bench.begin(`channel-${second}`, { channel: second, severity: 'bad' })
  bench.pass(1)
  assert.deepEqual(
    bench.messages().map(({ severity }) => severity),
    ['warn', 'warn', 'bad']
  )
})

test('quiet hours and times of the week hold messages back, in the time zone of the hub', () => {
  const bench = new AlertBench()
  bench.zone = 'Asia/Shanghai'
  // Monday noon in UTC is 20:00.
  const desk = bench.addDestination('Desk')
  bench.addRule({ destinations: [desk], when: { days: ['mon', 'tue'] }, quiet: { from: '19:00', to: '06:00' } })
  bench.begin('channel-1')
  bench.begin('channel-2')
  bench.pass(60)
  bench.end('channel-2')
  bench.pass(30)
  bench.now += 9 * 3_600_000
  bench.pass(60)
  assert.deepEqual(bench.titles(), [], '05:01')
  bench.now += 3_600_000
  bench.pass(60)
  assert.deepEqual(bench.titles(), ['problem: channel-1: Input lost.'], 'what still lasts at 06:00 is sent')
  bench.now += 24 * 3_600_000
  bench.end('channel-1')
  bench.pass(60)
  assert.equal(bench.titles().length, 1, 'Wednesday')
  bench.now += 5 * 24 * 3_600_000
  bench.pass(60)
  assert.equal(bench.titles().at(-1), 'recovered: Recovered: channel-1', 'Monday')
})

test('reminders and escalation go on until somebody acknowledges the problem', () => {
  const bench = new AlertBench()
  const [desk, boss] = [bench.addDestination('Desk'), bench.addDestination('Boss')]
  bench.addRule({
    destinations: [desk],
    'repeat-s': 60,
    escalation: [{ 'after-s': 100, destinations: [boss] }]
  })
  bench.begin('channel-1')
  bench.pass(90)
  assert.deepEqual([bench.titles(desk).length, bench.titles(boss)], [2, []])
  assert.equal(bench.titles(desk)[1], 'reminder: Still: channel-1: Input lost.')
  bench.pass(100)
  assert.equal(bench.titles(boss)[0], 'problem: channel-1: Input lost.')
  bench.store.problems.acknowledge('channel-1', bench.now, { by: 'olga', at: bench.now, note: '' })
  const before = bench.titles().length
  bench.pass(600)
  assert.equal(bench.titles().length, before)
  bench.end('channel-1')
  bench.pass(20)
  assert.deepEqual(
    [bench.titles(desk).at(-1), bench.titles(boss).at(-1)],
    ['recovered: Recovered: channel-1', 'recovered: Recovered: channel-1']
  )
})

test('an acknowledged problem is not escalated', () => {
  const bench = new AlertBench()
  const boss = bench.addDestination('Boss')
  bench.addRule({
    destinations: [bench.addDestination('Desk')],
    escalation: [{ 'after-s': 100, destinations: [boss] }]
  })
  bench.begin('channel-1')
  bench.pass(10)
  bench.store.problems.acknowledge('channel-1', bench.now, { by: 'olga', at: bench.now, note: '' })
  bench.pass(300)
  assert.deepEqual(bench.titles(boss), [])
})

test('rules select problems by severity, kind, channel, device and tag', () => {
  const bench = new AlertBench()
  const { store } = bench
  const channel = bench.addChannel('Hall', 'srt://a.example.com:9000')
  const other = bench.addChannel('Yard', 'srt://b.example.com:9000')
  const tag = store.tags.add('Client A', 'teal')
  store.tags.put('channel', other, tag)
  const names = ['critical', 'kind', 'channel', 'device', 'tag'] as const
  const [critical, kind, byChannel, device, tagged] = names.map((name) =>
    bench.addDestination(name)
  ) as never as number[]
  bench.addRule({ destinations: [critical as number], severity: 'critical' }, 'critical')
  bench.addRule({ destinations: [kind as number], kinds: ['disk'] }, 'kind')
  bench.addRule({ destinations: [byChannel as number], channels: [channel] }, 'channel')
  bench.addRule({ destinations: [device as number], devices: ['D1'] }, 'device')
  bench.addRule({ destinations: [tagged as number], tags: [tag] }, 'tag')
  bench.begin(`channel-${channel}`, { channel, severity: 'warn' })
  bench.begin(`channel-${other}`, { channel: other, severity: 'warn' })
  bench.begin('disk', { reason: 'disk-full' })
  bench.begin('device-D1', { sn: 'D1', reason: 'device-offline', severity: 'warn' })
  bench.pass(20)
  const concerns = (id: number | undefined) => bench.messages(id).flatMap((each) => each.concerns.map(({ id }) => id))
  assert.deepEqual([critical, kind, byChannel, device, tagged].map(concerns), [
    ['disk'],
    ['disk'],
    [`channel-${channel}`],
    ['device-D1'],
    [`channel-${other}`]
  ])
})

test('a destination of two rules gets one message about a problem', () => {
  const bench = new AlertBench()
  const desk = bench.addDestination('Desk')
  bench.addRule({ destinations: [desk] }, 'one')
  bench.addRule({ destinations: [desk] }, 'two')
  bench.begin('channel-1')
  bench.pass(20)
  bench.end('channel-1')
  bench.pass(20)
  assert.deepEqual(bench.titles(), ['problem: channel-1: Input lost.', 'recovered: Recovered: channel-1'])
})

test('a rule sends the recovery of a problem that a rule without recoveries has sent', () => {
  const bench = new AlertBench()
  const desk = bench.addDestination('Desk')
  bench.addRule({ destinations: [desk], recovery: false }, 'one')
  bench.addRule({ destinations: [desk] }, 'two')
  bench.addRule({ destinations: [desk] }, 'three')
  bench.begin('channel-1')
  bench.pass(20)
  bench.end('channel-1')
  bench.restart()
  bench.pass(20)
  assert.deepEqual(bench.titles(), ['problem: channel-1: Input lost.', 'recovered: Recovered: channel-1'])
})

test('a destination that knows a problem from another rule gets the reminders of its rule', () => {
  const bench = new AlertBench()
  const desk = bench.addDestination('Desk')
  bench.addRule({ destinations: [desk] }, 'everything')
  bench.addRule({ destinations: [desk], severity: 'critical', 'repeat-s': 60 }, 'again')
  bench.begin('channel-1')
  bench.pass(130)
  assert.deepEqual(bench.titles(), [
    'problem: channel-1: Input lost.',
    'reminder: Still: channel-1: Input lost.',
    'reminder: Still: channel-1: Input lost.'
  ])
})

test('a destination that a rule names twice gets one message', () => {
  const bench = new AlertBench()
  const desk = bench.addDestination('Desk')
  bench.addRule({ destinations: [desk, desk], escalation: [{ 'after-s': 60, destinations: [desk, desk] }] })
  bench.begin('channel-1')
  bench.pass(20)
  assert.deepEqual(bench.titles(), ['problem: channel-1: Input lost.'])
  bench.pass(60)
  assert.equal(bench.titles().length, 2, 'the escalation')
})

test('a problem of an object in maintenance is sent after the maintenance if it still lasts', () => {
  const bench = new AlertBench()
  const { store } = bench
  bench.addRule({ destinations: [bench.addDestination('Desk')], 'repeat-s': 60 })
  const channel = bench.addChannel('Hall', 'srt://a.example.com:9000')
  const tag = store.tags.add('Client A', 'teal')
  store.tags.put('channel', channel, tag)
  const period = { since: bench.now, until: bench.now + 600_000, note: '', by_user: 'Admin' }
  store.alertRules.maintain({ kind: 'tag', object: String(tag), ...period })
  store.alertRules.maintain({ kind: 'device', object: 'D1', ...period })
  bench.begin(`channel-${channel}`, { channel })
  bench.begin('device-D1', { sn: 'D1', reason: 'device-offline' })
  bench.begin('channel-99', { channel: 99 })
  bench.pass(50)
  assert.deepEqual(bench.titles(), ['problem: channel-99: Input lost.'])
  bench.end('channel-99', 'device-D1')
  bench.pass(600)
  assert.deepEqual(bench.titles().slice(1, 3), [
    'recovered: Recovered: channel-99',
    `problem: channel-${channel}: Input lost.`
  ])
})

test('maintenance of a channel ends when the channel is deleted', () => {
  const { store, now } = new AlertBench()
  const id = store.channels.add('Hall', newChannelKeys())
  store.alertRules.maintain({ kind: 'channel', object: String(id), since: now, until: now + 1, note: '', by_user: '' })
  assert.equal(store.alertRules.maintained(now).length, 1)
  store.channels.remove(id)
  assert.equal(store.alertRules.maintained(now).length, 0)
})

test('a restart neither repeats a message nor loses a recovery, and settling problems have not ended', () => {
  const bench = new AlertBench()
  bench.addRule({ destinations: [bench.addDestination('Desk')] })
  bench.begin('channel-1')
  bench.pass(20)
  bench.end('channel-1')
  bench.restart()
  bench.isSettling = true
  bench.pass(15)
  bench.begin('channel-1')
  bench.isSettling = false
  bench.pass(60)
  assert.equal(bench.titles().length, 1)
  bench.end('channel-1')
  bench.restart()
  bench.pass(20)
  assert.equal(bench.titles().at(-1), 'recovered: Recovered: channel-1')
})

test('a rule that is switched off or deleted raises and ends no alarms', () => {
  const bench = new AlertBench()
  const destinations = [bench.addDestination('Desk')]
  bench.addRule({ destinations, enable: false }, 'off')
  const deleted = bench.addRule({ destinations }, 'deleted')
  bench.begin('channel-1')
  bench.pass(20)
  bench.store.alertRules.remove(deleted)
  bench.end('channel-1')
  bench.pass(20)
  assert.equal(bench.titles().length, 1)
  assert.deepEqual(bench.store.alertRules.alarms(), [])
})

test('the actions of a rule run once for each alarm', () => {
  const bench = new AlertBench()
  const action = { type: 'switch', channel: 1, input: 'slate' } as const
  bench.addRule({ destinations: [bench.addDestination('Desk')], actions: [action] })
  bench.begin('channel-1', { channel: 1 })
  bench.pass(30)
  assert.deepEqual(bench.actions, [action])
})

test.run()
