import assert from 'node:assert/strict'
import { Variant } from '@jellybrick/dbus-next'
import { suite } from 'uvu'
import {
  addressingOf,
  type ConnectionSettings,
  nameServersOf,
  packedAddress,
  withAddress
} from '../../../../hub/machine/network/connection-settings.ts'
import { plain } from '../../../../hub/machine/network/network-manager.ts'

const test = suite('settings of NetworkManager connections')

const connection = (ipv4: Record<string, Variant>): ConnectionSettings => ({
  connection: { id: new Variant('s', 'lan') },
  '802-3-ethernet': {},
  ipv4
})

/** Values of a connection with DHCP that no field of a request shows. */
const HIDDEN = {
  'dhcp-client-id': new Variant('s', 'studio'),
  'dns-search': new Variant('as', ['studio.example'])
}
const WITHOUT_ROUTE = { 'never-default': new Variant('b', true), ...HIDDEN }
const DHCP = {
  method: new Variant('s', 'auto'),
  dns: new Variant('au', [packedAddress('9.9.9.9')]),
  'ignore-auto-dns': new Variant('b', true)
}
const MANUAL = { 'use-dhcp': false, ipaddr: '192.0.2.7', netmask: '255.255.255.0', gateway: '', dns1: '', dns2: '' }

test('an MTU without an address leaves the address as it is', () => {
  const before = connection({ ...DHCP, ...WITHOUT_ROUTE })
  const after = withAddress(before, { mtu: 1400 })
  assert.deepEqual(after.ipv4, before.ipv4)
  assert.equal(after['802-3-ethernet']?.mtu?.value, 1400)
})

test('a new address replaces what requests have fields for, and keeps the rest', () => {
  const { ipv4 = {} } = withAddress(connection({ ...DHCP, ...WITHOUT_ROUTE }), MANUAL)
  assert.deepEqual(plain(ipv4), {
    ...(plain(WITHOUT_ROUTE) as object),
    'may-fail': false,
    method: 'manual',
    'address-data': [{ address: '192.0.2.7', prefix: 24 }],
    'dad-timeout': 1000
  })
  const back = withAddress(connection({ ...ipv4, addresses: new Variant('aau', []) }), { 'use-dhcp': true })
  assert.deepEqual(plain(back.ipv4), { ...(plain(WITHOUT_ROUTE) as object), 'may-fail': false, method: 'auto' })
})

test('further addresses and name servers of a connection stay', () => {
  const further = [
    { address: '192.0.2.8', prefix: 24 },
    { address: '198.51.100.8', prefix: 25 }
  ]
  const addresses = [{ address: '192.0.2.6', prefix: 24 }, ...further].map(({ address, prefix }) => ({
    address: new Variant('s', address),
    prefix: new Variant('u', prefix)
  }))
  const before = connection({
    method: new Variant('s', 'manual'),
    'address-data': new Variant('aa{sv}', addresses),
    dns: new Variant('au', ['9.9.9.9', '192.0.2.53', '198.51.100.53'].map(packedAddress))
  })
  const stored = (settings: ConnectionSettings) => plain(settings.ipv4?.['address-data'])
  const servers = { dns1: '9.9.9.9', dns2: '192.0.2.54' }
  const changed = withAddress(before, { ...MANUAL, ...servers })
  assert.deepEqual(stored(changed), [{ address: '192.0.2.7', prefix: 24 }, ...further])
  assert.deepEqual(nameServersOf(changed), ['9.9.9.9', '192.0.2.54', '198.51.100.53'])
  assert.deepEqual(stored(withAddress(before, { ...MANUAL, ipaddr: '192.0.2.8' })), further)
  const automatic = withAddress(changed, { 'use-dhcp': true })
  assert.deepEqual([stored(automatic), nameServersOf(automatic)], [further, []])
  assert.deepEqual(stored(withAddress(automatic, MANUAL)), [{ address: '192.0.2.7', prefix: 24 }, ...further])
})

test('a gateway that a user enters gives the interface the default route', () => {
  const { ipv4 = {} } = withAddress(connection({ ...DHCP, ...WITHOUT_ROUTE }), { ...MANUAL, gateway: '192.0.2.1' })
  assert.deepEqual([ipv4['never-default'], ipv4.gateway?.value], [undefined, '192.0.2.1'])
})

test('a hotspot with a new address still serves its clients', () => {
  const { ipv4 = {} } = withAddress(connection({ method: new Variant('s', 'shared') }), MANUAL)
  assert.equal(ipv4.method?.value, 'shared')
  assert.equal(withAddress(connection(ipv4), { 'use-dhcp': true }).ipv4?.method?.value, 'auto')
})

test('name servers of a connection are read in the order in which they are written', () => {
  const request = { 'use-dhcp': true, dns1: '9.9.9.9', dns2: '192.0.2.53' }
  assert.deepEqual(nameServersOf(withAddress(connection(DHCP), request)), ['9.9.9.9', '192.0.2.53'])
  assert.deepEqual(nameServersOf(connection(HIDDEN)), [])
  assert.deepEqual(nameServersOf({}), [])
})

test('further addresses and routes are replaced alone, without their older forms, and are read back', () => {
  const old = {
    addresses: new Variant('aau', []),
    routes: new Variant('aau', []),
    gateway: new Variant('s', '192.0.2.1')
  }
  const { ipv4: manual = {} } = withAddress(connection(HIDDEN), MANUAL)
  const request = {
    'further-addresses': ['198.51.100.8/25', '203.0.113.9/32'],
    routes: [{ to: '10.0.0.0/8', via: '198.51.100.1' }]
  }
  const after = withAddress(connection({ ...manual, ...old }), request)
  const {
    addresses,
    routes,
    'address-data': addressData,
    'route-data': routeData,
    gateway
  } = plain(after.ipv4) as Record<string, unknown>
  assert.deepEqual([addresses, routes, gateway], [undefined, undefined, '192.0.2.1'])
  assert.deepEqual(addressData, [
    { address: '192.0.2.7', prefix: 24 },
    { address: '198.51.100.8', prefix: 25 },
    { address: '203.0.113.9', prefix: 32 }
  ])
  assert.deepEqual(routeData, [{ dest: '10.0.0.0', prefix: 8, 'next-hop': '198.51.100.1' }])
  assert.deepEqual(addressingOf(after), request)
  // A new first address keeps both, and DHCP, too.
  assert.deepEqual(addressingOf(withAddress(after, { ...MANUAL, ipaddr: '192.0.2.9' })), request)
  assert.deepEqual(addressingOf(withAddress(after, { 'use-dhcp': true })), request)
  assert.deepEqual(addressingOf(withAddress(after, { 'further-addresses': [], routes: [] })), {})
  assert.deepEqual(addressingOf(connection(DHCP)), {})
})

test.run()
