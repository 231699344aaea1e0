import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { type DeviceListRequest, REGISTRATION_STATE } from '../../../../contract/device/device.ts'
import { createDeviceListCache } from '../../../../hub/handlers/device/list-cache.ts'
import { compareText } from '../../../../hub/handlers/list.ts'
import type { DeviceRow } from '../../../../hub/store/devices.ts'
import { openStore, type Store } from '../../../../hub/store/store.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'

const test = suite('device lists')
const COUNT = 300
let store: Store
let list: ReturnType<typeof createDeviceListCache>
let live: Map<string, { onlineSince: number; observation?: { status: object; warns: number } }>

test.before.each(() => {
  store = openStore(':memory:')
  live = new Map()
  list = createDeviceListCache(store, { isOnline: (sn) => live.has(sn), liveState: (sn) => live.get(sn) })
  store.database.transaction(() => {
    for (let index = 0; index < COUNT; index++) {
      const hello = helloOf(index, {
        name: `Room ${(index * 37) % 100}`,
        module: 1 + (index % 3),
        'module-name': `Model ${index % 7}`,
        'firmware-ver': `1.${index % 12}`
      })
      store.devices.add(hello, 'x', REGISTRATION_STATE.accepted, `10.0.0.${index % 20}`, index % 50)
      if (index % 4) live.set(hello.sn, { onlineSince: 1, observation: { status: {}, warns: index % 5 ? 0 : 1 } })
    }
  })
})
test.after.each(() => store.close())

const online = (row: DeviceRow) => (live.has(row.sn) ? 0 : 1)
const defaultOrder = (a: DeviceRow, b: DeviceRow) =>
  online(a) - online(b) || b.apply_date - a.apply_date || compareText(a.sn, b.sn)
const COMPARATORS: Record<NonNullable<DeviceListRequest['sort']>, (a: DeviceRow, b: DeviceRow) => number> = {
  'online-state': (a, b) => online(a) - online(b),
  sn: (a, b) => compareText(a.sn, b.sn),
  name: (a, b) => compareText(a.name, b.name),
  time: (a, b) => a.apply_date - b.apply_date,
  module: (a, b) => a.module - b.module || compareText(a.module_name, b.module_name),
  'connect-ip': (a, b) => compareText(a.connect_ip, b.connect_ip),
  'firmware-ver': (a, b) => compareText(a.firmware_ver, b.firmware_ver)
}

/** The expected order, computed by sorting with comparators. */
function expected({ sort, order }: DeviceListRequest): string[] {
  const sign = order === 'descending' ? -1 : 1
  return store.devices
    .all()
    .toSorted((a, b) => (sort ? sign * COMPARATORS[sort](a, b) : 0) || defaultOrder(a, b))
    .map(({ sn }) => sn)
}

const serials = (request: DeviceListRequest) => list(request, 1).map(({ sn }) => sn)

test('each order is as documented, with ties in the default order, also after devices have changed', () => {
  const requests: DeviceListRequest[] = [{}]
  for (const sort of Object.keys(COMPARATORS) as (keyof typeof COMPARATORS)[])
    requests.push({ sort }, { sort, order: 'descending' })
  const check = (when: string) => {
    for (const request of requests) assert.deepEqual(serials(request), expected(request), `${when} ${request.sort}`)
  }
  check('at first')
  const changedDevice = store.devices.all()[20]
  live.delete(changedDevice?.sn ?? '')
  store.changes.markChanged('device', changedDevice?.id)
  check('after one device went offline')
  const [first, second] = store.devices.all()
  store.devices.setName(first?.sn ?? '', 'Zzz')
  store.devices.remove(second?.id ?? 0)
  store.devices.add(helloOf(7000), 'x', REGISTRATION_STATE.accepted, '10.0.0.3', 7)
  for (const sn of [...live.keys()].slice(0, 40)) live.delete(sn)
  store.changes.resetTopic('device')
  check('after many changes')
})

