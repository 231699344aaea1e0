import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { REFUSAL_STATE } from '../../../contract/device/link.ts'
import { DEVICE_WARNING_BITS } from '../../../contract/device/status.ts'
import type { Observation } from '../../../hub/devices/adapters/adapter.ts'
import { Registry } from '../../../hub/devices/registry.ts'
import { openStore, type Store } from '../../../hub/store/store.ts'
import { recordProcessLog } from '../../kit/hub/process-log.ts'
import { helloOf } from '../../kit/hub/register-devices.ts'

const test = suite('registry')
const { sn } = helloOf(1)
let store: Store
let registry: Registry
/** Serial numbers passed to `onPresenceChanged`. */
let presenceChanges: string[]
let time: number
test.before.each(() => {
  store = openStore(':memory:')
  presenceChanges = []
  time = 1_000_000
  registry = create()
})
test.after.each(() => store.close())

function create(): Registry {
  const created = new Registry(store, () => time)
  created.stateChanged.on((serial) => presenceChanges.push(serial))
  return created
}

/** Registers and accepts a device and sets it online. @returns its serial number */
function addOnlineDevice(index = 1): string {
  const hello = helloOf(index)
  registry.register(hello, '192.0.2.10')
  store.devices.setRegistrationState(hello.sn, REGISTRATION_STATE.accepted)
  registry.setOnline(hello.sn)
  return hello.sn
}

function row(serial = sn) {
  const device = store.devices.bySerial(serial)
  assert.ok(device)
  return device
}

/** How often `work` marks each topic as changed. */
function countChanges(work: () => void): { device: number; status: number } {
  const count = { device: 0, status: 0 }
  const stop = store.changes.subscribe((topic) => {
    if (topic === 'device' || topic === 'status') count[topic]++
  })
  work()
  stop()
  return count
}

const createObservation = (overrides: Partial<Observation> = {}): Observation => ({
  status: { 'cur-status': 4, cpu: [5], 'eth-rx': [7], eth: '10.0.0.1', 'up-time': 9, temperature: 40 },
  warns: 0,
  input: '1920x1080p60',
  ...overrides
})

const deviceLog = () => store.logs.list({ type: 'device' }, 0, 100).list.map(({ event, detail }) => [event, detail])

test('an unknown device is pending, and is logged once even if it registers several times', () => {
  assert.deepEqual(registry.register(helloOf(1), '192.0.2.10'), { state: REGISTRATION_STATE.pending })
  time += 5000
  assert.deepEqual(registry.register(helloOf(1), '192.0.2.10'), { state: REGISTRATION_STATE.pending })
  assert.deepEqual(deviceLog(), [['device-registered', 'Hall 1 192.0.2.10']])
  assert.equal(row().apply_date, 1_000_000)
})

test('registering again marks the device as changed only if its data is different', () => {
  registry.register(helloOf(1), '192.0.2.10')
  assert.equal(countChanges(() => registry.register(helloOf(1), '192.0.2.10')).device, 0)
  assert.equal(countChanges(() => registry.register(helloOf(1, { 'firmware-ver': '2.0' }), '192.0.2.10')).device, 1)
  assert.equal(countChanges(() => registry.register(helloOf(1, { 'firmware-ver': '2.0' }), '192.0.2.11')).device, 1)
  assert.deepEqual([row().firmware_ver, row().connect_ip], ['2.0', '192.0.2.11'])
})

test('another key with a known serial number is refused and logged, and changes nothing', () => {
  registry.register(helloOf(1), '192.0.2.10')
  const before = row()
  const impostor = helloOf(1, { key: 'f'.repeat(64), name: 'Evil' })
  assert.deepEqual(registry.register(impostor, '192.0.2.66'), { refuse: REFUSAL_STATE.exists })
  assert.deepEqual(row(), before)
  assert.deepEqual(deviceLog()[0], ['device-refused', `Evil 192.0.2.66 ${REFUSAL_STATE.exists}`])
})

test('the database does not contain the key', () => {
  registry.register(helloOf(7), '192.0.2.10')
  assert.ok(!JSON.stringify(store.devices.all()).includes(helloOf(7).key))
})

test('the invitation code is required of unknown and pending devices, not of accepted ones', () => {
  addOnlineDevice(1)
  registry.register(helloOf(2), '192.0.2.10')
  store.settings.set('security', { 'enable-code': true, 'code-value': '0165' })
  assert.deepEqual(registry.register(helloOf(1), 'x'), { state: REGISTRATION_STATE.accepted })
  assert.deepEqual(registry.register(helloOf(2), 'x'), { refuse: REFUSAL_STATE.wrongCode })
  assert.deepEqual(registry.register(helloOf(3, { code: '' }), 'x'), { refuse: REFUSAL_STATE.wrongCode })
  assert.deepEqual(registry.register(helloOf(3, { code: '0165' }), 'x'), { state: REGISTRATION_STATE.pending })
})

