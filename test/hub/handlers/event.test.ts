// Timelines and logs as one list: order, filters, who sees what, and the file.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW, DEVICE_VIEW, SYSTEM_CONFIG_VIEW } from '../../../contract/access/permissions.ts'
import { NOT_PERMITTED, SUCCESS } from '../../../contract/codes.ts'
import { type EventEntry, exportEvents, listEvents } from '../../../contract/event.ts'
import { LOG_ERROR, LOG_WARNING } from '../../../contract/log.ts'
import { addChannel, setChannel } from '../../../contract/stream/channel.ts'
import { setChannelSecurity } from '../../../contract/stream/channel-security.ts'
import { addUser, type Client } from '../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { OTHER_DAYS } from '../../kit/other-days.ts'

const test = suite('events')
hubForEach(test)
// Verdicts are assessed when a test observes something, not each second.
test.before.each(() => hub.parts.problems.close())

const NIGHT = Date.UTC(2026, 0, 2, 1)
const NOBODY = { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 }

async function find(filter: object = {}, client: Client = admin): Promise<EventEntry[]> {
  const { result, list } = await client.send(listEvents, filter)
  assert.equal(result, SUCCESS)
  return list
}
const texts = async (filter: object = {}, client: Client = admin) =>
  (await find(filter, client)).map(({ text }) => text)

/** What happened to two channels in a night. @returns the ID of the channel that was lost */
async function passNight(): Promise<number> {
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  const { id: other } = await admin.send(addChannel, { name: 'Studio' })
  const { store } = hub.parts
  store.database.transaction(() => {
    const facts = { health: { verdict: 'down', reason: 'no-input' } }
    store.timeline.add({ channel: id, time: NIGHT, event: 'lost', facts })
    store.timeline.add({ channel: other, time: NIGHT + 2, event: 'watched', facts: { user: 'Admin' } })
  })
  store.logEvent({ event: 'input-down', detail: 'Camera', channel: id, level: LOG_WARNING, time: NIGHT + 1 })
  store.logEvent({ event: 'device-offline', detail: 'Cam: it left', sn: 'B1', level: LOG_ERROR, time: NIGHT + 3 })
  return id
}

test('timelines and logs are merged, newest first', async () => {
  await passNight()
  const night = { from: NIGHT, to: NIGHT + 10 }
  const list = await find(night)
  assert.deepEqual(
    list.map(({ time, kind, level }) => [time - NIGHT, kind, level]),
    [
      [3, 'device', 3],
      [2, 'viewer', 1],
      [1, 'log', 2],
      [0, 'state', 3]
    ]
  )
  assert.deepEqual(
    list.map((entry) => entry.sn ?? entry['channel-name']),
    ['B1', 'Studio', undefined, 'Hall']
  )
  // An older entry of one list is not shown before all newer ones of the others are.
  const { list: newest, total } = await admin.send(listEvents, { ...night, count: 2 })
  assert.deepEqual([newest, total], [list.slice(0, 2), 3])
  assert.equal((await admin.send(listEvents, { ...night, count: 4 })).total, 4)
})

test('why a channel was dark is found by the channel and the time', async () => {
  const channel = await passNight()
  const dark = ['Input lost: Camera', 'Off air. No input.']
  assert.deepEqual(await texts({ channel, from: NIGHT, to: NIGHT + 10 }), dark)
  assert.deepEqual(await texts({ channel, from: NIGHT, to: NIGHT + 10, kinds: 'state,device' }), dark.slice(1))
  assert.deepEqual(await texts({ channel, to: NIGHT + 10, level: 3 }), dark.slice(1))
  assert.deepEqual(await texts({ key: 'OFF AIR' }), dark.slice(1))
})

test('who changed the schedule is found by the channel and a text, as one entry', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  const schedule = { zone: 'UTC', rules: [{ days: OTHER_DAYS, start: '08:00', stop: '09:00' }] }
  await admin.send(setChannel, { id, name: 'Hall', config: { schedule } })
  const [entry, ...others] = await find({ channel: id, key: 'schedule' })
  assert.deepEqual([entry?.user, entry?.text, entry?.kind], ['Admin', 'Edit channel: Hall – schedule', 'operation'])
  assert.deepEqual(others, [])
  assert.deepEqual(await texts({ channel: id, user: 'Admin' }), ['Edit channel: Hall – schedule', 'Add channel: Hall'])
  assert.deepEqual(await texts({ channel: id, user: 'Bob' }), [])
  assert.deepEqual(await texts({ channel: id, kinds: 'change' }), [
    'Settings changed by Admin: schedule.',
    'Channel added by Admin.'
  ])
})

test('a caller sees what the timelines and the logs show', async () => {
  const hall = await passNight()
  await admin.send(setChannelSecurity, { id: hall, security: NOBODY })
  const viewer = await addUser(hub, 'viewer', CHANNEL_VIEW)
  const auditor = await addUser(hub, 'auditor', SYSTEM_CONFIG_VIEW)
  const night = { from: NIGHT, to: NIGHT + 10 }
  assert.deepEqual(await texts(night, viewer), ['Watched by a user in the console.'])
  assert.deepEqual(await texts({ ...night, user: 'Admin' }, viewer), [])
  assert.deepEqual(await texts({ channel: hall }, viewer), [])
  assert.deepEqual(await texts(night, auditor), [])
  const operations = await find({ kinds: 'operation' }, auditor)
  assert.ok(operations.length > 0 && operations.every(({ text }) => !text.includes('Hall')))
  const other = await addUser(hub, 'other', DEVICE_VIEW)
  assert.equal((await other.send(listEvents, {})).result, NOT_PERMITTED)
})

test('a console that has the newest events gets none', async () => {
  await passNight()
  const { rev = 0, total } = await admin.send(listEvents, { to: NIGHT + 10 })
  const again = await admin.send(listEvents, { to: NIGHT + 10, since: rev })
  assert.deepEqual([again.partial, again.list, again.total], [true, [], total])
  await admin.send(addChannel, { name: 'Annex' })
  assert.equal((await admin.send(listEvents, { to: NIGHT + 10, since: rev })).partial, undefined)
})

test('a list of thousands is filtered to its end', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  const { store } = hub.parts
  store.database.transaction(() => {
    for (let n = 0; n < 1900; n++)
      store.database.run(
        'INSERT INTO timeline (channel_id, time, last, count, kind, event, key, facts) VALUES (?, ?, ?, 1, ?, ?, ?, ?)',
        ...[id, NIGHT + n, NIGHT + n, 'viewer', 'watched', String(n), JSON.stringify({ user: n === 0 ? 'Ann' : 'Bob' })]
      )
  })
  assert.deepEqual(await texts({ channel: id, key: 'by ann' }), ['Watched by Ann in the console.'])
  assert.equal((await find({ channel: id, kinds: 'viewer', count: 2000 })).length, 1900)
})

test('the file has what the filter shows', async () => {
  const channel = await passNight()
  const reply = await admin.raw('GET', `/api${exportEvents.path}?channel=${channel}&to=${NIGHT + 10}`)
  assert.match(reply.headers.get('content-disposition') ?? '', /^attachment; filename="events-[\d-]+\.csv"$/)
  const [head, ...rows] = (await reply.text()).trim().split('\r\n')
  assert.equal(head, 'time,since,count,kind,level,channel-name,sn,user,token,text,outcome')
  assert.deepEqual(rows, [
    '2026-01-02T01:00:00.001Z,,,log,2,,,,,Input lost: Camera,',
    '2026-01-02T01:00:00.000Z,,,state,3,Hall,,,,Off air. No input.,'
  ])
})

test.run()
