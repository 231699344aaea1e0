import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { embeddedIpv4, ipv6Groups, ipv6Text, mappedIpv4, urlHost } from '../../contract/ipv6.ts'
import { host, isIpv6Host } from '../../contract/rules/rules.ts'

const test = suite('IPv6 addresses')

test('an address is written in its shortest form, whatever the notation', () => {
  for (const [text, shortest] of [
    ['2001:DB8:0:0:0:0:0:0001', '2001:db8::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['0::1', '::1'],
    ['fe80::', 'fe80::'],
    ['::ffff:192.0.2.7', '::ffff:c000:207']
  ] as const)
    assert.equal(ipv6Text(text), shortest, text)
})

test('a text that is no address is not parsed', () => {
  for (const text of [
    ...['', ':', ':::', '1', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '1::2::3', '12345::', 'g::', '::1%eth0', '[::1]'],
    ...['1:2:3:4:5:6:7::8', '::256.1.1.1', '::01.1.1.1', '1.2.3.4', '::1.2.3', '1:2:3:4:5:6:7:1.2.3.4', '1:', ':1']
  ])
    assert.equal(ipv6Groups(text), undefined, text)
})

test('the IPv4 address of a mapped or translated address is found', () => {
  const embedded = (text: string) => embeddedIpv4(ipv6Groups(text) ?? [])
  for (const text of ['::ffff:192.0.2.7', '::c000:207', '::ffff:0:c000:207', '64:ff9b::c000:207', '2002:c000:207::1'])
    assert.equal(embedded(text), '192.0.2.7', text)
  for (const text of ['2001:db8::c000:207', '64:ff9b:1::c000:207', 'fe80::c000:207'])
    assert.equal(embedded(text), undefined, text)
  assert.equal(mappedIpv4(ipv6Groups('::ffff:c000:207') ?? []), '192.0.2.7')
  assert.equal(mappedIpv4(ipv6Groups('::c000:207') ?? []), undefined)
})

test('a host may be an IPv6 address to which one can connect, and stands in brackets in a URL', () => {
  for (const text of ['2001:db8::7', '::1', 'FD00::7', 'ff0e::1']) assert.equal(host(text), undefined, text)
  for (const text of ['::', '0:0:0:0:0:0:0:0', 'fe80::1', 'febf::1', '::ffff:c000:207', '::1%lo', '[::1]'])
    assert.ok(host(text) && !isIpv6Host(text), text)
  assert.deepEqual(['2001:db8::7', '192.0.2.7', 'a.example'].map(urlHost), ['[2001:db8::7]', '192.0.2.7', 'a.example'])
})

test.run()
