import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { REGISTRATION, WARNING } from '../../../contract/device/device.ts'
import { REFUSAL } from '../../../contract/device/link.ts'
import { createRegistry, type Observed, type Registry } from '../../../hub/devices/registry.ts'
import { openStore, type Store } from '../../../hub/store/store.ts'
import { helloOf } from '../../kit/device.ts'

const test = suite('registry')
const { sn } = helloOf(1)
let store: Store
let registry: Registry
let present: string[]
let time: number
test.before.each(() => {
  store = openStore(':memory:')
  present = []
  time = 1_000_000
  registry = create()
})
test.after.each(() => store.close())

const create = () => createRegistry(store, { presence: (serial) => present.push(serial) }, () => time)

/** A device that was let in and is online. */
function online(index = 1): string {
  const hello = helloOf(index)
  registry.hello(hello, '192.0.2.10')
  store.devices.setState(hello.sn, REGISTRATION.accepted)
  registry.up(hello.sn)
  return hello.sn
}

function row(serial = sn) {
  const found = store.devices.bySerial(serial)
  assert.ok(found)
  return found
}

/** How often each topic moves on while `work` is done. */
function bumps(work: () => void): { device: number; status: number } {
  const count = { device: 0, status: 0 }
  const stop = store.changes.listen((topic) => {
    if (topic === 'device' || topic === 'status') count[topic]++
  })
  work()
  stop()
  return count
}

const seen = (more: Partial<Observed> = {}): Observed => ({
  status: { 'cur-status': 4, cpu: [5], 'eth-rx': [7], eth: '10.0.0.1', 'up-time': 9, temperature: 40 },
  warns: 0,
  input: '1920x1080p60',
  ...more
})

const events = () => store.logs.list({ type: 'device' }, 0, 100).list.map(({ event, detail }) => [event, detail])

test('a stranger is pending and noted once, however often it dials in', () => {
  assert.deepEqual(registry.hello(helloOf(1), '192.0.2.10'), { state: REGISTRATION.pending })
  time += 5000
  assert.deepEqual(registry.hello(helloOf(1), '192.0.2.10'), { state: REGISTRATION.pending })
  assert.deepEqual(events(), [['device-registered', 'Hall 1 192.0.2.10']])
  assert.equal(row().apply_date, 1_000_000)
})

test('dialling in again with the same words is no change, with other words it is one', () => {
  registry.hello(helloOf(1), '192.0.2.10')
  assert.equal(bumps(() => registry.hello(helloOf(1), '192.0.2.10')).device, 0)
  assert.equal(bumps(() => registry.hello(helloOf(1, { 'firmware-ver': '2.0' }), '192.0.2.10')).device, 1)
  assert.equal(bumps(() => registry.hello(helloOf(1, { 'firmware-ver': '2.0' }), '192.0.2.11')).device, 1)
  assert.deepEqual([row().firmware_ver, row().connect_ip], ['2.0', '192.0.2.11'])
})

test('another key under a known serial is refused and noted, and changes nothing', () => {
  registry.hello(helloOf(1), '192.0.2.10')
  const before = row()
  const stranger = helloOf(1, { key: 'f'.repeat(64), name: 'Evil' })
  assert.deepEqual(registry.hello(stranger, '192.0.2.66'), { refuse: REFUSAL.exists })
  assert.deepEqual(row(), before)
  assert.deepEqual(events()[0], ['device-refused', `Evil 192.0.2.66 ${REFUSAL.exists}`])
})

test('the key itself is not stored', () => {
  registry.hello(helloOf(7), '192.0.2.10')
  assert.ok(!JSON.stringify(store.devices.all()).includes(helloOf(7).key))
})

test('the invitation code is asked of strangers and of those who wait, not of those who were accepted', () => {
  online(1)
  registry.hello(helloOf(2), '192.0.2.10')
  store.settings.set('security', { 'enable-code': true, 'code-value': '0165' })
  assert.deepEqual(registry.hello(helloOf(1), 'x'), { state: REGISTRATION.accepted })
  assert.deepEqual(registry.hello(helloOf(2), 'x'), { refuse: REFUSAL.wrongCode })
  assert.deepEqual(registry.hello(helloOf(3, { code: '' }), 'x'), { refuse: REFUSAL.wrongCode })
  assert.deepEqual(registry.hello(helloOf(3, { code: '0165' }), 'x'), { state: REGISTRATION.pending })
})

