import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { Schedule } from '../../../contract/stream/schedule.ts'
import { schedulePeriods } from '../../../contract/stream/schedule-periods.ts'

const test = suite('periods of a schedule')

const time = (text: string) => Date.parse(text)
const listed = (schedule: Schedule, from: string, to: string) =>
  schedulePeriods(schedule, time(from), time(to)).map(
    (period) =>
      `${new Date(period.from).toISOString().slice(5, 16)} ${new Date(period.to).toISOString().slice(5, 16)} ` +
      (period.rule === undefined ? `event ${period.event}` : `rule ${period.rule}`)
  )

test('rules and events are listed in the order of their starts, each with its place', () => {
  const schedule: Schedule = {
    zone: 'UTC',
    rules: [
      { days: 1, start: '09:00', stop: '10:00' },
      { days: 3, start: '08:00', stop: '08:30' }
    ],
    events: [{ start: '2026-11-24T07:00', stop: '2026-11-24T07:30' }]
  }
  // 2026-11-23 is a Monday.
  assert.deepEqual(listed(schedule, '2026-11-23T00:00Z', '2026-11-30T00:00Z'), [
    '11-23T08:00 11-23T08:30 rule 1',
    '11-23T09:00 11-23T10:00 rule 0',
    '11-24T07:00 11-24T07:30 event 0',
    '11-24T08:00 11-24T08:30 rule 1'
  ])
})

test('a period across midnight belongs to the range of the next day, too, and one that ends at the range does not', () => {
  const schedule: Schedule = { zone: 'UTC', rules: [{ days: 64, start: '22:00', stop: '02:00' }] }
  assert.deepEqual(listed(schedule, '2026-11-23T01:00Z', '2026-11-23T03:00Z'), ['11-22T22:00 11-23T02:00 rule 0'])
  assert.deepEqual(listed(schedule, '2026-11-23T02:00Z', '2026-11-23T03:00Z'), [])
  assert.deepEqual(listed(schedule, '2026-11-22T20:00Z', '2026-11-22T22:00Z'), [])
})

test('times are those of the zone, also on the days when clocks change', () => {
  const night: Schedule = { zone: 'Europe/Berlin', rules: [{ days: 127, start: '01:00', stop: '04:00' }] }
  // Summer time ends on 25 October: four hours instead of three. It begins on 29 March: two.
  assert.deepEqual(listed(night, '2026-10-24T22:00Z', '2026-10-25T22:00Z'), ['10-24T23:00 10-25T03:00 rule 0'])
  assert.deepEqual(listed(night, '2026-03-28T23:00Z', '2026-03-29T20:00Z'), ['03-29T00:00 03-29T02:00 rule 0'])
  // From 02:00 to 03:00 the clock skips.
  const skipped: Schedule = { zone: 'Europe/Berlin', rules: [{ days: 64, start: '02:15', stop: '02:45' }] }
  assert.deepEqual(listed(skipped, '2026-03-28T23:00Z', '2026-03-29T20:00Z'), [])
})

test('an event that is longer than the range is listed', () => {
  const events = [{ start: '2026-11-01T00:00', stop: '2026-12-01T00:00' }]
  const schedule: Schedule = { zone: 'Asia/Shanghai', rules: [], events }
  assert.deepEqual(listed(schedule, '2026-11-23T00:00Z', '2026-11-24T00:00Z'), ['10-31T16:00 11-30T16:00 event 0'])
})

test.run()
