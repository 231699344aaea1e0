// At which address a change of the network is to be confirmed when the console was opened over IPv6.
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { suite } from 'uvu'
import type { SetNetworkRequest } from '../../../../contract/machine/network.ts'
import type { MachineError } from '../../../../hub/machine/machine-error.ts'
import {
  confirmationAddress,
  hasInterfaceAddress,
  keepsIpv6Address,
  requireIpv6Mtu
} from '../../../../hub/machine/network/ipv6-change.ts'

const test = suite('changes of IPv6')

const CHOSEN = '2001:db8::7'
const AUTOMATIC = '2001:db8::40fc:49ff:fed1:71e6'
const LINK_LOCAL = 'fe80::40fc:49ff:fed1:71e6'
const current = {
  ipaddr: '192.0.2.7',
  'ipv6-addresses': [CHOSEN, AUTOMATIC, LINK_LOCAL].map((address) => `${address}/64`),
  'ipv6-chosen-addresses': [`${CHOSEN}/64`]
}

const requestOf = (fields: Omit<SetNetworkRequest, 'iface'>): SetNetworkRequest => ({ iface: 'eth0', ...fields })
const STATIC = requestOf({ 'ipv6-method': 'static', 'ipv6-addresses': ['2001:DB8:0::8/64', 'fd00::8/64'] })
const SAME = requestOf({ 'ipv6-method': 'static', 'ipv6-addresses': ['fd00::8/64', '2001:db8:0::7/64'] })
const AUTO = requestOf({ 'ipv6-method': 'auto' })
const OFF = requestOf({ 'ipv6-method': 'off' })
const IPV4 = requestOf({ 'use-dhcp': false, ipaddr: '192.0.2.8' })

test('an interface has its addresses of both kinds, in any notation', () => {
  for (const address of [current.ipaddr, CHOSEN, '2001:DB8:0:0::7', LINK_LOCAL])
    assert.equal(hasInterfaceAddress(current, address), true)
  for (const address of ['', undefined, '192.0.2.8', '2001:db8::8'])
    assert.equal(hasInterfaceAddress(current, address), false)
  assert.equal(hasInterfaceAddress({ ipaddr: '' }, ''), false)
})

test('a chosen address is lost when a request does not have it, an automatic one when it does not ask for it', () => {
  const kept = (address: string) =>
    [STATIC, SAME, AUTO, OFF, IPV4].map((each) => keepsIpv6Address(each, current, address))
  assert.deepEqual(kept(CHOSEN), [false, true, false, false, true])
  assert.deepEqual(kept(AUTOMATIC), [false, false, true, false, true])
  assert.deepEqual(kept(LINK_LOCAL), [true, true, true, false, true])
})

test('a change is confirmed at the address of the console while it stays, otherwise at the new one', () => {
  const at = (address: string | undefined, request: SetNetworkRequest, ipv4 = '') =>
    confirmationAddress(request, current, address, ipv4)
  assert.equal(at(CHOSEN, STATIC), '2001:db8::8')
  assert.equal(at(CHOSEN, SAME), CHOSEN)
  assert.equal(at(CHOSEN, AUTO), '')
  assert.equal(at(AUTOMATIC, AUTO), AUTOMATIC)
  assert.equal(at(CHOSEN, IPV4, '192.0.2.8'), CHOSEN)
  // Without IPv6, the console is at the IPv4 address.
  assert.equal(at(CHOSEN, OFF), '192.0.2.7')
  assert.equal(at(CHOSEN, { ...OFF, 'use-dhcp': true }), '')
  assert.equal(at(CHOSEN, { ...OFF, ...IPV4, 'ipv6-method': 'off' }, '192.0.2.8'), '192.0.2.8')
})

test('a console at the IPv4 address, or at another interface, confirms at the IPv4 address', () => {
  for (const address of ['192.0.2.7', '2001:db8:5::1', undefined])
    assert.equal(confirmationAddress(STATIC, current, address, '192.0.2.7'), '192.0.2.7')
})

test('an MTU below 1280 is refused while IPv6 is on, since the kernel would turn IPv6 off', () => {
  const on = { mtu: 1500, 'ipv6-method': 'auto' } as const
  const off = { mtu: 1500, 'ipv6-method': 'off' } as const
  const refused = { field: 'mtu', fault: 'range', min: 1280, max: 9216 }
  const small = requestOf({ mtu: 1279 })
  assert.throws(
    () => requireIpv6Mtu(small, on),
    ({ fields }: MachineError) => isDeepStrictEqual(fields, refused)
  )
  assert.throws(() => requireIpv6Mtu(AUTO, { ...off, mtu: 1000 }), 'IPv6 is turned on with the MTU that it has')
  assert.throws(() => requireIpv6Mtu(small, undefined), 'a new interface has IPv6')
  for (const [request, before] of [
    [requestOf({ mtu: 1280 }), on],
    [requestOf({ mtu: 0 }), on],
    [small, off],
    [requestOf({ mtu: 1279, 'ipv6-method': 'off' }), on],
    [requestOf({ label: 'LAN' }), { ...on, mtu: 1000 }]
  ] as const)
    requireIpv6Mtu(request, before)
})

test.run()
