import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { EVERY_DAY, type Schedule, type ScheduleRule } from '../../../contract/stream/schedule.ts'
import { wallClock } from '../../../contract/stream/schedule-periods.ts'
import { evaluateSchedule, isStoppedByClock, removeEndedEvents } from '../../../hub/channels/schedule.ts'

const test = suite('schedule')

const BERLIN = 'Europe/Berlin'
const parseTime = (text: string) => Date.parse(text)
const schedule = (zone: string, ...rules: ScheduleRule[]): Schedule => ({ zone, rules })
const daily = (start: string, stop: string): ScheduleRule => ({ days: EVERY_DAY, start, stop })

/** The next switches of a schedule, with `+` for a start and `-` for a stop. */
function listSwitches(plan: Schedule, from: string, count: number): string[] {
  const switches: string[] = []
  let now = parseTime(from)
  while (switches.length < count) {
    const next = evaluateSchedule(plan, now)?.next
    if (!next) return [...switches, 'never']
    switches.push(`${next.enable ? '+' : '-'}${new Date(next.time).toISOString().slice(0, 16)}`)
    assert.equal(evaluateSchedule(plan, next.time)?.enable, next.enable)
    assert.equal(evaluateSchedule(plan, next.time)?.last, next.time)
    assert.equal(evaluateSchedule(plan, next.time - 1)?.enable, !next.enable)
    now = next.time
  }
  return switches
}

test('a rule applies on its days, from its start to its stop', () => {
  const plan = schedule('UTC', { days: 1 | 16, start: '09:00', stop: '17:30' })
  // 2026-11-21 is a Saturday.
  assert.deepEqual(listSwitches(plan, '2026-11-21T12:00Z', 4), [
    '+2026-11-23T09:00',
    '-2026-11-23T17:30',
    '+2026-11-27T09:00',
    '-2026-11-27T17:30'
  ])
})

test('days are those of the time zone, not of UTC', () => {
  const plan = schedule('Pacific/Auckland', { days: 1, start: '08:00', stop: '09:00' })
  assert.deepEqual(listSwitches(plan, '2026-11-21T12:00Z', 2), ['+2026-11-22T19:00', '-2026-11-22T20:00'])
})

test('a stop not later than the start is on the next day', () => {
  const plan = schedule('UTC', { days: 64, start: '22:00', stop: '02:00' })
  assert.equal(evaluateSchedule(plan, parseTime('2026-11-23T01:59Z'))?.enable, true)
  assert.deepEqual(listSwitches(plan, '2026-11-22T23:00Z', 2), ['-2026-11-23T02:00', '+2026-11-29T22:00'])
})

test('adjacent and overlapping rules are merged, without a stop between them', () => {
  const plan = schedule('UTC', daily('08:00', '12:00'), daily('12:00', '13:00'), daily('12:30', '18:00'))
  assert.deepEqual(listSwitches(plan, '2026-11-21T09:00Z', 2), ['-2026-11-21T18:00', '+2026-11-22T08:00'])
})

test('equal start and stop mean 24 hours, and on all days the channel never stops', () => {
  assert.deepEqual(listSwitches(schedule('UTC', daily('00:00', '00:00')), '2026-11-21T09:00Z', 1), ['never'])
  const sunday = schedule('UTC', { days: 64, start: '06:00', stop: '06:00' })
  assert.deepEqual(listSwitches(sunday, '2026-11-21T09:00Z', 2), ['+2026-11-22T06:00', '-2026-11-23T06:00'])
})

test('a clock that is set stops what runs only if a scheduled stop has passed', () => {
  const plan = schedule('UTC', daily('09:00', '17:00'))
  const isStopped = (now: string, time: string, each = plan) =>
    isStoppedByClock(each, parseTime(`2026-11-23T${now}Z`), parseTime(`2026-11-23T${time}Z`))
  assert.equal(isStopped('12:00', '18:00'), true)
  assert.equal(isStopped('12:00', '16:59'), false)
  assert.equal(isStopped('18:00', '20:00'), false, 'it was started by hand after the stop')
  assert.equal(isStopped('08:00', '18:00'), true, 'the start and the stop have passed')
  assert.equal(isStopped('12:00', '08:00'), false, 'the clock is set back')
  const event = { start: '2026-11-23T12:00', stop: '2026-11-23T13:00' }
  const single = { ...schedule('UTC'), events: [event] }
  assert.equal(isStopped('08:00', '11:00', single), false)
  assert.equal(isStopped('12:30', '14:00', single), true)
})

test('a local time skipped by daylight saving time is the first minute after the gap', () => {
  // 2026-03-29: 02:00 becomes 03:00, which is 01:00 UTC.
  const plan = schedule(BERLIN, daily('02:15', '05:00'))
  assert.deepEqual(listSwitches(plan, '2026-03-28T12:00Z', 4), [
    '+2026-03-29T01:00',
    '-2026-03-29T03:00',
    '+2026-03-30T00:15',
    '-2026-03-30T03:00'
  ])
})

