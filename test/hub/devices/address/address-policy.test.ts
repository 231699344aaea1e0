import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { suite } from 'uvu'
import { BAD_ADDRESS, NO_RESPONSE } from '../../../../contract/codes.ts'
import { resolveDeviceAddress } from '../../../../hub/devices/address/address-policy.ts'

const test = suite('address policy')
const NO_LOOPBACK = { allowLoopback: false, ownPorts: () => [3000] }
const LOOPBACK = { allowLoopback: true, ownPorts: () => [3000] }

test('private and public addresses are allowed', async () => {
  for (const address of [
    ...['10.0.0.7', '172.16.3.4', '192.168.77.20', '203.0.113.9', '1.2.3.4'],
    ...['2001:db8::7', 'fd12:3456::7', '64:ff9b::102:304']
  ])
    assert.equal(await resolveDeviceAddress(address, 80, NO_LOOPBACK), address)
})

test('link-local, network and multicast addresses are refused', async () => {
  for (const address of [
    '169.254.169.254',
    '169.254.0.1',
    '0.0.0.0',
    '0.1.2.3',
    '224.0.0.251',
    '240.0.0.1',
    '255.255.255.255',
    ...['::', 'fe80::1', 'febf::1', 'ff02::fb', 'fd00:ec2::254', '::ffff:169.254.169.254', '64:ff9b::e000:1']
  ])
    for (const policy of [NO_LOOPBACK, LOOPBACK])
      await assert.rejects(resolveDeviceAddress(address, 80, policy), { code: BAD_ADDRESS }, address)
})

test('addresses of this machine are refused unless loopback is allowed; the hub’s own ports are always refused', async () => {
  const own = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .map(({ address }) => address)
    .filter((address) => !address.startsWith('fe80:'))
  for (const address of ['127.0.0.1', '127.9.9.9', 'localhost', '::1', '::ffff:127.0.0.1', ...own]) {
    await assert.rejects(resolveDeviceAddress(address, 80, NO_LOOPBACK), { code: BAD_ADDRESS }, address)
    assert.match(await resolveDeviceAddress(address, 80, LOOPBACK), /^\d+\.\d+\.\d+\.\d+$|:/)
    await assert.rejects(resolveDeviceAddress(address, 3000, LOOPBACK), { code: BAD_ADDRESS }, address)
  }
})

test('an unknown host name is refused', async () => {
  await assert.rejects(resolveDeviceAddress('nothing.invalid', 80, NO_LOOPBACK), { code: NO_RESPONSE })
})

test.run()
