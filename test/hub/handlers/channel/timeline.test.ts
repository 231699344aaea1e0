import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_CONTROL, CHANNEL_VIEW, SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { INVALID_ARG, NOT_EXIST, SUCCESS } from '../../../../contract/codes.ts'
import {
  addChannel,
  addChannelOutputs,
  deleteChannels,
  enableChannel,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { setChannelSecurity } from '../../../../contract/stream/channel-security.ts'
import { channelTimeline, exportChannelTimeline } from '../../../../contract/stream/channel-timeline.ts'
import { SRT, UDP } from '../../../../contract/stream/protocols.ts'
import { addInput, addOutput } from '../../../../contract/stream/source.ts'
import { deleteTrash, restoreTrash } from '../../../../contract/trash.ts'
import type { ObservedLeg } from '../../../../engine/interfaces/channel.ts'
import { addUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { CARRYING_LEG, REFUSED_LEG, setObservedChannel } from '../../../kit/hub/observed-channel.ts'

const test = suite('timeline of a channel')
hubForEach(test)
// Verdicts are assessed when a test observes something, not each second.
test.before.each(() => hub.parts.problems.close())

const LOST_LEG: ObservedLeg = { ...REFUSED_LEG, reason: 'no-data-for 10' }

/** A started channel with a UDP input and a UDP output. */
async function startChannel() {
  const { id: input } = await admin.send(addInput, { name: 'Camera', config: { type: 1, url: 'udp://127.0.0.1:9' } })
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  const config = { 'dst-ip': '127.0.0.1', 'dst-port': 9000 }
  const { id: output } = await admin.send(addOutput, { name: 'Foyer', protocol: UDP, config } as never)
  await admin.send(setChannelInput, { id, input })
  await admin.send(addChannelOutputs, { id, outputs: [output] })
  await admin.send(enableChannel, { id, enable: true })
  return { id, input, output }
}

/** Makes the engine report these legs, and the hub judge the channel. */
function observe(id: number, output: number, input: ObservedLeg, outputLeg: ObservedLeg): void {
  setObservedChannel(hub, id, input, { [output]: outputLeg })
  hub.parts.channelHealth.refresh(id)
}

async function textsOf(id: number, client: Client = admin, filter = {}): Promise<string[]> {
  const { result, list } = await client.send(channelTimeline, { id, ...filter })
  assert.equal(result, SUCCESS)
  return list.map(({ text }) => text)
}

test('a timeline tells who added, edited and started the channel, and which fields changed', async () => {
  const { id } = await startChannel()
  await admin.send(setChannel, { id, name: 'Hall', config: { backups: [] } })
  await admin.send(setChannel, { id, name: 'Great hall', config: { 'failover-after': 5 } as never })
  await admin.send(enableChannel, { id, enable: false })
  const texts = await textsOf(id, admin, { kinds: 'change' })
  assert.equal(texts[0], 'Stopped by Admin.')
  assert.ok(texts[1]?.startsWith('Settings changed by Admin: name'), texts[1])
  assert.deepEqual(texts.slice(2), [
    'Started by Admin.',
    'Outputs added by Admin: Foyer.',
    'Main input set by Admin: Camera.',
    'Channel added by Admin.'
  ])
})

test('a timeline tells when the channel was on air, degraded and lost, and why', async () => {
  const { id, output } = await startChannel()
  observe(id, output, CARRYING_LEG, CARRYING_LEG)
  observe(id, output, CARRYING_LEG, REFUSED_LEG)
  observe(id, output, CARRYING_LEG, CARRYING_LEG)
  observe(id, output, LOST_LEG, CARRYING_LEG)
  observe(id, output, LOST_LEG, CARRYING_LEG)
  observe(id, output, CARRYING_LEG, CARRYING_LEG)
  // How long something was away depends on the load of the machine; the next but one test has durations.
  const texts = (await textsOf(id, admin, { kinds: 'state,output' })).map((text) =>
    text.replace(/(?: again)? after \d+ (?:s|min)[^.,]*/, '')
  )
  assert.deepEqual(texts, [
    'On air.',
    'Off air. No data for 10 s.',
    'Output “Foyer” is back.',
    'On air.',
    'Output “Foyer” failed. The peer refused the connection.',
    'Off air. All outputs failed.',
    'On air.'
  ])
})

test('events of the engine are entries at their own time: another codec, a lost track, a switch', async () => {
  const { id, input } = await startChannel()
  const { timeline, store } = hub.parts
  const time = Date.now() + 5000
  store.database.transaction(() => {
    const about = { channelId: id, name: 'Camera', inputId: input }
    timeline.recordStreamEvent({ ...about, kind: 'input-changed', reason: 'tracks-changed h264 aac → hevc aac' }, time)
    timeline.recordStreamEvent({ ...about, kind: 'track-lost', reason: 'audio-lost' }, time + 1)
    timeline.recordStreamEvent({ ...about, kind: 'track-found' }, time + 2)
    timeline.recordStreamEvent(
      { channelId: id, kind: 'channel-switched', name: 'Hall', reason: 'on-air-backup 1' },
      time + 3
    )
  })
  const { list } = await admin.send(channelTimeline, { id, kinds: 'input' })
  assert.deepEqual(
    list.map(({ time: at, text, severity }) => [at - time, text, severity]),
    [
      [3, 'Switched to backup 1: main input lost.', 'warn'],
      [2, 'Input “Camera”: all tracks received again.', 'good'],
      [1, 'Input “Camera”: no audio received.', 'warn'],
      [0, 'Codecs or tracks of input “Camera” changed: tracks h264 aac → hevc aac.', 'warn']
    ]
  )
  const chinese = await admin.raw('GET', `/api/channel/timeline?id=${id}&kinds=input`, {
    headers: { 'accept-language': 'zh-CN' }
  })
  assert.ok((await chinese.text()).includes('输入“Camera”：未收到音频。'))
})

test('what is back tells for how long it was away, in both languages, and a user keeps the own spelling', async () => {
  const { id } = await startChannel()
  const { timeline, store } = hub.parts
  store.database.transaction(() => {
    const time = Date.now()
    store.timeline.add({ channel: id, time, event: 'on-air', facts: { seconds: 134 } })
    store.timeline.add({ channel: id, time: time + 1, event: 'output-back', facts: { name: 'Foyer', seconds: 61 } })
  })
  timeline.recordWatch(id, 'lower')
  assert.deepEqual((await textsOf(id, admin, { kinds: 'state,output' })).slice(0, 2), [
    'Output “Foyer” is back after 1 min 1 s.',
    'On air again after 2 min 14 s.'
  ])
  const chinese = await admin.raw('GET', `/api/channel/timeline?id=${id}`, { headers: { 'accept-language': 'zh' } })
  const text = await chinese.text()
  assert.ok(text.includes('中断 2 分 14 秒后恢复播出。') && text.includes('lower 开始在控制台观看。'), text)
})

test('who watches is an entry, in a page and with a player; the address has no port', async () => {
  const { id } = await startChannel()
  hub.parts.timeline.recordWatch(id, 'Admin')
  hub.parts.timeline.recordPlayers(id, [])
  const player = { id: 1, address: '192.0.2.7:4711', kbps: 0, livingTimeS: 0, isPublisher: false, protocol: SRT }
  hub.parts.timeline.recordPlayers(id, [player])
  hub.parts.timeline.recordPlayers(id, [player, { ...player, id: 2, isPublisher: true }])
  hub.parts.timeline.recordPlayers(id, [player, { ...player, id: 3, address: '2001:db8::1:17' }])
  hub.parts.timeline.recordPlayers(id, [player, { ...player, id: 4, address: '[2001:db8::2]:4711' }])
  assert.deepEqual(await textsOf(id, admin, { kinds: 'viewer' }), [
    'Player connected: [2001:db8::2] (SRT).',
    'Player connected: 2001:db8::1:17 (SRT).',
    'Player connected: 192.0.2.7 (SRT).',
    'Watched by Admin in the console.'
  ])
})

test('a start or stop by the schedule, and an engine that is away, are entries', async () => {
  const { id } = await startChannel()
  const { timeline, store } = hub.parts
  store.database.transaction(() => timeline.recordSchedule(id, 'schedule-stop'))
  timeline.recordEngine('engine-away')
  timeline.recordEngine('engine-restarted', 65_000)
  const { list } = await admin.send(channelTimeline, { id })
  const [restarted, away, stopped] = list
  assert.equal(restarted?.text, 'Stream engine restarted: all channels were interrupted. Not observed for 1 min 5 s.')
  assert.equal((restarted?.time ?? 0) - (restarted?.since ?? 0), 65_000)
  assert.deepEqual(
    [away?.text, stopped?.text],
    ['Stream engine not responding: not observed from now on.', 'Stopped by the schedule.']
  )
})

test('only users who see the channel see its timeline, and others than readers of the log no names of users', async () => {
  const { id } = await startChannel()
  const viewer = await addUser(hub, 'viewer', CHANNEL_VIEW)
  const operator = await addUser(hub, 'operator', CHANNEL_VIEW | CHANNEL_CONTROL)
  const auditor = await addUser(hub, 'auditor', CHANNEL_VIEW | SYSTEM_CONFIG_VIEW)
  await operator.send(enableChannel, { id, enable: false })
  const newest = async (client: Client) => {
    const { list } = await client.send(channelTimeline, { id, kinds: 'change' })
    return [list[0]?.text, list[0]?.by, list[1]?.text]
  }
  assert.deepEqual(await newest(viewer), ['Stopped by a user.', undefined, 'Started by a user.'])
  assert.deepEqual(await newest(operator), ['Stopped by operator.', 'operator', 'Started by a user.'])
  assert.deepEqual(await newest(auditor), ['Stopped by operator.', 'operator', 'Started by Admin.'])
  await admin.send(setChannelSecurity, { id, security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 } })
  assert.equal((await viewer.send(channelTimeline, { id })).result, NOT_EXIST)
  const file = await viewer.raw('GET', `/api${exportChannelTimeline.path}?id=${id}&format=txt`)
  assert.equal((await file.json()).result, NOT_EXIST)
})

test('the name and the fault of a device are hidden from users who may not see the device', async () => {
  const { id, output } = await startChannel()
  const { timeline, store } = hub.parts
  store.database.transaction(() =>
    store.timeline.add({
      channel: id,
      time: Date.now(),
      event: 'lost',
      facts: { health: { verdict: 'down', reason: 'no-signal' }, reason: 'device-silent', devices: ['SECRET1'] }
    })
  )
  assert.ok(timeline && output)
  const viewer = await addUser(hub, 'viewer', CHANNEL_VIEW)
  assert.deepEqual(await textsOf(id, viewer, { kinds: 'state' }), ['Off air. No input.'])
})

test('a console that has the newest entries gets none, and gets new ones when the topic changes', async () => {
  const { id } = await startChannel()
  const { id: other } = await admin.send(addChannel, { name: 'Other' })
  const { rev = 0, total } = await admin.send(channelTimeline, { id })
  await admin.send(setChannel, { id: other, name: 'Another' })
  const unchanged = await admin.send(channelTimeline, { id, since: rev })
  assert.deepEqual([unchanged.partial, unchanged.list, unchanged.total], [true, [], total])
  const before = hub.parts.store.changes.revOf('timeline')
  await admin.send(enableChannel, { id, enable: false })
  assert.ok(hub.parts.store.changes.revOf('timeline') > before)
  const changed = await admin.send(channelTimeline, { id, since: unchanged.rev })
  assert.equal(changed.partial, undefined)
  assert.equal(changed.list[0]?.event, 'stopped')
})

test('a file has all entries, oldest first, with times in the zone of the request', async () => {
  const { id } = await startChannel()
  await admin.send(setChannel, { id, name: '=HYPERLINK("x")' })
  const file = async (format: string, zone = '') => {
    const path = `/api${exportChannelTimeline.path}?id=${id}&format=${format}${zone && `&zone=${zone}`}`
    return admin.raw('GET', path)
  }
  const csv = await file('csv', 'Asia/Shanghai')
  assert.equal(csv.headers.get('content-type'), 'text/csv;charset=utf-8')
  assert.match(
    csv.headers.get('content-disposition') ?? '',
    /^attachment; filename="channel-\d+-timeline-[\d-]+\.csv"$/
  )
  const [head, first] = (await csv.text()).split('\r\n')
  assert.equal(head, 'time,since,count,kind,severity,text,by')
  assert.match(first ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+08:00,,,change,info,Channel added by Admin\.,Admin$/)
  const text = await (await file('txt')).text()
  const lines = text.split('\r\n')
  assert.ok(lines[0]?.endsWith('times in UTC'))
  assert.match(lines[2] ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+00:00 {2}Change {2}Channel added by Admin\.$/)
  assert.equal((await (await file('csv', 'Nowhere/None')).json()).result, INVALID_ARG)
})

test('the timeline of a channel is removed when the channel is deleted for good', async () => {
  const { id } = await startChannel()
  const { trash } = await admin.send(deleteChannels, { id })
  assert.equal((await admin.send(channelTimeline, { id })).result, NOT_EXIST)
  await admin.send(deleteTrash, { id: trash })
  assert.equal(hub.parts.store.timeline.page(id, { kinds: ['change'] }, 0, 10).total, 0)
})

test('no key of the channel is in its timeline', async () => {
  const { id } = await startChannel()
  const config = { 'play-key': 'SECRET-PLAY', 'push-key': 'SECRET-PUSH' }
  await admin.send(setChannel, { id, name: 'Hall', config })
  const rows = hub.parts.store.database.all<{ facts: string; key: string }>('SELECT facts, key FROM timeline')
  assert.ok(!JSON.stringify(rows).includes('SECRET'))
  assert.ok((await textsOf(id))[0]?.startsWith('Settings changed by Admin: '))
})

test('without a channel the list has the entries of all channels that the caller sees, with their names', async () => {
  const { id: hall } = await admin.send(addChannel, { name: 'Hall' })
  const { id: studio } = await admin.send(addChannel, { name: 'Studio' })
  await admin.send(setChannelSecurity, { id: hall, security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 } })
  const viewer = await addUser(hub, 'viewer', CHANNEL_VIEW)
  const entries = async (client: Client, filter = {}) => {
    const { result, total, list } = await client.send(channelTimeline, { kinds: 'change', ...filter })
    assert.equal(result, SUCCESS)
    assert.equal(total, list.length)
    return list.map((entry) => [entry.channel, entry['channel-name'], entry.event])
  }
  const ofStudio = [studio, 'Studio', 'created']
  const all = await entries(admin)
  assert.deepEqual(
    all.filter(([, , event]) => event === 'created'),
    [ofStudio, [hall, 'Hall', 'created']]
  )
  assert.deepEqual(await entries(viewer), [ofStudio])
  assert.deepEqual(await entries(viewer, { to: 1 }), [])
  // Entries about the hub have no channel, and the list of one channel does not repeat it.
  const { list } = await admin.send(channelTimeline, { id: studio })
  assert.deepEqual(list.map(({ channel }) => channel).filter(Boolean), [])
  const { rev, partial } = await viewer.send(channelTimeline, {})
  assert.equal(partial, undefined)
  assert.equal((await viewer.send(channelTimeline, { since: rev } as never)).partial, true)
  await admin.send(enableChannel, { id: studio, enable: true })
  assert.equal((await viewer.send(channelTimeline, { since: rev } as never)).partial, undefined)
})

test('a console that has the entries of all channels gets them again when other channels are visible', async () => {
  const { id: hall } = await admin.send(addChannel, { name: 'Hall' })
  const { id: studio } = await admin.send(addChannel, { name: 'Studio' })
  const viewer = await addUser(hub, 'viewer', CHANNEL_VIEW)
  let since = 0
  const channels = async () => {
    const { rev = 0, partial, list } = await viewer.send(channelTimeline, { kinds: 'change', ...(since && { since }) })
    since = rev
    return partial ? 'unchanged' : [...new Set(list.map((entry) => entry['channel-name']))].sort().join()
  }
  assert.equal(await channels(), 'Hall,Studio')
  assert.equal(await channels(), 'unchanged')
  const nobody = { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 }
  await admin.send(setChannelSecurity, { id: hall, security: nobody })
  assert.equal(await channels(), 'Studio')
  await admin.send(setChannelSecurity, { id: hall, security: { 'is-inherit': 1 } as never })
  assert.equal(await channels(), 'Hall,Studio')
  const { trash } = await admin.send(deleteChannels, { id: studio })
  assert.equal(await channels(), 'Hall')
  await admin.send(restoreTrash, { id: trash } as never)
  assert.equal(await channels(), 'Hall,Studio')
})

test.run()