test('a rule entirely within the gap does not apply on that day', () => {
  const plan = schedule(BERLIN, daily('02:10', '02:50'))
  assert.deepEqual(listSwitches(plan, '2026-03-28T12:00Z', 1), ['+2026-03-30T00:10'])
})

test('a local time that occurs twice is the first of them', () => {
  // 2026-10-25: 03:00 becomes 02:00, which is 01:00 UTC.
  const plan = schedule(BERLIN, daily('02:30', '04:00'))
  assert.deepEqual(listSwitches(plan, '2026-10-24T12:00Z', 2), ['+2026-10-25T00:30', '-2026-10-25T03:00'])
  const early = schedule(BERLIN, daily('01:00', '02:30'))
  assert.deepEqual(listSwitches(early, '2026-10-24T12:00Z', 2), ['+2026-10-24T23:00', '-2026-10-25T00:30'])
})

test('zones with half-hour shifts, southern summer time and skipped days are supported', () => {
  // Lord Howe: 2026-10-04, 02:00 becomes 02:30.
  const island = schedule('Australia/Lord_Howe', daily('02:10', '06:00'))
  assert.deepEqual(listSwitches(island, '2026-10-03T00:00Z', 2), ['+2026-10-03T15:30', '-2026-10-03T19:00'])
  // Samoa had no 2011-12-30.
  const samoa = schedule('Pacific/Apia', daily('10:00', '11:00'))
  const switches = listSwitches(samoa, '2011-12-29T12:00Z', 6)
  assert.deepEqual(switches, [...new Set(switches)])
  assert.deepEqual(switches.slice(0, 4), [
    '+2011-12-29T20:00',
    '-2011-12-29T21:00',
    '+2011-12-30T20:00',
    '-2011-12-30T21:00'
  ])
})

test('a schedule without rules, or with a rule on no day, never starts the channel', () => {
  assert.equal(evaluateSchedule(schedule('UTC'), parseTime('2026-11-21T12:00Z')), undefined)
  assert.deepEqual(
    evaluateSchedule(schedule('UTC', { days: 0, start: '10:00', stop: '11:00' }), parseTime('2026-11-21T12:00Z')),
    { enable: false, isRequired: true }
  )
})

test('wallClock returns the local time of the zone', () => {
  const local = wallClock('Asia/Kolkata')(parseTime('2026-11-21T18:40:05Z'))
  assert.equal(new Date(local).toISOString(), '2026-11-22T00:10:05.000Z')
})

const once = (zone: string, start: string, stop: string): Schedule => ({ zone, rules: [], events: [{ start, stop }] })

test('an event starts and stops the channel once, however far away it is', () => {
  assert.deepEqual(listSwitches(once('UTC', '2027-03-01T09:30', '2027-03-01T11:00'), '2026-11-21T12:00Z', 3), [
    '+2027-03-01T09:30',
    '-2027-03-01T11:00',
    'never'
  ])
})

test('an event may last for weeks', () => {
  const plan = once('UTC', '2026-11-22T09:30', '2026-12-24T11:00')
  assert.deepEqual(listSwitches(plan, '2026-11-23T12:00Z', 2), ['-2026-12-24T11:00', 'never'])
})

test('times of an event that clocks skip or repeat are those of the rules', () => {
  // Berlin skips 02:00 to 03:00 on 2027-03-28 and repeats 02:00 to 03:00 on 2026-10-25.
  assert.deepEqual(listSwitches(once(BERLIN, '2027-03-28T02:30', '2027-03-28T04:00'), '2027-03-27T12:00Z', 2), [
    '+2027-03-28T01:00',
    '-2027-03-28T02:00'
  ])
  assert.deepEqual(listSwitches(once(BERLIN, '2026-10-25T01:30', '2026-10-25T02:30'), '2026-10-24T12:00Z', 2), [
    '+2026-10-24T23:30',
    '-2026-10-25T00:30'
  ])
})

test('events and rules are merged', () => {
  const plan = {
    ...schedule('UTC', daily('08:00', '12:00')),
    events: [{ start: '2026-11-21T11:00', stop: '2026-11-21T14:00' }]
  }
  assert.deepEqual(listSwitches(plan, '2026-11-21T09:00Z', 2), ['-2026-11-21T14:00', '+2026-11-22T08:00'])
})

test('an event requires no state before it begins, and is removed when it has ended', () => {
  const plan = once('UTC', '2026-11-22T09:30', '2026-11-22T11:00')
  assert.equal(evaluateSchedule(plan, parseTime('2026-11-21T12:00Z'))?.isRequired, false)
  assert.equal(evaluateSchedule(plan, parseTime('2026-11-22T10:00Z'))?.isRequired, true)
  assert.deepEqual(removeEndedEvents(plan, parseTime('2026-11-22T10:59Z')), plan)
  assert.deepEqual(removeEndedEvents(plan, parseTime('2026-11-22T11:00Z')), { zone: 'UTC', rules: [] })
})

test.run()