test('ten thousand may wait; the next is sent away, and somebody known is not', () => {
  store.database.transaction(() => {
    for (let n = 0; n < 10_000; n++) store.devices.add(helloOf(n, { sn: `X${n}` }), 'x', REGISTRATION.pending, 'x', 0)
  })
  assert.deepEqual(registry.hello(helloOf(1), 'x'), { refuse: REFUSAL.illegalDevice })
  store.devices.setState('X5', REGISTRATION.accepted)
  assert.deepEqual(registry.hello(helloOf(1), 'x'), { state: REGISTRATION.pending })
})

test('a device whose registration could not be kept is a stranger again', () => {
  const errors = console.error
  console.error = () => {}
  try {
    registry.hello(helloOf(1), 'x')
    registry.up(sn)
    assert.deepEqual(registry.strangers(), [])
    store.database.soon(() => {
      store.database.run('PRAGMA defer_foreign_keys=ON')
      store.database.run("INSERT INTO input (id, name, protocol, url) VALUES (7, 'x', 1, '')")
    })
    store.database.transaction(() => {})
    assert.deepEqual(registry.strangers(), [sn])
  } finally {
    console.error = errors
  }
})

test('coming and going bumps the lists and the counts, tells of the presence, and is noted of accepted ones only', () => {
  online(1)
  registry.hello(helloOf(2), '192.0.2.10')
  const pending = helloOf(2).sn
  assert.deepEqual(
    bumps(() => registry.up(pending)),
    { device: 1, status: 1 }
  )
  assert.deepEqual(
    bumps(() => registry.down(pending, 'test')),
    { device: 1, status: 1 }
  )
  assert.deepEqual(
    bumps(() => registry.down(sn, 'no answer for 2.5 s')),
    { device: 1, status: 1 }
  )
  assert.deepEqual(present, [sn, pending, pending, sn])
  assert.deepEqual(
    events().filter(([event]) => /online|offline/.test(event ?? '')),
    [
      ['device-offline', 'Hall 1: no answer for 2.5 s'],
      ['device-online', 'Hall 1']
    ]
  )
  assert.deepEqual(
    bumps(() => registry.up('nothing')),
    { device: 0, status: 0 }
  )
})

test('since when it is online or offline is told, and an offline date outlives a restart', () => {
  online(1)
  online(2)
  assert.deepEqual([registry.wire(row(), [])['online-date'], registry.wire(row(), [])['offline-date']], [1_000_000, 0])
  time = 2_000_000
  registry.down(sn, 'test')
  const wire = registry.wire(row(), [])
  assert.deepEqual([wire['online-date'], wire['offline-date']], [0, 2_000_000])
  time = 3_000_000
  registry = create()
  assert.equal(registry.wire(row(), [])['offline-date'], 2_000_000)
  assert.equal(registry.wire(row(helloOf(2).sn), [])['offline-date'], 3_000_000, 'was online until nobody looked')
  time = 4_000_000
  registry = create()
  assert.equal(registry.wire(row(helloOf(2).sn), [])['offline-date'], 3_000_000)
})

test('only what lists show is a change: samples, up time and temperature are none', () => {
  online()
  assert.equal(bumps(() => registry.observed(sn, seen())).device, 1)
  const { status } = seen()
  const same = { ...status, cpu: [5, 6, 7], 'eth-rx': [1], 'eth-tx': [2], 'up-time': 11, temperature: 90 }
  assert.deepEqual(
    bumps(() => registry.observed(sn, seen({ status: same }))),
    { device: 0, status: 0 }
  )
  assert.deepEqual(registry.wire(row(), []).status, same, 'but they are kept')
  const { cpu: _cpu, 'eth-rx': _rx, 'eth-tx': _tx, ...list } = same
  assert.deepEqual(registry.wire(row(), [], false).status, list, 'lists go without samples')
  for (const more of [
    { input: '1280x720p50' },
    { input: undefined },
    { status: { ...status, 'cur-status': 6 } },
    { status: { ...status, eth: '10.0.0.2' } },
    { status: { ...status, wifi: '10.0.1.2' } }
  ]) {
    assert.equal(bumps(() => registry.observed(sn, seen(more))).device, 1, JSON.stringify(more))
    registry.observed(sn, seen())
  }
})

