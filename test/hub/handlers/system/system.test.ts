import assert from 'node:assert/strict'
import { readFileSync, statfsSync } from 'node:fs'
import { availableParallelism, uptime } from 'node:os'
import { suite } from 'uvu'
import {
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_VIEW,
  INPUT_OUTPUT_VIEW,
  SYSTEM_CONFIG_EDIT,
  SYSTEM_CONFIG_VIEW
} from '../../../../contract/access/permissions.ts'
import { getRevisions } from '../../../../contract/change-feed.ts'
import { INVALID_ARG, SUCCESS } from '../../../../contract/codes.ts'
import { acceptDevices, rejectDevices } from '../../../../contract/device/device.ts'
import { DEVICE_WARNING_BITS } from '../../../../contract/device/status.ts'
import { listLog } from '../../../../contract/log.ts'
import { getSettings, type Settings, setSettings } from '../../../../contract/settings.ts'
import { addChannel, enableChannel } from '../../../../contract/stream/channel.ts'
import { addOutput } from '../../../../contract/stream/source.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { parseMemory } from '../../../../hub/machine/readings.ts'
import { addSignedInUser, addUser, type Client, startHub, type TestHub } from '../../../kit/hub/hub.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('system')
let hub: TestHub
let admin: Client
test.before.each(async () => {
  hub = await startHub()
  admin = await hub.signIn()
})
test.after.each(() => hub.close())

const system = async () => (await admin.send(systemStatus, {})).status.system

test('a further status reads nothing from the database', async () => {
  await system()
  const { database } = hub.parts.store
  const queries: string[] = []
  const { all, get } = database
  database.all = (sql, ...values) => {
    queries.push(sql)
    return all.call(database, sql, ...values) as never
  }
  database.get = (sql, ...values) => {
    queries.push(sql)
    return get.call(database, sql, ...values) as never
  }
  // Other work of the hub may read meanwhile.
  await until(
    async () => {
      queries.length = 0
      await system()
      return queries.length === 0
    },
    () => `no query: ${queries}`
  )
})

test('the measured values agree with the machine', async () => {
  await until(() => hub.parts.monitor.reading().cpu !== undefined, 'a second is measured')
  const { status, info } = await system()
  const { cpu = -1, mem = -1 } = status
  assert.ok(cpu >= 0 && cpu <= 100, `${cpu} %`)
  const ram = parseMemory(readFileSync('/proc/meminfo', 'utf8'))
  assert.ok(ram)
  assert.equal(status['mem-total'], Math.round(ram.total))
  assert.ok(Math.abs(mem - (1 - ram.available / ram.total)) < 0.3, `${mem} of the memory`)
  const { blocks, bsize } = statfsSync('.')
  assert.equal(status['disk-info']?.total, Math.round((blocks * bsize) / 2 ** 20))
  assert.ok((status['disk-info']?.free ?? -1) <= (status['disk-info']?.total ?? -2))
  assert.ok(Math.abs((status['up-time'] ?? 0) - uptime()) < 5)
  assert.ok((status['hub-up-time'] ?? -1) >= 0 && (status['hub-up-time'] ?? 99) < 60)
  assert.equal(status['cpu-count'], availableParallelism())
  assert.ok(Math.abs(info['date-time'] - Date.now() / 1000) < 5, 'seconds')
  for (const rate of [status['net-rx'], status['net-tx']]) assert.ok((rate ?? -1) >= 0)
})

test('values that the machine does not have, or that are not measured yet, are absent and not 0', async () => {
  const { lowMemory: _, ...reading } = hub.parts.monitor.reading()
  hub.parts.monitor.reading = () => ({
    ...reading,
    ...{ lowMemory: false, temperature: undefined, 'fan-rpm': undefined, cpu: undefined, 'disk-info': undefined }
  })
  const { status, info } = await system()
  for (const name of ['temperature', 'fan-rpm', 'cpu', 'disk-info']) assert.ok(!(name in status), name)
  assert.ok(!('cloud' in (await system())))
  assert.ok(!('link-port' in info), 'nothing listens')
  const { linkPort } = await hub.listen(0, 0)
  assert.equal((await system()).info['link-port'], linkPort)
})

test('low memory is a bit of the status code', async () => {
  const reading = hub.parts.monitor.reading()
  hub.parts.monitor.reading = () => ({ ...reading, lowMemory: true })
  const { status } = await system()
  assert.equal(status['status-code'] & 0x40000, 0x40000)
  assert.ok(!('lowMemory' in status))
})