test('a device whose registration could not be stored is listed as unregistered', async () => {
  await recordProcessLog(async () => {
    registry.register(helloOf(1), 'x')
    registry.setOnline(sn)
    assert.deepEqual(registry.unregisteredSerials(), [])
    store.database.runBatched(() => {
      store.database.run('PRAGMA defer_foreign_keys=ON')
      store.database.run("INSERT INTO input (id, name, protocol, url) VALUES (7, 'x', 1, '')")
    })
    store.database.transaction(() => {})
    assert.deepEqual(registry.unregisteredSerials(), [sn])
  })
})

test('going online or offline marks lists and counts as changed and reports the presence; it is logged for accepted devices only', () => {
  addOnlineDevice(1)
  registry.register(helloOf(2), '192.0.2.10')
  const pending = helloOf(2).sn
  assert.deepEqual(
    countChanges(() => registry.setOnline(pending)),
    { device: 1, status: 1 }
  )
  assert.deepEqual(
    countChanges(() => registry.setOffline(pending, 'test')),
    { device: 1, status: 1 }
  )
  assert.deepEqual(
    countChanges(() => registry.setOffline(sn, 'no response for 2.5 s')),
    { device: 1, status: 1 }
  )
  assert.deepEqual(presenceChanges, [sn, pending, pending, sn])
  assert.deepEqual(
    deviceLog().filter(([event]) => /online|offline/.test(event ?? '')),
    [
      ['device-offline', 'Hall 1: no response for 2.5 s'],
      ['device-online', 'Hall 1']
    ]
  )
  assert.deepEqual(
    countChanges(() => registry.setOnline('nothing')),
    { device: 0, status: 0 }
  )
})

test('responses include the online and offline dates, and the offline date survives a restart of the hub', () => {
  addOnlineDevice(1)
  addOnlineDevice(2)
  assert.deepEqual(
    [registry.toWire(row(), [])['online-date'], registry.toWire(row(), [])['offline-date']],
    [1_000_000, 0]
  )
  time = 2_000_000
  registry.setOffline(sn, 'test')
  const wire = registry.toWire(row(), [])
  assert.deepEqual([wire['online-date'], wire['offline-date']], [0, 2_000_000])
  time = 3_000_000
  registry = create()
  assert.equal(registry.toWire(row(), [])['offline-date'], 2_000_000)
  assert.equal(registry.toWire(row(helloOf(2).sn), [])['offline-date'], 3_000_000, 'it was online when the hub stopped')
  time = 4_000_000
  registry = create()
  assert.equal(registry.toWire(row(helloOf(2).sn), [])['offline-date'], 3_000_000)
})

test('only values in lists mark a device as changed: samples, uptime and temperature do not', () => {
  addOnlineDevice()
  assert.equal(countChanges(() => registry.setObservation(sn, createObservation())).device, 1)
  const { status } = createObservation()
  const unchangedStatus = { ...status, cpu: [5, 6, 7], 'eth-rx': [1], 'eth-tx': [2], 'up-time': 11, temperature: 90 }
  assert.deepEqual(
    countChanges(() => registry.setObservation(sn, createObservation({ status: unchangedStatus }))),
    { device: 0, status: 0 }
  )
  assert.deepEqual(registry.toWire(row(), []).status, unchangedStatus, 'samples are kept')
  const { cpu: _cpu, 'eth-rx': _rx, 'eth-tx': _tx, ...list } = unchangedStatus
  assert.deepEqual(registry.toWire(row(), [], false).status, list, 'lists do not include samples')
  for (const overrides of [
    { input: '1280x720p50' },
    { input: undefined },
    { status: { ...status, 'cur-status': 6 } },
    { status: { ...status, eth: '10.0.0.2' } },
    { status: { ...status, wifi: '10.0.1.2' } }
  ]) {
    assert.equal(
      countChanges(() => registry.setObservation(sn, createObservation(overrides))).device,
      1,
      JSON.stringify(overrides)
    )
    registry.setObservation(sn, createObservation())
  }
})

test('the start date is derived from the uptime, and changes only when the device restarts', () => {
  addOnlineDevice()
  const observeUptime = (upTime: number | undefined, later: number) => {
    time += later
    const { status } = createObservation()
    return countChanges(() =>
      registry.setObservation(sn, createObservation({ status: { ...status, 'up-time': upTime as number } }))
    ).device
  }
  const started = () => registry.toWire(row(), [])['start-date']
  assert.equal(observeUptime(100, 0), 1)
  assert.equal(started(), time - 100_000)
  const first = started()
  assert.equal(observeUptime(102, 2000), 0)
  assert.equal(observeUptime(103, 2000), 0, 'a slow response')
  assert.equal(started(), first)
  assert.equal(observeUptime(1, 60_000), 1)
  assert.equal(started(), time - 1000)
  assert.equal(observeUptime(undefined, 2000), 1)
  assert.equal(started(), undefined)
})

