import assert from 'node:assert/strict'
import type { NetworkInterfaceInfo } from 'node:os'
import { suite } from 'uvu'
import { DEVICE_VIEW, INPUT_OUTPUT_VIEW } from '../../../contract/permissions.ts'
import { listAddresses } from '../../../contract/system.ts'
import { addressesOf } from '../../../hub/machine/addresses.ts'
import { addUser, startHub } from '../../kit/hub.ts'

const test = suite('addresses')

const one = (address: string, more: object = {}) =>
  ({ address, family: 'IPv4', internal: false, ...more }) as NetworkInterfaceInfo
const INTERFACES = {
  lo: [one('127.0.0.1', { internal: true })],
  eth0: [one('192.168.1.7'), one('fe80::1', { family: 'IPv6' })],
  eth1: [one('10.0.0.7')]
}

test('a hub that listens everywhere is reached at each of its addresses but the loopback', () => {
  const all = [
    { iface: 'eth0', address: '192.168.1.7' },
    { iface: 'eth1', address: '10.0.0.7' }
  ]
  for (const host of ['0.0.0.0', '::']) assert.deepEqual(addressesOf(host, INTERFACES), all)
})

test('one that listens at one address is reached there alone', () => {
  assert.deepEqual(addressesOf('10.0.0.7', INTERFACES), [{ iface: 'eth1', address: '10.0.0.7' }])
  for (const host of ['localhost', '127.0.0.1'])
    assert.deepEqual(addressesOf(host, INTERFACES), [{ iface: 'lo', address: '127.0.0.1' }])
})

test('who sees sources is told addresses and open ports, and nobody else', async () => {
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