test('the history is returned on request, with at most 60 values each, and as many for rx as for tx', async () => {
  assert.equal((await admin.send(systemStatus, {})).status['net-history'], undefined)
  assert.equal((await admin.send(systemStatus, { history: 0 })).status['net-history'], undefined)
  await until(() => hub.parts.monitor.history()['mbps-s'].rx.length > 0, 'a second is measured')
  const history = (await admin.send(systemStatus, { history: 1 })).status['net-history']
  assert.ok(history)
  for (const { rx, tx } of [history['mbps-s'], history['mbps-m']]) {
    assert.equal(rx.length, tx.length)
    assert.ok(rx.length <= 60)
    for (const rate of [...rx, ...tx]) assert.ok(rate >= 0)
  }
})

test('the counts of devices follow their registration and visibility', async () => {
  const [a = '', b = '', c = '', d = ''] = registerDevices(hub, 5)
  await admin.send(acceptDevices, { sn: [a, b, c] })
  await admin.send(rejectDevices, { sn: [d] })
  for (const sn of [a, b]) hub.parts.registry.setOnline(sn)
  hub.parts.registry.setObservation(a, { status: {}, warns: DEVICE_WARNING_BITS.noSignal })
  assert.deepEqual((await system()).device, {
    'num-pending': 1,
    'num-warn': 1,
    'num-all': 3,
    'num-online': 2,
    'num-rejected': 1,
    'num-favorite': 0,
    'num-update': 0
  })
  hub.parts.registry.setOffline(a, 'test')
  const { device } = await system()
  assert.deepEqual([device['num-warn'], device['num-online']], [0, 1])
})

test('the counts of channels follow their settings; a stopped channel is not live', async () => {
  const ids = [(await admin.send(addChannel, { name: 'A' })).id, (await admin.send(addChannel, { name: 'B' })).id]
  await admin.send(addOutput, { name: 'Out', protocol: 1, config: { url: 'rtmp://a.example/live' } })
  await admin.send(enableChannel, { id: ids[0] ?? 0, enable: true })
  const status = await system()
  assert.deepEqual(status.channel, { 'num-all': 2, 'num-enabled': 1, 'num-live': 0 })
  assert.deepEqual(status.output, { 'num-all': 1, 'num-live': 0 })
  assert.deepEqual(status.client, { 'num-live': 0 })
})

test('each topic has a revision, and only changed topics advance', async () => {
  const before = (await admin.send(getRevisions, {})).revs
  hub.parts.store.changes.markChanged('device', 1)
  const after = (await admin.send(getRevisions, {})).revs
  assert.ok(after.device > before.device)
  assert.deepEqual({ ...after, device: 0 }, { ...before, device: 0 })
})

test('a log lists the newest entries first, in pages, and a delta response without changes is empty', async () => {
  for (const name of ['A', 'B', 'C']) await admin.send(addChannel, { name })
  const page = await admin.send(listLog, { type: 'operation', start: 1, count: 2 })
  assert.deepEqual(
    page.list.map(({ detail }) => detail),
    ['B', 'A']
  )
  assert.deepEqual([page.start, page.total], [1, 4])
  const unchanged = await admin.send(listLog, { type: 'operation', since: page.rev })
  assert.deepEqual([unchanged.list, unchanged.partial, unchanged.total], [[], true, 4])
  await admin.send(addChannel, { name: 'D' })
  const next = await admin.send(listLog, { type: 'operation', since: page.rev })
  assert.deepEqual([next.partial, next.list[0]?.detail, next.list.length], [undefined, 'D', 5])
})

test('each log has its own entries: the hub’s, the devices’ with serial number, the users’ with name and address', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  const logOf = async (type: 'operation' | 'system' | 'device') => (await admin.send(listLog, { type })).list
  const [device] = await logOf('device')
  assert.deepEqual([device?.event, device?.sn, device?.user], ['device-registered', sn, undefined])
  const started = (await logOf('system')).find(({ event }) => event === 'hub-started')
  assert.ok(started)
  assert.ok(!('sn' in started))
  assert.ok(Math.abs(started.time - Date.now()) < 60_000, 'milliseconds')
  const [operation] = await logOf('operation')
  assert.deepEqual([operation?.user, operation?.ip, operation?.code], ['Admin', '127.0.0.1', 0])
})

