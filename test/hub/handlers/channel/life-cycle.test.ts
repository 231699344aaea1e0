import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { suite } from 'uvu'
import { CHANNEL_EDIT, CHANNEL_VIEW, DEVICE_VIEW } from '../../../../contract/access/permissions.ts'
import { INVALID_ARG, LICENSE_LIMIT, NOT_EXIST, OBJECT_BUSY, SUCCESS } from '../../../../contract/codes.ts'
import { acceptDevices } from '../../../../contract/device/device.ts'
import { FREE_LIMITS } from '../../../../contract/license/license.ts'
import { listLog } from '../../../../contract/log.ts'
import {
  addChannel,
  addChannelOutputs,
  channelDashboard,
  deleteChannels,
  enableChannel,
  enableChannelOutputs,
  queryChannel,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { SRT } from '../../../../contract/stream/protocols.ts'
import type { ScheduleRule } from '../../../../contract/stream/schedule.ts'
import { addInput, addOutput, deleteInputs, setInput, setOutput } from '../../../../contract/stream/source.ts'
import { addSignedInUser, type Client, startHub, type TestHub } from '../../../kit/hub/hub.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'

const test = suite('channel life')
let hub: TestHub
let admin: Client
let now = 0
test.before.each(async () => {
  now = Date.parse('2026-11-23T08:00Z')
  hub = await startHub({ clock: () => now })
  admin = hub.clientAs()
})
test.after.each(() => hub.close())

const source = async (name: string, url = 'udp://127.0.0.1:9') =>
  (await admin.send(addInput, { name, config: { type: 1, url } })).id
const listener = async (name: string, port: number) =>
  (await admin.send(addOutput, { name, protocol: SRT, config: { mode: 'listener', 'bind-port': port } })).id
const queryById = async (id: number) => (await admin.send(queryChannel, { id })).channel
const limit = (limits: Partial<typeof FREE_LIMITS>) =>
  hub.parts.store.settings.set('license-limits', { ...FREE_LIMITS, ...limits })

test('a new channel has no backups, no slate and no schedule', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  const { config, backups, ...channel } = await queryById(id)
  assert.deepEqual(config.backups, [])
  assert.deepEqual(config.switch, { 'after-s': 3, back: 'first', 'back-after-s': 30 })
  assert.deepEqual([config.slate, config.schedule], [false, { zone: 'UTC', rules: [] }])
  assert.deepEqual([backups, channel['on-air'], channel['next-edge']], [[], undefined, undefined])
})

test('settings that a request leaves out are not changed', async () => {
  const [a, b] = [await source('A'), await source('B')]
  const { id } = await admin.send(addChannel, { name: 'Hall', config: { backups: [b, a], slate: true } })
  const rule = { 'after-s': 1, back: 'never' as const, 'back-after-s': 5 }
  assert.equal((await admin.send(setChannel, { id, name: 'Hall', config: { switch: rule } })).result, SUCCESS)
  assert.equal((await admin.send(setChannel, { id, name: 'Hall 2' })).result, SUCCESS)
  await admin.send(setChannel, { id, name: 'Hall 2', config: { protocol: { rtmp: false } } })
  const { config, backups } = await queryById(id)
  assert.deepEqual(config.protocol, { rtmp: false, srt: true })
  assert.deepEqual([config.backups, config.switch, config.slate], [[b, a], rule, true])
  assert.deepEqual(
    backups?.map(({ name }) => name),
    ['B', 'A']
  )
})

test('the operation log names the settings that a request changed', async () => {
  const backup = await source('A')
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  const edit = async (name: string, config = {}) => {
    await admin.send(setChannel, { id, name, config })
    return (await admin.send(listLog, { type: 'operation' })).list[0]?.text
  }
  assert.equal(await edit('Hall', { backups: [backup], slate: true }), 'Edit channel: Hall – backup inputs, slate')
  assert.equal(await edit('Hall', { backups: [backup], slate: false }), 'Edit channel: Hall – slate')
  assert.equal(await edit('Foyer'), 'Edit channel: Hall → Foyer')
})

test('a backup must exist, must not be listed twice, and must not be the main input', async () => {
  const [a, b] = [await source('A'), await source('B')]
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannelInput, { id, input: a })
  const setBackups = (backups: number[]) => admin.send(setChannel, { id, name: 'Hall', config: { backups } })
  assert.deepEqual(
    [
      (await setBackups([9999])).result,
      (await setBackups([b, b])).result,
      (await setBackups([a])).result,
      (await setBackups([b])).result
    ],
    [NOT_EXIST, INVALID_ARG, INVALID_ARG, SUCCESS]
  )
  assert.deepEqual((await queryById(id)).config.backups, [b])
})

