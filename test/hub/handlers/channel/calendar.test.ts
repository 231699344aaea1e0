import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW, INPUT_OUTPUT_VIEW } from '../../../../contract/access/permissions.ts'
import { INVALID_ARG, NOT_EXIST, SUCCESS } from '../../../../contract/codes.ts'
import { acceptDevices, queryDevice } from '../../../../contract/device/device.ts'
import { CALENDAR_DAYS_MAX, CALENDAR_ENTRIES_MAX } from '../../../../contract/limits.ts'
import { addChannel, addChannelOutputs, enableChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { channelCalendar } from '../../../../contract/stream/channel-calendar.ts'
import { setChannelSecurity } from '../../../../contract/stream/channel-security.ts'
import { DIR_OUTPUT, UDP } from '../../../../contract/stream/protocols.ts'
import type { ScheduleRule } from '../../../../contract/stream/schedule.ts'
import { cachedClock, wallClock } from '../../../../contract/stream/schedule-periods.ts'
import { addInput, addOutput } from '../../../../contract/stream/source.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'

const test = suite('calendar of channels')
hubForEach(test)

// A Monday in the future, so that no channel is started.
const MONDAY = Date.parse('2099-06-01T00:00Z')
const HOUR = 3_600_000
const WEEK = { from: MONDAY, to: MONDAY + 7 * 24 * HOUR }
const monday = (start: string, stop: string): ScheduleRule => ({ days: 1, start, stop })

const addSource = async (name: string, url = `rtmp://192.0.2.20/live/${name}`) =>
  (await admin.send(addInput, { name, config: { type: 1, url } })).id

async function addScheduled(name: string, input: number, ...rules: ScheduleRule[]): Promise<number> {
  const { id, result } = await admin.send(addChannel, { name, config: { schedule: { zone: 'UTC', rules } } })
  assert.equal(result, SUCCESS)
  assert.equal((await admin.send(setChannelInput, { id, input })).result, SUCCESS)
  return id
}

const hide = (id: number) =>
  admin.send(setChannelSecurity, { id, security: { 'is-inherit': 0, 'group-mask': 2, 'usr-mask': 0 } })

test('the periods of all schedules are listed with their channel and rule, and the zone of the hub', async () => {
  const news = await addScheduled('News', await addSource('Studio'), monday('08:00', '09:00'), monday('20:00', '01:00'))
  const reply = await admin.send(channelCalendar, WEEK)
  assert.deepEqual(reply.list, [
    { channel: news, name: 'News', from: MONDAY + 8 * HOUR, to: MONDAY + 9 * HOUR, rule: 0 },
    { channel: news, name: 'News', from: MONDAY + 20 * HOUR, to: MONDAY + 25 * HOUR, rule: 1 }
  ])
  assert.deepEqual(reply.conflicts, [])
  assert.ok(Intl.supportedValuesOf('timeZone').includes(reply.zone) || reply.zone.includes('UTC'))
})

test('an input that two channels use at the same time is named with both', async () => {
  const studio = await addSource('Studio')
  const news = await addScheduled('News', studio, monday('08:00', '10:00'))
  const sport = await addScheduled('Sport', studio, monday('09:00', '11:00'), monday('12:00', '13:00'))
  const { conflicts } = await admin.send(channelCalendar, WEEK)
  const period = { from: MONDAY + 9 * HOUR, to: MONDAY + 10 * HOUR }
  assert.deepEqual(conflicts, [
    {
      kind: 'input',
      name: 'Studio',
      ...period,
      channels: [
        { id: news, name: 'News' },
        { id: sport, name: 'Sport' }
      ]
    }
  ])
})

test('two inputs with one NDI source conflict, and so does a channel that runs without a schedule', async () => {
  const url = 'ntkndi://ndi?name=CAMERA%20(1)'
  const [first, second] = [await addSource('Camera', url), await addSource('Camera again', url)]
  const { id: always } = await admin.send(addChannel, { name: 'Always' })
  await admin.send(setChannelInput, { id: always, input: first })
  await admin.send(enableChannel, { id: always, enable: true })
  const news = await addScheduled('News', second, monday('08:00', '10:00'))
  const { list, conflicts } = await admin.send(channelCalendar, WEEK)
  assert.deepEqual(
    list.map(({ channel }) => channel),
    [news]
  )
  const period = { from: MONDAY + 8 * HOUR, to: MONDAY + 10 * HOUR }
  assert.deepEqual(conflicts, [
    {
      kind: 'ndi',
      name: 'CAMERA (1)',
      ...period,
      channels: [
        { id: always, name: 'Always' },
        { id: news, name: 'News' }
      ]
    }
  ])
})

test('channels that run without a schedule do not conflict with each other', async () => {
  const studio = await addSource('Studio')
  for (const name of ['One', 'Two']) {
    const { id } = await admin.send(addChannel, { name })
    await admin.send(setChannelInput, { id, input: studio })
    await admin.send(enableChannel, { id, enable: true })
  }
  assert.deepEqual((await admin.send(channelCalendar, WEEK)).conflicts, [])
})

test('outputs to different hosts do not conflict', async () => {
  for (const [index, name] of ['News', 'Sport'].entries()) {
    const id = await addScheduled(name, await addSource(name), monday('08:00', '10:00'))
    const config = { 'dst-ip': `192.0.2.${index + 50}`, 'dst-port': 5000 }
    const output = await admin.send(addOutput, { name: `${name} out`, protocol: UDP, config })
    assert.equal(output.result, SUCCESS)
    await admin.send(addChannelOutputs, { id, outputs: [output.id] })
  }
  assert.deepEqual((await admin.send(channelCalendar, WEEK)).conflicts, [])
})

test('a decoder that plays one channel and to which an output of another sends is named', async () => {
  const { registry } = hub.parts
  const hello = helloOf(1, { dir: DIR_OUTPUT, name: 'Foyer' })
  registry.register(hello, '192.0.2.50')
  // An encoder, and two decoders behind one address.
  registry.register(helloOf(2), '192.0.2.50')
  for (const index of [3, 4]) registry.register(helloOf(index, { dir: DIR_OUTPUT }), '192.0.2.51')
  await admin.send(acceptDevices, { sn: [hello.sn] })
  const { id: decoder } = (await admin.send(queryDevice, { sn: hello.sn })).dev
  const news = await addScheduled('News', await addSource('News'), monday('08:00', '10:00'))
  assert.equal((await admin.send(addChannelOutputs, { id: news, outputs: [decoder] })).result, SUCCESS)
  const sport = await addScheduled('Sport', await addSource('Sport'), monday('09:00', '11:00'))
  const film = await addScheduled('Film', await addSource('Film'), monday('09:00', '11:00'))
  for (const [id, host, port] of [
    [sport, '192.0.2.50', 5000],
    [sport, '192.0.2.51', 5000],
    [film, '192.0.2.51', 5002]
  ] as const) {
    const config = { 'dst-ip': host, 'dst-port': port }
    const output = await admin.send(addOutput, { name: `${host} ${port}`, protocol: UDP, config })
    assert.equal((await admin.send(addChannelOutputs, { id, outputs: [output.id] })).result, SUCCESS)
  }
  const { conflicts } = await admin.send(channelCalendar, WEEK)
  const period = { from: MONDAY + 9 * HOUR, to: MONDAY + 10 * HOUR }
  const channels = [
    { id: news, name: 'News' },
    { id: sport, name: 'Sport' }
  ]
  assert.deepEqual(conflicts, [{ kind: 'decoder', name: 'Foyer', ...period, channels }])
})

test('a user sees the conflicts of their channels, and only the number of the others', async () => {
  const studio = await addSource('Studio')
  const news = await addScheduled('News', studio, monday('08:00', '10:00'))
  await hide(await addScheduled('Board meeting', studio, monday('08:00', '10:00')))
  const viewer = await addUser(hub, 'viewer', CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  const reply = await viewer.send(channelCalendar, WEEK)
  assert.deepEqual(
    reply.list.map(({ channel }) => channel),
    [news]
  )
  assert.deepEqual(
    reply.conflicts.map(({ channels, hidden }) => ({ channels, hidden })),
    [{ channels: [{ id: news, name: 'News' }], hidden: 1 }]
  )
  await hide(news)
  const nothing = await viewer.send(channelCalendar, WEEK)
  assert.deepEqual([nothing.list, nothing.conflicts], [[], []])
})

test('without a range it is the coming week, and a range that is too long or empty is refused', async () => {
  assert.equal((await admin.send(channelCalendar, {})).result, SUCCESS)
  const longest = MONDAY + CALENDAR_DAYS_MAX * 24 * HOUR
  assert.equal((await admin.send(channelCalendar, { from: MONDAY, to: longest })).result, SUCCESS)
  for (const to of [longest + 1, MONDAY]) {
    const { result, field } = await admin.send(channelCalendar, { from: MONDAY, to })
    assert.deepEqual([result, field], [INVALID_ARG, 'to'])
  }
})

test('a time that no date has is refused', async () => {
  await addScheduled('News', await addSource('Studio'), monday('08:00', '09:00'))
  for (const from of [8.64e15 - 2, Number.MAX_SAFE_INTEGER - 1])
    assert.equal((await admin.send(channelCalendar, { from, to: from + 1 })).result, INVALID_ARG)
})

test('a clock that remembers a zone tells the same times, also when clocks change', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']) {
    const [exact, cached] = [wallClock(zone), cachedClock(zone)]
    const start = Date.parse('2026-01-01T00:00Z')
    for (let time = start; time < start + 366 * 24 * HOUR; time += 7 * 61_007)
      assert.equal(cached(time), exact(time), `${zone} ${new Date(time).toISOString()}`)
  }
})