test('since when it runs is told, and is another time only when it has started anew', () => {
  online()
  const at = (upTime: number | undefined, later: number) => {
    time += later
    const { status } = seen()
    return bumps(() => registry.observed(sn, seen({ status: { ...status, 'up-time': upTime as number } }))).device
  }
  const started = () => registry.wire(row(), [])['start-date']
  assert.equal(at(100, 0), 1)
  assert.equal(started(), time - 100_000)
  const first = started()
  assert.equal(at(102, 2000), 0)
  assert.equal(at(103, 2000), 0, 'a slow answer')
  assert.equal(started(), first)
  assert.equal(at(1, 60_000), 1)
  assert.equal(started(), time - 1000)
  assert.equal(at(undefined, 2000), 1)
  assert.equal(started(), undefined)
})

test('a name that was changed at the device is taken over', () => {
  online()
  assert.equal(bumps(() => registry.observed(sn, seen({ name: 'Hall 1' }))).device, 1, 'the first word of it')
  assert.equal(bumps(() => registry.observed(sn, seen({ name: 'Hall 1' }))).device, 0)
  assert.equal(bumps(() => registry.observed(sn, seen({ name: 'Foyer' }))).device, 1)
  assert.equal(row().name, 'Foyer')
  assert.equal(bumps(() => registry.observed(sn, seen({ name: '' }))).device, 0)
  assert.equal(row().name, 'Foyer')
})

test('a warning is noted once when it comes and once when it goes, and counted in between', () => {
  online()
  const before = events().length
  const noted = () => events().slice(0, -before).reverse()
  for (let n = 0; n < 3; n++) registry.observed(sn, seen({ warns: WARNING.noSignal }))
  assert.deepEqual(noted(), [['signal-lost', 'Hall 1']])
  assert.equal(registry.counts()['num-warn'], 1)
  const both = WARNING.noSignal | WARNING.storageFull
  assert.deepEqual(
    bumps(() => registry.observed(sn, seen({ warns: both }))),
    { device: 1, status: 1 }
  )
  registry.observed(sn, seen({ warns: WARNING.storageFull }))
  assert.deepEqual(
    bumps(() => registry.observed(sn, seen())),
    { device: 1, status: 1 }
  )
  assert.deepEqual(noted(), [
    ['signal-lost', 'Hall 1'],
    ['warning-raised', 'Hall 1 storageFull'],
    ['signal-found', 'Hall 1'],
    ['warning-cleared', 'Hall 1 storageFull']
  ])
  assert.equal(registry.counts()['num-warn'], 0)
})

test('what was seen of a device is forgotten when it goes; what comes late of it is passed over', () => {
  online()
  registry.observed(sn, seen({ warns: WARNING.noSignal }))
  registry.down(sn, 'test')
  const wire = registry.wire(row(), [])
  assert.deepEqual([wire['dev-warns'], wire.status, wire['pro-feature']], [0, undefined, undefined])
  assert.equal(registry.counts()['num-warn'], 0)
  assert.deepEqual(
    bumps(() => registry.observed(sn, seen())),
    { device: 0, status: 0 }
  )
  assert.equal(registry.live(sn), undefined)
})

test('only an accepted device shows a picture and what it says of itself', () => {
  registry.hello(helloOf(1), 'x')
  registry.up(sn)
  registry.observed(sn, seen({ warns: WARNING.noSignal }))
  const pending = registry.wire(row(), [])
  assert.deepEqual([pending['preview-id'], pending.status, pending['dev-warns']], [undefined, undefined, 0])
  store.devices.setState(sn, REGISTRATION.accepted)
  assert.equal(registry.wire(row(), [])['preview-id'], `DEV-${sn}`)
  registry.hello(helloOf(1, { preview: false }), 'x')
  assert.equal(registry.wire(row(), [])['preview-id'], undefined)
})

test('the counts are of accepted devices, but for those that wait and those that were rejected', () => {
  online(1)
  online(2)
  registry.down(helloOf(2).sn, 'test')
  for (const index of [3, 4, 5]) registry.hello(helloOf(index), 'x')
  registry.up(helloOf(3).sn)
  store.devices.setState(helloOf(5).sn, REGISTRATION.rejected)
  assert.deepEqual(registry.counts(), {
    'num-all': 2,
    'num-online': 1,
    'num-warn': 0,
    'num-pending': 2,
    'num-rejected': 1
  })
})

test('the answer of a device holds no key and no hash', () => {
  online()
  assert.ok(!JSON.stringify(registry.wire(row(), [])).includes(row().key_hash))
})

test.run()
