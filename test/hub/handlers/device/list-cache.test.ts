import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { type DeviceListRequest, REGISTRATION } from '../../../../contract/device/device.ts'
import { createDeviceLists } from '../../../../hub/handlers/device/list-cache.ts'
import { byText } from '../../../../hub/handlers/list.ts'
import type { DeviceRow } from '../../../../hub/store/devices.ts'
import { openStore, type Store } from '../../../../hub/store/store.ts'
import { helloOf } from '../../../kit/device.ts'

const test = suite('device lists')
const COUNT = 300
let store: Store
let list: ReturnType<typeof createDeviceLists>
let live: Map<string, { since: number; observed?: { status: object; warns: number } }>

test.before.each(() => {
  store = openStore(':memory:')
  live = new Map()
  list = createDeviceLists(store, { online: (sn) => live.has(sn), live: (sn) => live.get(sn) })
  store.database.transaction(() => {
    for (let index = 0; index < COUNT; index++) {
      const hello = helloOf(index, {
        name: `Room ${(index * 37) % 100}`,
        module: 1 + (index % 3),
        'module-name': `Model ${index % 7}`,
        'firmware-ver': `1.${index % 12}`
      })
      store.devices.add(hello, 'x', REGISTRATION.accepted, `10.0.0.${index % 20}`, index % 50)
      if (index % 4) live.set(hello.sn, { since: 1, observed: { status: {}, warns: index % 5 ? 0 : 1 } })
    }
  })
})
test.after.each(() => store.close())

const online = (row: DeviceRow) => (live.has(row.sn) ? 0 : 1)
const usual = (a: DeviceRow, b: DeviceRow) => online(a) - online(b) || b.apply_date - a.apply_date || byText(a.sn, b.sn)
const CHOSEN: Record<NonNullable<DeviceListRequest['sort']>, (a: DeviceRow, b: DeviceRow) => number> = {
  'online-state': (a, b) => online(a) - online(b),
  sn: (a, b) => byText(a.sn, b.sn),
  name: (a, b) => byText(a.name, b.name),
  time: (a, b) => a.apply_date - b.apply_date,
  module: (a, b) => a.module - b.module || byText(a.module_name, b.module_name),
  'connect-ip': (a, b) => byText(a.connect_ip, b.connect_ip),
  'firmware-ver': (a, b) => byText(a.firmware_ver, b.firmware_ver)
}

/** The same, compared as the reference words it. */
function expected({ sort, order }: DeviceListRequest): string[] {
  const sign = order === 'descending' ? -1 : 1
  return store.devices
    .all()
    .toSorted((a, b) => (sort ? sign * CHOSEN[sort](a, b) : 0) || usual(a, b))
    .map(({ sn }) => sn)
}

const serials = (request: DeviceListRequest) => list(request, 1).map(({ sn }) => sn)

test('each order is the one of the reference, ties in the usual one, also after devices changed', () => {
  const requests: DeviceListRequest[] = [{}]
  for (const sort of Object.keys(CHOSEN) as (keyof typeof CHOSEN)[])
    requests.push({ sort }, { sort, order: 'descending' })
  const check = (when: string) => {
    for (const request of requests) assert.deepEqual(serials(request), expected(request), `${when} ${request.sort}`)
  }
  check('at first')
  const bumped = store.devices.all()[20]
  live.delete(bumped?.sn ?? '')
  store.changes.bump('device', bumped?.id)
  check('after one went')
  const [first, second] = store.devices.all()
  store.devices.setName(first?.sn ?? '', 'Zzz')
  store.devices.remove(second?.id ?? 0)
  store.devices.add(helloOf(7000), 'x', REGISTRATION.accepted, '10.0.0.3', 7)
  for (const sn of [...live.keys()].slice(0, 40)) live.delete(sn)
  store.changes.reset('device')
  check('afterwards')
})

test('after a few changes a list is what it would be if it were made anew', () => {
  const requests: DeviceListRequest[] = [{}, { sort: 'name', key: 'room 1' }, { sort: 'time', status: 'online' }]
  const ids = (one: typeof list, request: DeviceListRequest) => one(request, 1).map(({ id }) => id)
  for (let turn = 0; turn < 60; turn++) {
    const rows = store.devices.all()
    const row = rows[(turn * 31) % rows.length] as DeviceRow
    if (turn % 3 === 0) store.devices.setName(row.sn, `Room ${turn % 13}`)
    if (turn % 3 === 1 && !live.delete(row.sn)) live.set(row.sn, { since: 1 })
    if (turn % 3 === 1) store.changes.bump('device', row.id)
    if (turn % 7 === 0) store.devices.remove(row.id)
    if (turn % 7 === 1) store.devices.add(helloOf(5000 + turn), 'x', REGISTRATION.accepted, 'x', turn)
    const anew = createDeviceLists(store, { online: (sn) => live.has(sn), live: (sn) => live.get(sn) })
    for (const request of requests) assert.deepEqual(ids(list, request), ids(anew, request), `turn ${turn}`)
  }
})

test('a list is made once for all who ask, and anew when a device changed', () => {
  const rows = list({ key: 'room' }, 1)
  assert.equal(list({ key: 'room' }, 2), rows)
  assert.notEqual(list({ key: 'room 1' }, 1), rows)
  const [first] = rows
  live.delete(first?.sn ?? '')
  store.changes.bump('device', first?.id)
  assert.notEqual(list({ key: 'room' }, 1), rows, 'what is known of it now')
  const again = list({ key: 'room' }, 1)
  store.database.run('UPDATE device SET name = ? WHERE id = ?', 'Cellar', first?.id ?? 0)
  assert.equal(list({ key: 'room' }, 1).length, again.length - 1, 'what is kept of it')
})

test('favourites are those of who asks', () => {
  const [first, second] = store.devices.all()
  store.devices.setFavorite(first?.id ?? 0, 1, true)
  store.devices.setFavorite(second?.id ?? 0, 2, true)
  const ids = (user: number) => list({ 'is-favorite': 1 }, user).map(({ id }) => id)
  assert.deepEqual([ids(1), ids(2), ids(4)], [[first?.id], [second?.id], []])
})

test('words of a state widen the list, and a warning of a device that is away is none', () => {
  const count = (status: string) => list({ status }, 1).length
  const [all, warned] = [[...live.values()], [...live.values()].filter(({ observed }) => observed?.warns)]
  assert.deepEqual([count('online'), count('offline')], [all.length, COUNT - all.length])
  assert.deepEqual(
    [count('warns'), count('dev-warns'), count('offline,warns')],
    [warned.length, warned.length, COUNT - all.length + warned.length]
  )
})

test('more lists than are kept are all answered', () => {
  for (let round = 0; round < 2; round++)
    for (let index = 0; index < 100; index++)
      assert.equal(list({ key: `room ${index}` }, 1).length > 0, true, `room ${index}`)
})

test('a firmware lists the devices that it is for', () => {
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
