import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { plainAddress } from '../../contract/network-prefix.ts'

const test = suite('plain addresses')

test('an IPv4 address of an IPv6 socket, and one with a zone, are shortened to the address alone', () => {
  assert.equal(plainAddress('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(plainAddress('fe80::1%eth0'), 'fe80::1')
  assert.equal(plainAddress('2001:db8::1'), '2001:db8::1')
})

test.run()
