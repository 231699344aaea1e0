import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { openStore, type Store } from '../../../hub/store/store.ts'
import { helloOf } from '../../kit/hub/register-devices.ts'

const test = suite('device cache')
let store: Store
test.before.each(() => {
  store = openStore(':memory:')
  for (const index of [1, 2, 3]) store.devices.add(helloOf(index), 'x', REGISTRATION_STATE.pending, 'x', index)
})
test.after.each(() => store.close())

const names = () => store.devices.all().map(({ name }) => name)
const [firstSerial, secondSerial] = [helloOf(1).sn, helloOf(2).sn]

/** The cached rows are those of the database. */
function assertCacheMatches(): void {
  const rows = store.database.all<{ id: number; sn: string }>('SELECT * FROM device ORDER BY id')
  assert.deepEqual(store.devices.all(), rows)
  for (const row of rows) {
    assert.deepEqual(store.devices.bySerial(row.sn), row)
    assert.deepEqual(store.devices.byId(row.id), row)
  }
}

test('rows are read once until one is written', () => {
  const all = store.devices.all()
  assert.equal(store.devices.all(), all)
  store.devices.setName(secondSerial, 'Other')
  assert.notEqual(store.devices.all(), all)
  assert.equal(store.devices.all()[0], all[0], 'other rows are not read again')
  assert.deepEqual(names(), ['Hall 1', 'Other', 'Hall 3'])
})

test('writes of any kind, from any module, update the cache', () => {
  const id = store.devices.bySerial(firstSerial)?.id ?? 0
  const writes: (() => unknown)[] = [
    () => store.devices.setRegistrationState(firstSerial, REGISTRATION_STATE.accepted),
    () => store.devices.markAllOffline(77),
    () => store.catalogs.setDeviceCatalog(firstSerial, 5),
    () => store.database.run('UPDATE device SET usr_mask = 8'),
    () => store.devices.remove(id),
    () => store.devices.add(helloOf(1), 'x', REGISTRATION_STATE.pending, 'x', 9),
    () => store.database.run('DELETE FROM node WHERE id = ?', store.devices.bySerial(secondSerial)?.id ?? 0),
    () => store.database.run("UPDATE device SET sn = 'B313219999999' WHERE sn = ?", firstSerial)
  ]
  for (const write of writes) {
    const before = store.devices.version
    write()
    assert.ok(store.devices.version > before, String(write))
    assertCacheMatches()
  }
  assert.deepEqual([firstSerial, secondSerial].map(store.devices.bySerial), [undefined, undefined])
})

test('a write that is rolled back does not stay in the cache, even if it was read in between', () => {
  for (const method of ['transaction', 'runBatched'] as const)
    assert.throws(
      () =>
        store.database[method](() => {
          store.devices.setName(firstSerial, 'Never')
          store.devices.add(helloOf(4), 'x', REGISTRATION_STATE.pending, 'x', 4)
          assert.deepEqual(names(), ['Never', 'Hall 2', 'Hall 3', 'Hall 4'])
          throw new Error('rolled back')
        }),
      /rolled back/
    )
  assert.deepEqual(names(), ['Hall 1', 'Hall 2', 'Hall 3'])
  assertCacheMatches()
})

test('changedSince returns the devices written after a version, unless a write was rolled back', () => {
  const { version } = store.devices
  const ids = () => store.devices.changedSince(version)
  assert.deepEqual(ids(), [])
  const [a, b] = [firstSerial, secondSerial].map((sn) => store.devices.bySerial(sn)?.id ?? 0)
  store.devices.setName(firstSerial, 'x')
  store.devices.setName(secondSerial, 'x')
  store.devices.setName(firstSerial, 'y')
  assert.deepEqual(ids(), [b, a])
  const { version: later } = store.devices
  store.devices.remove(b ?? 0)
  assert.deepEqual([store.devices.changedSince(later), store.devices.changedSince(store.devices.version)], [[b], []])
  assert.throws(() =>
    store.database.transaction(() => {
      store.devices.setName(firstSerial, 'z')
      throw new Error('rolled back')
    })
  )
  assert.equal(ids(), undefined)
})

test('after a write to many rows all are read again', () => {
  store.database.transaction(() => {
    for (let index = 4; index < 1000; index++)
      store.devices.add(helloOf(index), 'x', REGISTRATION_STATE.pending, 'x', index)
  })
  assertCacheMatches()
  store.database.run("UPDATE device SET name = 'Same'")
  assert.deepEqual([...new Set(names())], ['Same'])
  assertCacheMatches()
})

test.run()