test('the schedules of many channels ask for each quarter of an hour once', async () => {
  const rules = Array.from({ length: 32 }, (_, index) => ({
    days: 127,
    start: `0${index % 10}:0${index % 7}`,
    stop: '12:30'
  }))
  const zone = 'America/New_York'
  for (let index = 0; index < 5; index++)
    await admin.send(addChannel, { name: `Channel ${index}`, config: { schedule: { zone, rules } } })
  const { formatToParts } = Intl.DateTimeFormat.prototype
  let calls = 0
  Intl.DateTimeFormat.prototype.formatToParts = function (time) {
    calls++
    return formatToParts.call(this, time)
  }
  try {
    const { list, more = 0 } = await admin.send(channelCalendar, WEEK)
    assert.equal(list.length + more, 5 * 32 * 7)
  } finally {
    Intl.DateTimeFormat.prototype.formatToParts = formatToParts
  }
  assert.ok(calls < 11 * 96, `${calls} calls`)
})

test('a response has at most 1000 entries of each list, the earliest ones, and the number of the others', async () => {
  const studio = await addSource('Studio')
  const rules = Array.from({ length: 32 }, (_, index): ScheduleRule => {
    const hour = String(Math.floor(index / 2)).padStart(2, '0')
    return { days: 127, start: `${hour}:${index % 2 ? '30' : '00'}`, stop: `${hour}:${index % 2 ? '50' : '20'}` }
  })
  const ids: number[] = []
  for (const name of ['News', 'Sport', 'Film']) ids.push(await addScheduled(name, studio, ...rules))
  const range = { from: MONDAY, to: MONDAY + CALENDAR_DAYS_MAX * 24 * HOUR }
  const all = await admin.send(channelCalendar, range)
  assert.equal(CALENDAR_ENTRIES_MAX, 1000)
  assert.deepEqual([all.list.length, all.more], [1000, 3 * 32 * CALENDAR_DAYS_MAX - 1000])
  assert.deepEqual([all.conflicts.length, all['more-conflicts']], [1000, 32 * CALENDAR_DAYS_MAX - 1000])
  const firstDays = MONDAY + (Math.floor(1000 / 3 / 32) + 1) * 24 * HOUR
  assert.ok(
    all.list.every(({ to }) => to <= firstDays),
    'the earliest ones'
  )
  const one = await admin.send(channelCalendar, { ...range, channel: ids[0] as number })
  assert.deepEqual([one.list.length, one.more], [1000, 32 * CALENDAR_DAYS_MAX - 1000])
  assert.deepEqual([one.uses?.length, one['more-uses']], [1000, 2 * 32 * CALENDAR_DAYS_MAX - 1000])
  assert.ok(JSON.stringify(all).length < 300_000, `${JSON.stringify(all).length} characters`)
})

