import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { TIMELINE_MAX } from '../../../contract/stream/channel-timeline.ts'
import { openStore, type Store } from '../../../hub/store/store.ts'
import { ALL_CHANNELS } from '../../../hub/store/timeline.ts'

const test = suite('stored timelines')

const START = 1_700_000_000_000
const SECOND = 1000
const HOUR = 3_600_000
let store: Store
let channel: number

test.before.each(() => {
  store = openStore(':memory:')
  channel = store.database.transaction(() => store.channels.add('Hall', { 'play-key': 'p', 'push-key': 'q' }))
})
test.after.each(() => store.close())

const list = (filter = {}, id = channel) => store.timeline.page(id, filter, 0, 10_000)
const fail = (time: number, subject = 'output 1') =>
  store.timeline.add({ channel, time, event: 'output-failed', subject })

test('an output that fails and returns for an hour has three entries of each, and one that counts the others', () => {
  store.database.transaction(() => {
    for (let i = 0; i < 1800; i++) {
      fail(START + i * 2 * SECOND)
      store.timeline.add({ channel, time: START + (i * 2 + 1) * SECOND, event: 'output-back', subject: '1' })
    }
  })
  const { total, list: entries } = list()
  assert.equal(total, 6)
  const [back, failed] = entries
  // What happened last is on top, so that the end of the trouble is not hidden below its repetitions.
  assert.deepEqual(
    [back?.event, back?.count, back?.last, failed?.event, failed?.count, failed?.last],
    ['output-back', 1798, START + 3599 * SECOND, 'output-failed', 1798, START + 3598 * SECOND]
  )
})

test('the same fault on another day is an entry of its own', () => {
  store.database.transaction(() => {
    for (let i = 0; i < 10; i++) fail(START + i * SECOND)
    fail(START + 24 * HOUR)
  })
  assert.deepEqual(
    list().list.map(({ count }) => count),
    [1, 8, 1, 1]
  )
})

test('many different entries of one kind within an hour become one', () => {
  store.database.transaction(() => {
    for (let i = 0; i < 1000; i++)
      store.timeline.add({
        channel,
        time: START + i * SECOND,
        event: 'player-connected',
        subject: `10.0.0.${i}`,
        facts: { address: `10.0.0.${i}` }
      })
  })
  const { total, list: entries } = list()
  assert.equal(total, 121)
  assert.deepEqual([entries[0]?.count, entries[0]?.facts], [880, { isSummary: true }])
})

test('a channel keeps its newest entries, and it is known from when on', () => {
  store.database.transaction(() => {
    for (let i = 0; i < TIMELINE_MAX.channel + 5; i++) fail(START + i * HOUR, `output ${i}`)
  })
  assert.equal(list().total, TIMELINE_MAX.channel)
  assert.equal(store.timeline.removedBefore(channel), START + 4 * HOUR + 1)
  assert.equal(list().list.at(-1)?.last, START + 5 * HOUR)
})

test('all timelines together are bounded, and the largest ones lose their oldest entries', () => {
  store.database.transaction(() => {
    const count = Math.ceil(TIMELINE_MAX.all / TIMELINE_MAX.channel) + 1
    for (let id = 1; id <= count; id++)
      for (let i = 0; i < TIMELINE_MAX.channel; i++)
        store.database.run(
          "INSERT INTO timeline (channel_id, time, last, count, kind, event, key, facts) VALUES (?, ?, ?, 1, 'state', 'on-air', '', '{}')",
          ...[1_000_000 + id, START + i, START + i]
        )
    fail(START)
    store.timeline.trimAll()
  })
  assert.equal(store.database.get<{ n: number }>('SELECT count(*) AS n FROM timeline')?.n, TIMELINE_MAX.all)
  assert.equal(list().total, 1)
})

test('a page has the entries of the channel and those about the hub since the channel exists, and can be filtered', () => {
  store.database.transaction(() => {
    store.timeline.add({ channel: ALL_CHANNELS, time: START - HOUR, event: 'hub-started' })
    store.timeline.add({ channel, time: START, event: 'created' })
    store.timeline.add({ channel, time: START + SECOND, event: 'on-air' })
    store.timeline.add({ channel: ALL_CHANNELS, time: START + HOUR, since: START + 2 * SECOND, event: 'not-observed' })
    store.timeline.add({ channel: channel + 1, time: START, event: 'lost' })
  })
  const events = (filter = {}) => list(filter).list.map(({ event }) => event)
  assert.deepEqual(events(), ['not-observed', 'on-air', 'created'])
  assert.deepEqual(events({ kinds: ['state', 'change'] }), ['on-air', 'created'])
  // A gap belongs to all of its time.
  assert.deepEqual(events({ from: START + 10 * SECOND, to: START + 20 * SECOND }), ['not-observed'])
  assert.deepEqual(store.timeline.page(channel, {}, 1, 1), {
    total: 3,
    list: list().list.slice(1, 2)
  })
})

test('a deleted channel has no timeline and no verdicts any more', () => {
  store.database.transaction(() => {
    fail(START)
    store.verdicts.set(`channel-${channel}`, { verdict: 'down', since: START })
    store.verdicts.set(`output-${channel}-5`, { verdict: 'down', since: START })
    store.verdicts.set('channel-1', { verdict: 'down', since: START })
    store.channels.remove(channel)
  })
  assert.equal(list().total, 0)
  assert.deepEqual([...store.verdicts.all().keys()], ['channel-1'])
})

test.run()
