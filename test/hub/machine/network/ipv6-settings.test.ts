import assert from 'node:assert/strict'
import { Variant } from '@jellybrick/dbus-next'
import { suite } from 'uvu'
import type { ConnectionSettings } from '../../../../hub/machine/network/connection-settings.ts'
import { ethernetConnection, vlanConnection, withAddress } from '../../../../hub/machine/network/connection-settings.ts'
import {
  addressBytes,
  addressOfBytes,
  ipv6Of,
  ipv6Section,
  orderAddresses
} from '../../../../hub/machine/network/ipv6-settings.ts'
import { plain } from '../../../../hub/machine/network/network-manager.ts'

const test = suite('IPv6 of NetworkManager connections')

const text = (value: string) => new Variant('s', value)
/** Values that no field of a request shows. */
const HIDDEN = { 'ip6-privacy': new Variant('i', 2), 'dns-search': new Variant('as', ['studio.example']) }

const STATIC = {
  'ipv6-method': 'static',
  'ipv6-addresses': ['2001:DB8:0::7/64', 'fd00::7/48'],
  'ipv6-gateway': 'fe80::1',
  'ipv6-dns': ['2001:db8::53'],
  'ipv6-routes': [{ to: '2001:db8:9::/48', via: 'fe80::9' }]
} as const
const request = { ...STATIC, 'ipv6-addresses': [...STATIC['ipv6-addresses']] } as never as object

test('a static configuration replaces all that a request has fields for, and keeps the rest', () => {
  const previous = {
    ...HIDDEN,
    method: text('auto'),
    addresses: new Variant('a(ayuay)', []),
    routes: new Variant('a(ayuayu)', []),
    'dns-data': new Variant('as', ['2001:db8::1']),
    'never-default': new Variant('b', true)
  }
  const section = ipv6Section(request, previous)
  assert.deepEqual(plain(section), {
    ...(plain(HIDDEN) as object),
    method: 'manual',
    'may-fail': false,
    'address-data': [
      { address: '2001:db8::7', prefix: 64 },
      { address: 'fd00::7', prefix: 48 }
    ],
    gateway: 'fe80::1',
    dns: [addressBytes('2001:db8::53')],
    'ignore-auto-dns': true,
    'route-data': [{ dest: '2001:db8:9::', prefix: 48, 'next-hop': 'fe80::9' }]
  })
  assert.deepEqual(ipv6Of({ ipv6: section }), {
    'ipv6-method': 'static',
    'ipv6-chosen-addresses': ['2001:db8::7/64', 'fd00::7/48'],
    'ipv6-chosen-gateway': 'fe80::1',
    'ipv6-chosen-dns': ['2001:db8::53'],
    'ipv6-routes': [{ to: '2001:db8:9::/48', via: 'fe80::9' }]
  })
})

test('an automatic configuration does not fail in a network without a router, and has no gateway of its own', () => {
  const section = ipv6Section({ ...request, 'ipv6-method': 'auto' }, HIDDEN)
  const { method, 'may-fail': mayFail, gateway } = plain(section) as Record<string, unknown>
  assert.deepEqual([method, mayFail, gateway], ['auto', true, undefined])
  assert.deepEqual(ipv6Of({ ipv6: section })['ipv6-chosen-addresses'], ['2001:db8::7/64', 'fd00::7/48'])
})

test('IPv6 is turned off as a whole, and back on', () => {
  const off = ipv6Section({ ...request, 'ipv6-method': 'off' }, { ...HIDDEN, ...ipv6Section(request) })
  assert.deepEqual(plain(off), { ...(plain(HIDDEN) as object), method: 'disabled' })
  assert.deepEqual(ipv6Of({ ipv6: off }), { 'ipv6-method': 'off' })
  assert.deepEqual(ipv6Of({ ipv6: ipv6Section({ 'ipv6-method': 'auto' }, off) }), { 'ipv6-method': 'auto' })
})

test('methods of NetworkManager that no request has are shown as such', () => {
  const methodOf = (method: string) => ipv6Of({ ipv6: { method: text(method) } })['ipv6-method']
  assert.deepEqual(['auto', 'dhcp', 'manual', 'disabled', 'ignore', 'link-local', 'shared'].map(methodOf), [
    'auto',
    'auto',
    'static',
    'off',
    'other',
    'other',
    'other'
  ])
  assert.deepEqual(ipv6Of({}), { 'ipv6-method': 'auto' })
})

test('a request without a method leaves IPv6 as it is, and one with it leaves IPv4', () => {
  const before: ConnectionSettings = { '802-3-ethernet': {}, ipv4: { method: text('auto') }, ipv6: HIDDEN }
  assert.deepEqual(withAddress(before, { mtu: 1400 }).ipv6, HIDDEN)
  const after = withAddress(before, request)
  assert.deepEqual(after.ipv4, before.ipv4)
  assert.equal(after.ipv6?.method?.value, 'manual')
})

test('a new VLAN has the IPv6 configuration of its request, otherwise an automatic one', () => {
  const methodOf = (settings: ConnectionSettings) => settings.ipv6?.method?.value
  assert.equal(methodOf(vlanConnection('eth0.20', 'eth0', 20, request)), 'manual')
  assert.equal(methodOf(vlanConnection('eth0.20', 'eth0', 20, {})), 'auto')
  assert.equal(methodOf(ethernetConnection('eth0', {})), 'auto')
})

test('bytes of addresses are read as they are written', () => {
  for (const address of ['2001:db8::53', '::1', 'fe80::1:0:0:1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'])
    assert.equal(addressOfBytes(addressBytes(address)), address)
  assert.equal(addressBytes('2001:db8::53').toString('hex'), '20010db8000000000000000000000053')
})

test('link-local addresses are listed last', () => {
  const listed = ['fe80::7/64', '2001:db8::7/64', 'febf::7/64', 'fd00::7/64', '2001:db8::7/64']
  assert.deepEqual(orderAddresses(listed), ['2001:db8::7/64', 'fd00::7/64', 'fe80::7/64', 'febf::7/64'])
})

test.run()