test('after a few changes an updated list equals a list that is built again', () => {
  const requests: DeviceListRequest[] = [{}, { sort: 'name', key: 'room 1' }, { sort: 'time', status: 'online' }]
  const ids = (listDevices: typeof list, request: DeviceListRequest) => listDevices(request, 1).map(({ id }) => id)
  for (let round = 0; round < 60; round++) {
    const rows = store.devices.all()
    const row = rows[(round * 31) % rows.length] as DeviceRow
    if (round % 3 === 0) store.devices.setName(row.sn, `Room ${round % 13}`)
    if (round % 3 === 1 && !live.delete(row.sn)) live.set(row.sn, { onlineSince: 1 })
    if (round % 3 === 1) store.changes.markChanged('device', row.id)
    if (round % 7 === 0) store.devices.remove(row.id)
    if (round % 7 === 1) store.devices.add(helloOf(5000 + round), 'x', REGISTRATION_STATE.accepted, 'x', round)
    const newCache = createDeviceListCache(store, { isOnline: (sn) => live.has(sn), liveState: (sn) => live.get(sn) })
    for (const request of requests) assert.deepEqual(ids(list, request), ids(newCache, request), `turn ${round}`)
  }
})

test('a list is built once for all callers, and again when a device changes', () => {
  const rows = list({ key: 'room' }, 1)
  assert.equal(list({ key: 'room' }, 2), rows)
  assert.notEqual(list({ key: 'room 1' }, 1), rows)
  const [first] = rows
  live.delete(first?.sn ?? '')
  store.changes.markChanged('device', first?.id)
  assert.notEqual(list({ key: 'room' }, 1), rows, 'after a change of the live state')
  const secondList = list({ key: 'room' }, 1)
  store.database.run('UPDATE device SET name = ? WHERE id = ?', 'Cellar', first?.id ?? 0)
  assert.equal(list({ key: 'room' }, 1).length, secondList.length - 1, 'after a change of the stored device')
})

test('favorites are those of the user who requests the list', () => {
  const [first, second] = store.devices.all()
  store.devices.setFavorite(first?.id ?? 0, 1, true)
  store.devices.setFavorite(second?.id ?? 0, 2, true)
  const ids = (user: number) => list({ 'is-favorite': 1 }, user).map(({ id }) => id)
  assert.deepEqual([ids(1), ids(2), ids(4)], [[first?.id], [second?.id], []])
})

test('several statuses select devices with any of them, and an offline device has no warnings', () => {
  const count = (status: string) => list({ status }, 1).length
  const [all, warned] = [[...live.values()], [...live.values()].filter(({ observation }) => observation?.warns)]
  assert.deepEqual([count('online'), count('offline')], [all.length, COUNT - all.length])
  assert.deepEqual(
    [count('warns'), count('dev-warns'), count('offline,warns')],
    [warned.length, warned.length, COUNT - all.length + warned.length]
  )
})

test('more lists than the cache holds are all returned correctly', () => {
  for (let round = 0; round < 2; round++)
    for (let index = 0; index < 100; index++)
      assert.equal(list({ key: `room ${index}` }, 1).length > 0, true, `room ${index}`)
})

test('a firmware selects the devices that it fits', () => {
  const info = {
    ...{ 'product-id': 0, 'product-name': 'model 3', 'firmware-id': 0, 'build-time': 0, 'hardware-ver': 'A' },
    ...{ 'marjor-ver': 2, 'minor-ver': 0, 'build-number': 1 }
  }
  const add = (name: string, more: Partial<typeof info>) =>
    store.database.transaction(() =>
      store.firmware.add({ file: name, name, info: { ...info, ...more }, size: 1, sha256: name }, 0)
    )
  const names = (firmware: number) => new Set(list({ firmware }, 1).map((row) => row.module_name))
  assert.deepEqual(names(add('by-name.mwf', {})), new Set(['Model 3']))
  assert.equal(list({ firmware: add('by-id.mwf', { 'product-id': 787, 'marjor-ver': 3 }) }, 1).length, COUNT)
  assert.equal(list({ firmware: add('other.mwf', { 'product-id': 787, 'hardware-ver': 'B' }) }, 1).length, 0)
  assert.equal(list({ firmware: 999 }, 1).length, 0)
})

test.run()
