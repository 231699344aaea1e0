import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createAllowedAddresses } from '../../../hub/videohub/videohub-server.ts'

const test = suite('allowed addresses')

test('an empty list allows every address', () => {
  const isAllowed = createAllowedAddresses([])
  assert.ok(isAllowed('192.0.2.1') && isAllowed('2001:db8::1'))
})

test('addresses and ranges of both families are compared', () => {
  const isAllowed = createAllowedAddresses(['10.1.0.0/16', '192.0.2.7', '2001:db8:1::/48', 'fe80::1'])
  for (const address of ['10.1.0.0', '10.1.255.255', '192.0.2.7', '2001:db8:1:ffff::9', 'fe80::1'])
    assert.ok(isAllowed(address), address)
  for (const address of ['10.2.0.0', '192.0.2.8', '2001:db8:2::1', 'fe80::2', '::1', '', 'x'])
    assert.ok(!isAllowed(address), address)
})

test('IPv4 addresses from one to another are allowed, both ends included', () => {
  const isAllowed = createAllowedAddresses(['10.0.0.20-10.0.1.5'])
  for (const address of ['10.0.0.20', '10.0.0.255', '10.0.1.5']) assert.ok(isAllowed(address), address)
  for (const address of ['10.0.0.19', '10.0.1.6', '::1', 'x']) assert.ok(!isAllowed(address), address)
})

test.run()
