import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { hostRange, ipv4Number, ipv4Text, maskOfPrefix, prefixLength } from '../../contract/ipv4.ts'

const test = suite('ipv4')

test('an IPv4 address is converted to a 32-bit number and back, other text to NaN', () => {
  assert.equal(ipv4Number('1.0.0.0'), 2 ** 24)
  assert.equal(ipv4Number('255.255.255.255'), 2 ** 32 - 1)
  assert.ok(Number.isNaN(ipv4Number('a.example')))
  assert.ok(Number.isNaN(ipv4Number('')))
  assert.equal(ipv4Text(ipv4Number('192.168.10.254')), '192.168.10.254')
})

test('a prefix length of 1 to 32 has a mask, from which it is derived', () => {
  assert.equal(maskOfPrefix(22), '255.255.252.0')
  for (let prefix = 1; prefix <= 32; prefix += 1) assert.equal(prefixLength(maskOfPrefix(prefix)), prefix)
})

test('hosts have the addresses between those of the network and broadcast, and all of /31 and /32', () => {
  assert.deepEqual(hostRange('10.1.2.3', '255.255.255.0'), { min: '10.1.2.1', max: '10.1.2.254' })
  assert.deepEqual(hostRange('10.1.7.3', '255.255.252.0'), { min: '10.1.4.1', max: '10.1.7.254' })
  assert.deepEqual(hostRange('10.1.2.3', '255.255.255.254'), { min: '10.1.2.2', max: '10.1.2.3' })
  assert.deepEqual(hostRange('10.1.2.3', '255.255.255.255'), { min: '10.1.2.3', max: '10.1.2.3' })
})

test.run()