/** A rule whose only day is today, or one that is not near it in any time zone; all of that day. */
const wholeDay = (days: number): ScheduleRule => {
  const day = (new Date().getUTCDay() + 6 + days) % 7
  return { days: 1 << day, start: '00:00', stop: '00:00' }
}

test('a channel started by hand uses its source until its schedule starts it', async () => {
  const studio = await addSource('Studio')
  const news = await addScheduled('News', studio, wholeDay(3))
  const { id: always } = await admin.send(addChannel, { name: 'Always' })
  await admin.send(setChannelInput, { id: always, input: studio })
  const now = Date.now()
  assert.deepEqual((await admin.send(channelCalendar, {})).list.length, 1)
  assert.equal((await admin.send(enableChannel, { id: news, enable: true })).result, SUCCESS)
  assert.equal((await admin.send(enableChannel, { id: always, enable: true })).result, SUCCESS)
  const { list, conflicts } = await admin.send(channelCalendar, {})
  const [byHand, scheduled] = list
  assert.deepEqual([list.length, byHand?.manual, byHand?.rule, scheduled?.rule], [2, 'start', undefined, 0])
  assert.ok(byHand && byHand.from > now - 60_000 && byHand.from <= Date.now(), 'it runs now')
  assert.equal(byHand.to, scheduled?.from)
  const [conflict] = conflicts
  assert.ok(conflict?.name === 'Studio' && conflict.from < Date.now() && conflict.to >= byHand.to, 'the other uses it')
  // Neither a range before it nor one after it has it.
  for (const range of [{ from: 0, to: 7 * 24 * HOUR }, WEEK]) {
    const other = await admin.send(channelCalendar, range)
    assert.ok(other.list.every(({ manual }) => !manual))
  }
})

