import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  address,
  fields,
  heat,
  integer,
  kilobits,
  list,
  measured,
  number,
  text
} from '../../../../hub/devices/adapters/fields.ts'

const test = suite('fields')

test('only objects have fields', () => {
  for (const value of [null, undefined, 1, 'a', [], [1]]) assert.deepEqual(fields(value), {})
  assert.deepEqual(fields({ a: 1 }), { a: 1 })
  assert.deepEqual(list([{ a: 1 }, 2, { b: 3 }], 2), [{ a: 1 }, {}])
  assert.deepEqual(list({ 0: {} }, 2), [])
})

test('numbers are numbers, finite and within their range', () => {
  for (const value of ['5', null, true, Number.NaN, Number.POSITIVE_INFINITY, -0.1, 10.1, [5]])
    assert.equal(number(value, 0, 10), undefined, String(value))
  assert.deepEqual([number(0, 0, 10), number(10, 0, 10)], [0, 10])
  assert.deepEqual([integer(1.5, 0, 10), integer(2, 0, 10)], [undefined, 2])
  assert.deepEqual([measured(101, 0, 100), measured(-1, 0, 100), measured(Number.NaN, 0, 100)], [100, 0, undefined])
  assert.deepEqual([heat(68600, 1000), heat(1e9, 1000)], [68.6, undefined])
  assert.deepEqual([kilobits(310), kilobits(-1)], [310_000, undefined])
})

test('text loses outer spaces and what breaks lists, is cut, and never ends in half a character', () => {
  assert.equal(text('  Hall\n1\0\u202e ', 64), 'Hall1')
  assert.equal(text('x'.repeat(1e6), 64)?.length, 64)
  assert.equal(text(`${'x'.repeat(63)}😀`, 64), 'x'.repeat(63))
  assert.equal(text('会场 👍🏽', 64), '会场 👍🏽')
  for (const value of ['', ' \n ', 7, null, ['a'], { toString: () => 'a' }]) assert.equal(text(value, 64), undefined)
})

test('an address is one of somebody', () => {
  for (const value of ['192.0.2.1', '2001:db8::1']) assert.equal(address(value), value)
  for (const value of ['', '0.0.0.0', '::', '192.0.2.256', 'host', '192.0.2.1<script>', 1, null])
    assert.equal(address(value), undefined, String(value))
})

test.run()
