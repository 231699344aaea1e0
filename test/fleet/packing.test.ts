import * as assert from 'node:assert/strict'
import { suite } from 'uvu'
import { groupsOf, isShared, startSlowly } from '../../fleet/packing.ts'
import { roster } from '../../fleet/roster.ts'

const test = suite('light devices')
const serials = (count: number) => roster(count).map(({ sn }) => sn)

test('a small fleet has a process for each device', () => {
  assert.deepEqual(
    groupsOf(serials(24)),
    serials(24).map((sn) => [sn])
  )
  assert.deepEqual(groupsOf([]), [])
})

test('beyond that devices share as few processes as make sense, evenly, and each device is in one', () => {
  for (const [count, shared] of [
    [26, 1],
    [1000, 1],
    [5000, 2]
  ] as const) {
    const groups = groupsOf(serials(count))
    const sizes = groups.filter(isShared).map((group) => group.length)
    assert.deepEqual([groups.length, sizes.length], [24 + shared, shared])
    assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1)
    assert.deepEqual(groups.flat().sort(), serials(count).sort())
  }
})

test('they start bit by bit, the processes in turns, until it is over', async () => {
  const started: string[] = []
  const groups = [
    ['a1', 'a2', 'a3'],
    ['b1', 'b2']
  ]
  await startSlowly(
    groups,
    (sn) => started.push(sn),
    () => true
  )
  assert.deepEqual(started, ['a1', 'b1', 'a2', 'b2', 'a3'])
  const many = Array.from({ length: 50 }, (_, index) => String(index))
  started.length = 0
  await startSlowly(
    [many],
    (sn) => started.push(sn),
    () => started.length < 20
  )
  assert.equal(started.length, 20)
  await startSlowly([], assert.fail, () => true)
})

test.run()
