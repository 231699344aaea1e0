import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { REGISTRATION } from '../../../contract/device/device.ts'
import { openStore, type Store } from '../../../hub/store/store.ts'
import { helloOf } from '../../kit/device.ts'

const test = suite('device rows')
let store: Store
test.before.each(() => {
  store = openStore(':memory:')
  for (const index of [1, 2, 3]) store.devices.add(helloOf(index), 'x', REGISTRATION.pending, 'x', index)
})
test.after.each(() => store.close())

const names = () => store.devices.all().map(({ name }) => name)
const [one, two] = [helloOf(1).sn, helloOf(2).sn]

/** What is held is what the database says. */
function assertTrue(): void {
  const rows = store.database.all<{ id: number; sn: string }>('SELECT * FROM device ORDER BY id')
  assert.deepEqual(store.devices.all(), rows)
  for (const row of rows) {
    assert.deepEqual(store.devices.bySerial(row.sn), row)
    assert.deepEqual(store.devices.byId(row.id), row)
  }
}

test('the rows held are read once, until one is written', () => {
  const all = store.devices.all()
  assert.equal(store.devices.all(), all)
  store.devices.setName(two, 'Other')
  assert.notEqual(store.devices.all(), all)
  assert.equal(store.devices.all()[0], all[0], 'the others are not read again')
  assert.deepEqual(names(), ['Hall 1', 'Other', 'Hall 3'])
})

test('whoever writes it, and however, is seen', () => {
  const id = store.devices.bySerial(one)?.id ?? 0
  const writes: (() => unknown)[] = [
    () => store.devices.setState(one, REGISTRATION.accepted),
    () => store.devices.allOffline(77),
    () => store.catalogs.put(one, 5),
    () => store.database.run('UPDATE device SET usr_mask = 8'),
    () => store.devices.remove(id),
    () => store.devices.add(helloOf(1), 'x', REGISTRATION.pending, 'x', 9),
    () => store.database.run('DELETE FROM node WHERE id = ?', store.devices.bySerial(two)?.id ?? 0),
    () => store.database.run("UPDATE device SET sn = 'B313219999999' WHERE sn = ?", one)
  ]
  for (const write of writes) {
    const before = store.devices.version
    write()
    assert.ok(store.devices.version > before, String(write))
    assertTrue()
  }
  assert.deepEqual([one, two].map(store.devices.bySerial), [undefined, undefined])
})

test('a write that is taken back is not held, even where it was read before', () => {
  for (const how of ['transaction', 'soon'] as const)
    assert.throws(
      () =>
        store.database[how](() => {
          store.devices.setName(one, 'Never')
          store.devices.add(helloOf(4), 'x', REGISTRATION.pending, 'x', 4)
          assert.deepEqual(names(), ['Never', 'Hall 2', 'Hall 3', 'Hall 4'])
          throw new Error('taken back')
        }),
      /taken back/
    )
  assert.deepEqual(names(), ['Hall 1', 'Hall 2', 'Hall 3'])
  assertTrue()
})

test('it can be told which ones were written after a version, unless a write was taken back', () => {
  const { version } = store.devices
  const ids = () => store.devices.touchedSince(version)
  assert.deepEqual(ids(), [])
  const [a, b] = [one, two].map((sn) => store.devices.bySerial(sn)?.id ?? 0)
  store.devices.setName(one, 'x')
  store.devices.setName(two, 'x')
  store.devices.setName(one, 'y')
  assert.deepEqual(ids(), [b, a])
  const { version: later } = store.devices
  store.devices.remove(b ?? 0)
  assert.deepEqual([store.devices.touchedSince(later), store.devices.touchedSince(store.devices.version)], [[b], []])
  assert.throws(() =>
    store.database.transaction(() => {
      store.devices.setName(one, 'z')
      throw new Error('taken back')
    })
  )
  assert.equal(ids(), undefined)
})

test('after a write to many all are read again', () => {
  store.database.transaction(() => {
    for (let index = 4; index < 1000; index++) store.devices.add(helloOf(index), 'x', REGISTRATION.pending, 'x', index)
  })
  assertTrue()
  store.database.run("UPDATE device SET name = 'Same'")
  assert.deepEqual([...new Set(names())], ['Same'])
  assertTrue()
})

test.run()
