import * as assert from 'node:assert/strict'
import { suite } from 'uvu'
import { groupSerials, isShared, startGradually } from '../../../fleet/process/packing.ts'
import { createRoster } from '../../../fleet/roster.ts'

const test = suite('packing')
const serials = (count: number) => createRoster(count).map(({ sn }) => sn)

test('a small fleet has a process for each device', () => {
  assert.deepEqual(
    groupSerials(serials(24)),
    serials(24).map((sn) => [sn])
  )
  assert.deepEqual(groupSerials([]), [])
})

test('further devices share processes evenly, and each device is in one group', () => {
  for (const [count, shared] of [
    [26, 1],
    [1000, 1],
    [5000, 2]
  ] as const) {
    const groups = groupSerials(serials(count))
    const sizes = groups.filter(isShared).map((group) => group.length)
    assert.deepEqual([groups.length, sizes.length], [24 + shared, shared])
    assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1)
    assert.deepEqual(groups.flat().sort(), serials(count).sort())
  }
})

test('devices start gradually, in turn from each group, until starting is cancelled', async () => {
  const started: string[] = []
  const groups = [
    ['a1', 'a2', 'a3'],
    ['b1', 'b2']
  ]
  await startGradually(
    groups,
    (sn) => started.push(sn),
    () => true
  )
  assert.deepEqual(started, ['a1', 'b1', 'a2', 'b2', 'a3'])
  const many = Array.from({ length: 50 }, (_, index) => String(index))
  started.length = 0
  await startGradually(
    [many],
    (sn) => started.push(sn),
    () => started.length < 20
  )
  assert.equal(started.length, 20)
  await startGradually([], assert.fail, () => true)
})

test.run()
