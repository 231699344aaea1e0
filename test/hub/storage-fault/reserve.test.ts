// The disk reserve while it is written and needed at the same time, on a real file system of 40 MiB.
import assert from 'node:assert/strict'
import { appendFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { suite } from 'uvu'
import { RESERVE_FILE } from '../../../hub/data-folder/entries.ts'
import { StorageGuard } from '../../../hub/storage-fault/guard.ts'
import { DiskReserve, RESERVE_SIZE } from '../../../hub/storage-fault/reserve.ts'
import { createSmallDisk, type SmallDisk } from '../../kit/hub/small-disk.ts'
import { until } from '../../kit/until.ts'

const test = suite('disk reserve')

const MIB = 1 << 20
let disk: SmallDisk

test.before.each(async () => {
  disk = await createSmallDisk(40)
})
test.after.each(() => disk.close())

/** Bytes of the files in the folder. */
const writtenBytes = () =>
  readdirSync(disk.path()).reduce(
    (sum, name) => sum + (statSync(disk.path(name), { throwIfNoEntry: false })?.size ?? 0),
    0
  )

test('a reserve that is released while it is written occupies nothing, at once and afterwards', async () => {
  const reserve = new DiskReserve(disk.path())
  for (let part = 0; part < 20; part++) {
    const written = reserve.ensure()
    await until(() => writtenBytes() >= (part / 20) * RESERVE_SIZE, 'a part of it is written')
    reserve.release()
    // One part of the file may be on its way to the disk.
    appendFileSync(disk.path('needed'), Buffer.alloc(38 * MIB))
    await written
    assert.deepEqual([reserve.size, readdirSync(disk.path())], [0, ['needed']])
    rmSync(disk.path('needed'))
  }
  await reserve.ensure()
  assert.equal(reserve.size, RESERVE_SIZE)
})

test('a reserve is not tried that the disk has no space for', async () => {
  const reserve = new DiskReserve(disk.path())
  disk.fill()
  const written = reserve.ensure()
  const names = new Set<string>()
  const watching = setInterval(() => {
    for (const name of readdirSync(disk.path())) names.add(name)
  })
  await written
  clearInterval(watching)
  assert.ok(![...names].some((name) => name.startsWith(RESERVE_FILE)))
})

test('a full disk stays full however often the reserve is needed', async () => {
  const guard = new StorageGuard(disk.path())
  const changes: (string | undefined)[] = []
  await new DiskReserve(disk.path()).ensure()
  disk.fill()
  guard.start({ probe() {}, onChange: (fault) => changes.push(fault) })
  try {
    for (let n = 0; n < 500; n++) {
      guard.useReserve(() => {})
      for (let turn = 0; turn < n % 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    assert.deepEqual(changes, ['full'])
  } finally {
    guard.close()
  }
})

test.run()
