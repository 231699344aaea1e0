import assert from 'node:assert/strict'
import type { NetworkInterfaceInfo } from 'node:os'
import { suite } from 'uvu'
import { DEVICE_VIEW, INPUT_OUTPUT_VIEW } from '../../../contract/access/permissions.ts'
import { listAddresses } from '../../../contract/system.ts'
import { isIpv6Only, listHubAddresses } from '../../../hub/machine/addresses.ts'
import { addUser, startHub } from '../../kit/hub/hub.ts'

const test = suite('addresses')

const entry = (address: string, more: object = {}) =>
  ({ address, family: 'IPv4', internal: false, ...more }) as NetworkInterfaceInfo
const INTERFACES = {
  lo: [entry('127.0.0.1', { internal: true })],
  eth0: [entry('fe80::1', { family: 'IPv6' }), entry('2001:db8::7', { family: 'IPv6' }), entry('192.168.1.7')],
  eth1: [entry('10.0.0.7')]
}

test('a hub that listens on all addresses is reachable at each but loopback and link-local ones, IPv4 first', () => {
  const all = [
    { iface: 'eth0', address: '192.168.1.7' },
    { iface: 'eth1', address: '10.0.0.7' }
  ]
  assert.deepEqual(listHubAddresses('0.0.0.0', INTERFACES), all)
  all.splice(1, 0, { iface: 'eth0', address: '2001:db8::7' })
  assert.deepEqual(listHubAddresses('::', INTERFACES), all)
})

test('a hub that listens on one address is reachable there only', () => {
  assert.deepEqual(listHubAddresses('10.0.0.7', INTERFACES), [{ iface: 'eth1', address: '10.0.0.7' }])
  for (const host of ['localhost', '127.0.0.1'])
    assert.deepEqual(listHubAddresses(host, INTERFACES), [{ iface: 'lo', address: '127.0.0.1' }])
})

test('a machine has IPv6 alone if it has such an address that others can use, and no IPv4 address', () => {
  const [linkLocal, global] = INTERFACES.eth0.map((each) => [each])
  assert.equal(isIpv6Only(INTERFACES), false)
  assert.equal(isIpv6Only({ ...INTERFACES, eth0: global, eth1: [] }), true)
  assert.equal(isIpv6Only({ lo: INTERFACES.lo, eth0: linkLocal }), false)
  assert.equal(isIpv6Only({ lo: INTERFACES.lo }), false)
})

test('users with permission to view sources get the addresses and open ports, others do not', async () => {
  const hub = await startHub()
  const { port } = await hub.listen(0, 0)
  const viewer = await addUser(hub, 'vera', INPUT_OUTPUT_VIEW)
  const { addresses, ports } = await viewer.send(listAddresses, {})
  assert.deepEqual([addresses[0]?.address, ports.web], ['127.0.0.1', port])
  const other = await addUser(hub, 'otto', DEVICE_VIEW)
  assert.equal((await other.send(listAddresses, {})).addresses, undefined)
  await hub.close()
})

test.run()