test('a channel that is stopped by hand uses its source again from its next start on', async () => {
  const studio = await addSource('Studio')
  const news = await addScheduled('News', studio, wholeDay(0), wholeDay(3))
  const { id: always } = await admin.send(addChannel, { name: 'Always' })
  await admin.send(setChannelInput, { id: always, input: studio })
  await admin.send(enableChannel, { id: always, enable: true })
  const days = { from: Date.now(), to: Date.now() + 5 * 24 * HOUR }
  assert.equal((await admin.send(channelCalendar, days)).conflicts.length, 2)
  assert.equal((await admin.send(enableChannel, { id: news, enable: false })).result, SUCCESS)
  const { list, conflicts } = await admin.send(channelCalendar, days)
  assert.deepEqual(
    list.map(({ manual }) => manual),
    ['stop', undefined]
  )
  assert.deepEqual(
    conflicts.map(({ from }) => from),
    [list[1]?.from]
  )
})

test('for one channel, the calendar has when others use its sources, whatever its own schedule is', async () => {
  const studio = await addSource('Studio')
  const { id: news } = await admin.send(addChannel, { name: 'News' })
  await admin.send(setChannelInput, { id: news, input: studio })
  const sport = await addScheduled('Sport', studio, monday('09:00', '11:00'), monday('10:00', '12:00'))
  await addScheduled('Film', await addSource('Player'), monday('09:00', '11:00'))
  const hidden = await addScheduled('Board meeting', studio, monday('20:00', '21:00'))
  await hide(hidden)
  const viewer = await addUser(hub, 'viewer', CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  const { list, conflicts, uses } = await viewer.send(channelCalendar, { ...WEEK, channel: news })
  assert.deepEqual([list, conflicts], [[], []])
  const studioIs = { kind: 'input', name: 'Studio' }
  assert.deepEqual(uses, [
    { ...studioIs, from: MONDAY + 9 * HOUR, to: MONDAY + 12 * HOUR, channels: [{ id: sport, name: 'Sport' }] },
    { ...studioIs, from: MONDAY + 20 * HOUR, to: MONDAY + 21 * HOUR, channels: [], hidden: 1 }
  ])
  assert.equal((await viewer.send(channelCalendar, { ...WEEK, channel: hidden })).result, NOT_EXIST)
  assert.equal((await viewer.send(channelCalendar, WEEK)).uses, undefined)
})

test.run()