test('a backup that becomes the main input is removed from the backups', async () => {
  const [a, b] = [await source('A'), await source('B')]
  const { id } = await admin.send(addChannel, { name: 'Hall', config: { backups: [a, b] } })
  await admin.send(setChannelInput, { id, input: a })
  assert.deepEqual((await queryById(id)).config.backups, [b])
})

test('a source that is a backup is in use; deleting it with force removes it from the backups', async () => {
  const a = await source('A')
  const { id } = await admin.send(addChannel, { name: 'Hall', config: { backups: [a] } })
  const refusal = await admin.send(deleteInputs, { id: a })
  assert.deepEqual([refusal.result, refusal['owner-i']], [OBJECT_BUSY, ['Hall']])
  assert.equal((await admin.send(deleteInputs, { id: a, force: true })).result, SUCCESS)
  assert.deepEqual((await queryById(id)).config.backups, [])
})

test('a caller can neither add a hidden device as a backup nor see its identity', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [sn] })
  const { id: device = 0 } = hub.parts.store.devices.bySerial(sn) ?? {}
  const editor = addSignedInUser(hub, 'Editor', CHANNEL_EDIT | CHANNEL_VIEW | DEVICE_VIEW)
  hub.parts.store.database.transaction(() =>
    hub.parts.store.settings.set('device-security', { 'group-mask': 0, 'usr-mask': 0 })
  )
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  const request = { id, name: 'Hall', config: { backups: [device] } }
  assert.equal((await editor.send(setChannel, request)).result, NOT_EXIST)
  assert.equal((await admin.send(setChannel, request)).result, SUCCESS)
  const visibleBackup = (await editor.send(queryChannel, { id })).channel.backups?.[0]
  assert.deepEqual([visibleBackup?.name, visibleBackup?.hidden, visibleBackup?.sn], ['', true, undefined])
  // A request with the same backup keeps it.
  assert.equal((await editor.send(setChannel, request)).result, SUCCESS)
})

const OFFICE_HOURS: ScheduleRule = { days: 31, start: '09:00', stop: '17:00' }
const schedule = { zone: 'UTC', rules: [OFFICE_HOURS] }

/** Sets the clock to a time and runs the timers due until then. */
function advanceTo(time: string): void {
  now = Date.parse(time)
  hub.parts.scheduler.checkClock()
}

test('a schedule starts and stops a channel, and the next transition is reported', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall', config: { schedule } })
  const toUnixTime = (time: string) => Date.parse(time) / 1000
  const channelState = async () => {
    const { config, 'next-edge': next } = await queryById(id)
    return [config.enable, next?.at, next?.enable]
  }
  assert.deepEqual(await channelState(), [false, toUnixTime('2026-11-23T09:00Z'), true])
  advanceTo('2026-11-23T09:00Z')
  assert.deepEqual(await channelState(), [true, toUnixTime('2026-11-23T17:00Z'), false])
  advanceTo('2026-11-23T17:00:01Z')
  assert.deepEqual(await channelState(), [false, toUnixTime('2026-11-24T09:00Z'), true])
  const { list } = await admin.send(listLog, { type: 'system' })
  const lines = list.map((line) => line.event)
  assert.ok(
    lines.some((line) => /schedule/i.test(line)),
    JSON.stringify(lines)
  )
})

test('a manual start or stop holds until the next transition', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall', config: { schedule } })
  await admin.send(enableChannel, { id, enable: true })
  advanceTo('2026-11-23T08:59Z')
  assert.equal((await queryById(id)).config.enable, true)
  advanceTo('2026-11-23T09:00Z')
  await admin.send(enableChannel, { id, enable: false })
  advanceTo('2026-11-23T16:59Z')
  assert.equal((await queryById(id)).config.enable, false)
  advanceTo('2026-11-24T10:00Z')
  assert.equal((await queryById(id)).config.enable, true)
})

test('a new schedule takes effect at once, and setting the same schedule again changes nothing', async () => {
  now = Date.parse('2026-11-23T10:00Z')
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannel, { id, name: 'Hall', config: { schedule } })
  assert.equal((await queryById(id)).config.enable, true)
  await admin.send(enableChannel, { id, enable: false })
  await admin.send(setChannel, { id, name: 'New', config: { schedule } })
  assert.equal((await queryById(id)).config.enable, false)
  await admin.send(setChannel, { id, name: 'New', config: { schedule: { zone: 'UTC', rules: [] } } })
  advanceTo('2026-11-24T10:00Z')
  const { config, 'next-edge': next } = await queryById(id)
  assert.deepEqual([config.enable, next], [false, undefined])
})