test('settings: a request has exactly one part, and only that part changes', async () => {
  const settings = async () => (await admin.send(getSettings, {})).settings
  const before = await settings()
  assert.deepEqual([before.security, before['expired-time']], [{ 'enable-code': false, 'code-value': '' }, 30])
  const security = { 'enable-code': true, 'code-value': '0165' }
  assert.equal((await admin.send(setSettings, { security })).result, SUCCESS)
  assert.equal((await admin.send(setSettings, { 'expired-time': -1 })).result, SUCCESS)
  assert.deepEqual(await settings(), { ...before, security, 'expired-time': -1 })
  for (const request of [
    {},
    { security, 'expired-time': 5 },
    { 'expired-time': 0 },
    { unknown: 1 } as Partial<Settings>
  ])
    assert.equal((await admin.send(setSettings, request)).result, INVALID_ARG, JSON.stringify(request))
  assert.deepEqual(await settings(), { ...before, security, 'expired-time': -1 })
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.ok(!JSON.stringify(list).includes('0165'), 'the code is not logged')
})

test('settings: the ports that are open, and the port of HTTPS, which is off', async () => {
  const web = async () => (await admin.send(getSettings, {})).settings.web
  const off = {
    'enable-https': false,
    'redirect-http': false,
    hsts: false,
    'can-hsts': false,
    'https-state': 'disabled'
  }
  assert.deepEqual(await web(), off, 'nothing listens')
  const { port, linkPort } = await hub.listen(0, 0)
  const files = hub.parts.webPorts.ports.files.observe().port
  const open = { 'http-port': port, 'link-port': linkPort, 'files-port': files }
  assert.deepEqual(await web(), { ...off, ...open, 'https-port': 443 })
})

test('everybody sees the machine’s state; host name, port and counts need their permissions', async () => {
  await hub.listen(0, 0)
  registerDevices(hub, 1)
  const { id } = await admin.send(addChannel, { name: 'A' })
  await admin.send(enableChannel, { id, enable: true })
  await admin.send(addOutput, { name: 'Out', protocol: 1, config: { url: 'rtmp://a.example/live' } })
  const statusFor = async (permission: number) => {
    const { status } = await addSignedInUser(hub, `user ${permission}`, permission).send(systemStatus, {})
    const { info, device, channel, output } = status.system
    assert.ok((status.system.status['mem-total'] ?? 0) > 0)
    const counts = [device['num-pending'], channel['num-all'], channel['num-enabled'], output['num-all']]
    return [Boolean(info['host-name']), Boolean(info['link-port']), ...counts]
  }
  assert.deepEqual(await statusFor(0), [false, false, 0, 0, 0, 0])
  assert.deepEqual(await statusFor(DEVICE_VIEW), [false, false, 1, 0, 0, 0])
  assert.deepEqual(await statusFor(DEVICE_ADV_CONTROL), [false, true, 0, 0, 0, 0])
  assert.deepEqual(await statusFor(CHANNEL_VIEW), [false, false, 0, 1, 1, 0])
  assert.deepEqual(await statusFor(INPUT_OUTPUT_VIEW), [false, false, 0, 0, 0, 1])
  assert.deepEqual(await statusFor(SYSTEM_CONFIG_VIEW), [true, true, 0, 0, 0, 0])
})

test('viewers of the settings see whether the invitation code is enabled, but not the code', async () => {
  await admin.send(setSettings, { security: { 'enable-code': true, 'code-value': '0165' } })
  const viewer = await addUser(hub, 'vera', SYSTEM_CONFIG_VIEW)
  assert.deepEqual((await viewer.send(getSettings, {})).settings.security, { 'enable-code': true })
  const editor = await addUser(hub, 'edna', SYSTEM_CONFIG_VIEW | SYSTEM_CONFIG_EDIT)
  assert.equal((await editor.send(getSettings, {})).settings.security?.['code-value'], '0165')
})

test('the defaults of devices’ connections are returned on request', async () => {
  const config = { input: { protocol: 2, 'stream-index': 0, latency: 300 } }
  hub.parts.store.settings.set('device-config', config)
  const admin = hub.clientAs()
  assert.deepEqual((await admin.send(systemStatus, { 'global-config': 1 })).status['global-config'], { device: config })
  assert.equal((await admin.send(systemStatus, {})).status['global-config'], undefined)
})

test.run()
