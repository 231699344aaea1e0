import assert from 'node:assert/strict'
import type { NetworkInterfaceInfo } from 'node:os'
import { suite } from 'uvu'
import {
  isAllowedAddress,
  isForbiddenHost,
  isForbiddenServer,
  isPrivate,
  parseAddress,
  parseIpv4
} from '../../../contract/stream/address-policy.ts'
import { sourceHost, targetHost } from '../../../contract/stream/stream-hosts.ts'
import { resolveHost } from '../../../engine/access/address-policy.ts'
import { preferredAddress } from '../../../engine/access/lookup-address.ts'
import { ForbiddenAddressError } from '../../../engine/interfaces/errors.ts'

const test = suite('address policy')

test('an address that only this machine or its networks can reach is private, up to the last address of each range', () => {
  for (const ip of [
    ...['0.0.0.0', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255', '127.0.0.1', '169.254.0.1'],
    ...[
      '172.16.0.0',
      '172.31.255.255',
      '192.0.0.8',
      '192.168.0.0',
      '192.168.255.255',
      '198.19.255.255',
      '255.255.255.255'
    ]
  ])
    assert.ok(isPrivate(ip), ip)
  for (const ip of [
    ...['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '128.0.0.0', '169.253.255.255'],
    ...['172.15.255.255', '172.32.0.0', '192.0.2.1', '192.167.255.255', '192.169.0.0', '239.255.255.255']
  ])
    assert.ok(!isPrivate(ip), ip)
})

test('cloud metadata addresses are forbidden whatever the setting', () => {
  assert.deepEqual(
    [isAllowedAddress('169.254.169.254', false), isAllowedAddress('169.254.169.254', true)],
    [false, false]
  )
  assert.deepEqual([isAllowedAddress('10.0.0.1', false), isAllowedAddress('10.0.0.1', true)], [true, false])
  assert.deepEqual([isForbiddenHost('localhost', true), isForbiddenHost('localhost', false)], [true, false])
  assert.deepEqual([isForbiddenHost('a.example', true), isForbiddenHost('169.254.169.254', false)], [false, true])
})

test('an address is checked in every notation, both when it is stored and when a connection is made', async () => {
  const notations = [
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '0xA9.0xFE.0xA9.0xFE',
    '169.16689662'
  ]
  for (const host of notations) {
    assert.equal(parseIpv4(host), '169.254.169.254', host)
    assert.ok(isForbiddenHost(host, false), host)
    await assert.rejects(resolveHost(host, false), ForbiddenAddressError, host)
  }
  for (const host of ['127.1', '0x7f.1', '2130706433', '017700000001', '0'])
    await assert.rejects(resolveHost(host, true), ForbiddenAddressError, host)
  for (const host of [
    '',
    'a.example',
    '1.2.3.256',
    '256.1.1.1',
    '4294967296',
    '08.1.1.1',
    '1.2.3.4.5',
    '0xg.1',
    '1..2'
  ])
    assert.equal(parseIpv4(host), undefined, host)
  for (const ip of ['169.254.170.2', '100.100.100.200', '192.0.0.192', '168.63.129.16'])
    assert.equal(isAllowedAddress(ip, false), false, ip)
})

test('an IPv6 address that embeds a forbidden IPv4 address is forbidden, too', async () => {
  for (const host of [
    ...['::ffff:169.254.169.254', '[::ffff:a9fe:a9fe]', '0:0:0:0:0:FFFF:A9FE:A9FE', '::169.254.169.254'],
    ...['::ffff:0:169.254.169.254', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::1', 'fd00:ec2::254', 'FD00:EC2:0::254%eth0']
  ])
    for (const forbid of [false, true]) {
      assert.ok(isForbiddenHost(host, forbid), host)
      assert.ok(isForbiddenServer(host), host)
      await assert.rejects(resolveHost(host, forbid), ForbiddenAddressError, host)
    }
  // Connections to a mapped address use IPv4, so it is the IPv4 address everywhere else.
  assert.equal(parseAddress('::FFFF:10.1.2.3'), '10.1.2.3')
  assert.equal(await resolveHost('[::ffff:7f00:1]', false), '127.0.0.1')
})

test('without private addresses, unique local, link-local and loopback ones of IPv6 are forbidden, in every notation', async () => {
  for (const host of [
    ...['::1', '[::1]', '0:0:0:0:0:0:0:1', '::', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe80::1%eth0'],
    ...['febf::1', 'fec0::1', '100::1', '2001::1', '2001:2::1', '::ffff:127.0.0.1', '::ffff:a00:1', '::127.0.0.1'],
    ...['::ffff:0:10.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b:1::1', '2002:7f00:1::', '2002:c0a8:101::1', '4000::1']
  ]) {
    assert.ok(isForbiddenHost(host, true), host)
    assert.ok(!isForbiddenHost(host, false), host)
    await assert.rejects(resolveHost(host, true), ForbiddenAddressError, host)
  }
  for (const host of ['2000::', '2606:4700::1111', '3fff:ffff::1', '64:ff9b::101:101', '2002:101:101::1', 'ff0e::1']) {
    assert.ok(!isForbiddenHost(host, true), host)
    assert.equal(await resolveHost(host, true), host)
  }
  assert.equal(await resolveHost('[2001:DB8:0:0::0:A]', true), '2001:db8::a')
})

test('a name is reached over IPv4 if the machine has it, otherwise over IPv6', () => {
  const found = [
    { address: '2001:db8::1', family: 6 },
    { address: '192.0.2.1', family: 4 }
  ]
  const own = (family: string, internal = false) => ({ family, internal }) as NetworkInterfaceInfo
  const loopback = [own('IPv4', true), own('IPv6', true)]
  assert.equal(preferredAddress(found, { lo: loopback, eth0: [own('IPv6'), own('IPv4')] }), '192.0.2.1')
  assert.equal(preferredAddress(found, { lo: loopback, eth0: [own('IPv6')] }), '2001:db8::1')
  assert.equal(preferredAddress(found, { lo: loopback }), '192.0.2.1')
  assert.equal(preferredAddress(found.slice(0, 1), { eth0: [own('IPv4')] }), '2001:db8::1')
  // A name server that returns a mapped address cannot circumvent the policy.
  assert.equal(preferredAddress([{ address: '::ffff:127.0.0.1', family: 6 }], { eth0: [own('IPv6')] }), '127.0.0.1')
  assert.equal(preferredAddress([], {}), undefined)
})

test('a name is checked by the address it resolves to, and an unknown name has a separate error', async () => {
  assert.equal(await resolveHost('localhost', false), '127.0.0.1')
  assert.equal(await resolveHost('10.0.0.1', false), '10.0.0.1')
  await assert.rejects(resolveHost('localhost', true), ForbiddenAddressError)
  await assert.rejects(resolveHost('169.254.169.254', false), ForbiddenAddressError)
  await assert.rejects(resolveHost('nowhere.invalid', false), (error: NodeJS.ErrnoException) =>
    /^E/.test(error.code ?? '')
  )
})

test('a protocol without a rule is an error, not a leg that the policy does not apply to', () => {
  const unknown = { id: 1, name: '', kind: 'new', protocol: 128, config: { 'dst-ip': '10.0.0.1' } } as never
  assert.throws(() => targetHost(unknown), /protocol is unknown/)
  assert.throws(() => sourceHost(unknown), /protocol is unknown/)
})

test.run()