test('the dashboard reports the next transition even if the previous one changed nothing', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall', config: { schedule } })
  await admin.send(enableChannel, { id, enable: true })
  const { rev } = await admin.send(channelDashboard, {})
  advanceTo('2026-11-23T09:00Z')
  const { list } = await admin.send(channelDashboard, { since: rev })
  assert.deepEqual(
    list.map((channel) => channel['next-edge']?.at),
    [Date.parse('2026-11-23T17:00Z') / 1000]
  )
})

test('setting the clock back starts and stops nothing', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall', config: { schedule } })
  advanceTo('2026-11-23T09:00Z')
  advanceTo('2026-11-23T08:30Z')
  assert.equal((await queryById(id)).config.enable, true)
  advanceTo('2026-11-23T17:00Z')
  assert.equal((await queryById(id)).config.enable, false)
})

test('a hub that starts sets channels to the state that their schedules require by then', async () => {
  const data = mkdtempSync(resolve(tmpdir(), 'headend-schedule-'))
  const restart = async (time: string) => {
    await hub.close()
    now = Date.parse(time)
    hub = await startHub({ data, clock: () => now })
    admin = hub.clientAs()
  }
  try {
    await restart('2026-11-23T08:00Z')
    const { id } = await admin.send(addChannel, { name: 'Hall', config: { schedule } })
    const { id: free } = await admin.send(addChannel, { name: 'By hand' })
    await admin.send(enableChannel, { id: free, enable: true })
    for (const [time, runs] of [
      ['2026-11-23T12:00Z', true],
      ['2026-11-23T20:00Z', false]
    ] as const) {
      await restart(time)
      assert.deepEqual([(await queryById(id)).config.enable, (await queryById(free)).config.enable], [runs, true])
    }
  } finally {
    rmSync(data, { recursive: true })
  }
})

test('a deleted channel is not started', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall', config: { schedule } })
  await admin.send(deleteChannels, { id })
  advanceTo('2026-11-23T09:00Z')
  assert.equal((await admin.send(queryChannel, { id })).result, NOT_EXIST)
})

test('a schedule needs an existing time zone, days, and times of day', async () => {
  const invalidSchedules = [
    { zone: 'Mars/Base', rules: [] },
    { zone: 'UTC', rules: [{ ...OFFICE_HOURS, days: 0 }] },
    { zone: 'UTC', rules: [{ ...OFFICE_HOURS, days: 128 }] },
    { zone: 'UTC', rules: [{ ...OFFICE_HOURS, stop: '24:00' }] }
  ]
  for (const schedule of invalidSchedules)
    assert.equal((await admin.send(addChannel, { name: 'Hall', config: { schedule } })).result, INVALID_ARG)
})

test('the licence limits the number of channels and of enabled channels', async () => {
  limit({ 'max-channel-count': 2, 'max-live-count': 1 })
  const { id: a } = await admin.send(addChannel, { name: 'A' })
  const { id: b } = await admin.send(addChannel, { name: 'B' })
  const third = await admin.send(addChannel, { name: 'C' })
  assert.deepEqual([third.result, third.of, third.max, third.used], [LICENSE_LIMIT, 'max-channel-count', 2, 2])
  assert.match(third.message ?? '', /allows 2 channels/)
  await admin.send(enableChannel, { id: a, enable: true })
  assert.equal((await admin.send(enableChannel, { id: a, enable: true })).result, SUCCESS)
  const second = await admin.send(enableChannel, { id: b, enable: true })
  assert.deepEqual([second.result, second.of, second.used], [LICENSE_LIMIT, 'max-live-count', 1])
  assert.equal((await queryById(b)).config.enable, false)
  const counts = await admin.send(channelDashboard, {})
  assert.deepEqual([counts['limit-num'], counts['limit-create-num'], counts['used-num']], [1, 2, 2])
})