test('a name that was changed on the device is adopted', () => {
  addOnlineDevice()
  assert.equal(
    countChanges(() => registry.setObservation(sn, createObservation({ name: 'Hall 1' }))).device,
    1,
    'the first observation'
  )
  assert.equal(countChanges(() => registry.setObservation(sn, createObservation({ name: 'Hall 1' }))).device, 0)
  assert.equal(countChanges(() => registry.setObservation(sn, createObservation({ name: 'Foyer' }))).device, 1)
  assert.equal(row().name, 'Foyer')
  assert.equal(countChanges(() => registry.setObservation(sn, createObservation({ name: '' }))).device, 0)
  assert.equal(row().name, 'Foyer')
})

test('a warning is logged once when it is raised and once when it is cleared, and counted in between', () => {
  addOnlineDevice()
  const before = deviceLog().length
  const newEntries = () => deviceLog().slice(0, -before).reverse()
  for (let n = 0; n < 3; n++) registry.setObservation(sn, createObservation({ warns: DEVICE_WARNING_BITS.noSignal }))
  assert.deepEqual(newEntries(), [['signal-lost', 'Hall 1']])
  assert.equal(registry.countDevices()['num-warn'], 1)
  const bothWarnings = DEVICE_WARNING_BITS.noSignal | DEVICE_WARNING_BITS.storageFull
  assert.deepEqual(
    countChanges(() => registry.setObservation(sn, createObservation({ warns: bothWarnings }))),
    { device: 1, status: 1 }
  )
  registry.setObservation(sn, createObservation({ warns: DEVICE_WARNING_BITS.storageFull }))
  assert.deepEqual(
    countChanges(() => registry.setObservation(sn, createObservation())),
    { device: 1, status: 1 }
  )
  assert.deepEqual(newEntries(), [
    ['signal-lost', 'Hall 1'],
    ['warning-raised', 'Hall 1 storageFull'],
    ['signal-found', 'Hall 1'],
    ['warning-cleared', 'Hall 1 storageFull']
  ])
  assert.equal(registry.countDevices()['num-warn'], 0)
})

test('the observation of a device is dropped when the device disconnects, and a late observation is ignored', () => {
  addOnlineDevice()
  registry.setObservation(sn, createObservation({ warns: DEVICE_WARNING_BITS.noSignal }))
  registry.setOffline(sn, 'test')
  const wire = registry.toWire(row(), [])
  assert.deepEqual([wire['dev-warns'], wire.status, wire['pro-feature']], [0, undefined, undefined])
  assert.equal(registry.countDevices()['num-warn'], 0)
  assert.deepEqual(
    countChanges(() => registry.setObservation(sn, createObservation())),
    { device: 0, status: 0 }
  )
  assert.equal(registry.liveState(sn), undefined)
})

test('only an accepted device has a preview, a status and warnings', () => {
  registry.register(helloOf(1), 'x')
  registry.setOnline(sn)
  registry.setObservation(sn, createObservation({ warns: DEVICE_WARNING_BITS.noSignal }))
  const pending = registry.toWire(row(), [])
  assert.deepEqual([pending['preview-id'], pending.status, pending['dev-warns']], [undefined, undefined, 0])
  store.devices.setRegistrationState(sn, REGISTRATION_STATE.accepted)
  assert.equal(registry.toWire(row(), [])['preview-id'], `DEV-${sn}`)
  registry.register(helloOf(1, { preview: false }), 'x')
  assert.equal(registry.toWire(row(), [])['preview-id'], undefined)
})

test('counts include accepted devices only, apart from the numbers of pending and rejected devices', () => {
  addOnlineDevice(1)
  addOnlineDevice(2)
  registry.setOffline(helloOf(2).sn, 'test')
  for (const index of [3, 4, 5]) registry.register(helloOf(index), 'x')
  registry.setOnline(helloOf(3).sn)
  store.devices.setRegistrationState(helloOf(5).sn, REGISTRATION_STATE.rejected)
  assert.deepEqual(registry.countDevices(), {
    'num-all': 2,
    'num-online': 1,
    'num-warn': 0,
    'num-pending': 2,
    'num-rejected': 1
  })
})

test('a response contains neither the key of a device nor its hash', () => {
  addOnlineDevice()
  assert.ok(!JSON.stringify(registry.toWire(row(), [])).includes(row().key_hash))
})

test.run()
