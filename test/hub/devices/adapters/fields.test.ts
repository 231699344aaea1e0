import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  bitsFromKilobits,
  clampedNumber,
  fields,
  integer,
  ipAddress,
  number,
  objectList,
  temperature,
  text
} from '../../../../hub/devices/adapters/fields.ts'

const test = suite('fields')

test('only objects have fields', () => {
  for (const value of [null, undefined, 1, 'a', [], [1]]) assert.deepEqual(fields(value), {})
  assert.deepEqual(fields({ a: 1 }), { a: 1 })
  assert.deepEqual(objectList([{ a: 1 }, 2, { b: 3 }], 2), [{ a: 1 }, {}])
  assert.deepEqual(objectList({ 0: {} }, 2), [])
})

test('numbers are numbers, finite and within their range', () => {
  for (const value of ['5', null, true, Number.NaN, Number.POSITIVE_INFINITY, -0.1, 10.1, [5]])
    assert.equal(number(value, 0, 10), undefined, String(value))
  assert.deepEqual([number(0, 0, 10), number(10, 0, 10)], [0, 10])
  assert.deepEqual([integer(1.5, 0, 10), integer(2, 0, 10)], [undefined, 2])
  assert.deepEqual(
    [clampedNumber(101, 0, 100), clampedNumber(-1, 0, 100), clampedNumber(Number.NaN, 0, 100)],
    [100, 0, undefined]
  )
  assert.deepEqual([temperature(68600, 1000), temperature(1e9, 1000)], [68.6, undefined])
  assert.deepEqual([bitsFromKilobits(310), bitsFromKilobits(-1)], [310_000, undefined])
})

test('text loses surrounding spaces and forbidden characters, is truncated, and never ends in half a surrogate pair', () => {
  assert.equal(text('  Hall\n1\0\u202e ', 64), 'Hall1')
  assert.equal(text('x'.repeat(1e6), 64)?.length, 64)
  assert.equal(text(`${'x'.repeat(63)}😀`, 64), 'x'.repeat(63))
  assert.equal(text('会场 👍🏽', 64), '会场 👍🏽')
  for (const value of ['', ' \n ', 7, null, ['a'], { toString: () => 'a' }]) assert.equal(text(value, 64), undefined)
})

test('an IP address is valid and specified', () => {
  for (const value of ['192.0.2.1', '2001:db8::1']) assert.equal(ipAddress(value), value)
  for (const value of ['', '0.0.0.0', '::', '192.0.2.256', 'host', '192.0.2.1<script>', 1, null])
    assert.equal(ipAddress(value), undefined, String(value))
})

test.run()