test('the licence limits active outputs and SRT servers, whichever change activates them', async () => {
  limit({ 'max-output-count': 2, 'max-srt-count': 2 })
  const input = await source('In', 'srt://127.0.0.1:9000?mode=listener')
  const outputs = [await listener('1', 9101), await listener('2', 9102)]
  const { id } = await admin.send(addChannel, { name: 'A' })
  await admin.send(setChannelInput, { id, input })
  await admin.send(addChannelOutputs, { id, outputs: outputs.slice(0, 1) })
  assert.equal((await admin.send(enableChannel, { id, enable: true })).result, SUCCESS)
  const counts = await admin.send(channelDashboard, {})
  assert.deepEqual(
    [counts['output-num'], counts['limit-output-num'], counts['srt-num'], counts['limit-srt-num']],
    [1, 2, 2, 2]
  )
  const addedOutputs = await admin.send(addChannelOutputs, { id, outputs: outputs.slice(1) })
  assert.deepEqual([addedOutputs.result, addedOutputs.of], [LICENSE_LIMIT, 'max-srt-count'])
  const backup = await source('Backup', 'srt://127.0.0.1:9001?mode=listener')
  const withBackup = await admin.send(setChannel, { id, name: 'A', config: { backups: [backup] } })
  assert.equal(withBackup.result, LICENSE_LIMIT)
  // A caller does not count as a server; changing it to a listener is refused while it is active.
  const caller = await source('Caller', 'srt://127.0.0.1:9001')
  assert.equal((await admin.send(setChannel, { id, name: 'A', config: { backups: [caller] } })).result, SUCCESS)
  const asListener = await admin.send(setInput, {
    id: caller,
    name: 'Caller',
    config: { type: 1, url: 'srt://127.0.0.1:9002?mode=listener' }
  })
  assert.equal(asListener.result, LICENSE_LIMIT)
  const callerConfig = { mode: 'caller' as const, 'dst-ip': '127.0.0.1', 'dst-port': 9103 }
  await admin.send(setOutput, { id: outputs[1] ?? 0, name: '2', protocol: SRT, config: callerConfig })
  assert.equal((await admin.send(addChannelOutputs, { id, outputs: outputs.slice(1) })).result, SUCCESS)
  const third = await listener('3', 9104)
  const overLimit = await admin.send(addChannelOutputs, { id, outputs: [third] })
  assert.deepEqual(
    [overLimit.result, overLimit.of, overLimit.max, overLimit.used],
    [LICENSE_LIMIT, 'max-output-count', 2, 2]
  )
})

test('an output that is switched off does not count, and cannot be switched on beyond the licence', async () => {
  limit({ 'max-output-count': 2, 'max-srt-count': 1 })
  const outputs = [await listener('1', 9101), await listener('2', 9102)]
  const { id } = await admin.send(addChannel, { name: 'A' })
  await admin.send(addChannelOutputs, { id, outputs })
  const switchOff = { id, outputs: outputs.slice(1), enable: false }
  assert.equal((await admin.send(enableChannel, { id, enable: true })).result, LICENSE_LIMIT)
  assert.equal((await admin.send(enableChannelOutputs, switchOff)).result, SUCCESS)
  assert.equal((await admin.send(enableChannel, { id, enable: true })).result, SUCCESS)
  const counts = await admin.send(channelDashboard, {})
  assert.deepEqual([counts['output-num'], counts['srt-num']], [1, 1])
  const switchedOn = await admin.send(enableChannelOutputs, { ...switchOff, enable: true })
  assert.deepEqual(
    [switchedOn.result, switchedOn.of, switchedOn.max, switchedOn.used],
    [LICENSE_LIMIT, 'max-srt-count', 1, 1]
  )
  assert.equal((await queryById(id)).outputs.list[1]?.enable, false)
})

test('a disabled output stays disabled after a restart', async () => {
  const data = mkdtempSync(resolve(tmpdir(), 'headend-outputs-'))
  const restart = async () => {
    await hub.close()
    hub = await startHub({ data })
    admin = hub.clientAs()
  }
  try {
    await restart()
    const output = await listener('1', 9101)
    const { id } = await admin.send(addChannel, { name: 'A' })
    await admin.send(addChannelOutputs, { id, outputs: [output] })
    await admin.send(enableChannelOutputs, { id, outputs: [output], enable: false })
    await restart()
    assert.equal((await queryById(id)).outputs.list[0]?.enable, false)
  } finally {
    rmSync(data, { recursive: true })
  }
})

test('usage above a limit may stay unchanged or decrease', async () => {
  const { id: a } = await admin.send(addChannel, { name: 'A' })
  const { id: b } = await admin.send(addChannel, { name: 'B' })
  for (const id of [a, b]) await admin.send(enableChannel, { id, enable: true })
  limit({ 'max-live-count': 1 })
  assert.equal((await admin.send(setChannel, { id: a, name: 'A2' })).result, SUCCESS)
  assert.equal((await admin.send(enableChannel, { id: a, enable: false })).result, SUCCESS)
  assert.equal((await admin.send(enableChannel, { id: a, enable: true })).result, LICENSE_LIMIT)
})

test('a schedule does not start a channel beyond the licence, and the failure is logged', async () => {
  limit({ 'max-live-count': 1 })
  const { id: a } = await admin.send(addChannel, { name: 'A' })
  await admin.send(enableChannel, { id: a, enable: true })
  const { id } = await admin.send(addChannel, { name: 'Hall', config: { schedule } })
  advanceTo('2026-11-23T09:00Z')
  assert.equal((await queryById(id)).config.enable, false)
  const { list } = await admin.send(listLog, { type: 'system' })
  assert.ok(list.some((line) => /Scheduled start of channel Hall failed/.test(JSON.stringify(line))))
})

test.run()
