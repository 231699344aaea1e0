// Cases for the rules of IPv6 addresses, gateways, name servers and routes of an interface.
import { parseAddresses, parseRoutes } from '../../../../contract/rules/addressing.ts'
import * as rules from '../../../../contract/rules/ipv6-addressing.ts'
import { table } from './table.ts'

table('ipv6Addresses (automatic)', (text: string) => rules.ipv6Addresses(parseAddresses(text), 'auto'), [
  ['', 'ok'],
  ['2001:db8::7/64', 'ok'],
  ['fd00::1/48, 2001:DB8:0:0::7/128', 'ok'],
  ['2001:db8::7', 'invalid'],
  ['2001:db8::7/0', 'invalid'],
  ['2001:db8::7/129', 'invalid'],
  ['2001:db8::7/64/1', 'invalid'],
  ['fe80::1/64', 'invalid'],
  ['ff02::1/16', 'invalid'],
  ['::/64', 'invalid'],
  ['::1/128', 'invalid'],
  ['::ffff:192.0.2.7/128', 'invalid'],
  ['::ffff:c000:207/128', 'invalid'],
  ['192.0.2.7/24', 'invalid'],
  ['2001:db8::7%eth0/64', 'invalid'],
  ['2001:db8::7/64; reboot', 'invalid'],
  ['2001:db8::7/64, 2001:db8:0::7/48', 'same'],
  [Array.from({ length: 8 }, (_, index) => `2001:db8::${index + 1}/64`).join(), 'ok'],
  [Array.from({ length: 9 }, (_, index) => `2001:db8::${index + 1}/64`).join(), 'invalid']
])
table('ipv6Addresses (static)', (text: string) => rules.ipv6Addresses(parseAddresses(text), 'static'), [
  ['', 'required'],
  ['2001:db8::7/64', 'ok']
])

const addresses = ['2001:db8:1::7/64', '2001:db8:2::7/60']
table('ipv6Gateway', (value: string) => rules.ipv6Gateway(value, addresses), [
  ['', 'ok'],
  ['fe80::1', 'ok'],
  ['2001:db8:1::1', 'ok'],
  ['2001:db8:2:f::1', 'ok'],
  ['2001:db8:2:10::1', 'invalid'],
  ['2001:db8:1:0::7', 'same'],
  ['fe80::1%eth0', 'invalid'],
  ['ff02::2', 'invalid'],
  ['192.0.2.1', 'invalid'],
  ['x', 'invalid']
])

table('ipv6NameServers', (text: string) => rules.ipv6NameServers(parseAddresses(text)), [
  ['', 'ok'],
  ['2001:db8::53, 2001:db8::54', 'ok'],
  ['2001:db8::53, 2001:db8:0::53', 'same'],
  ['fe80::53', 'invalid'],
  ['9.9.9.9', 'invalid'],
  ['::1, ::2, ::3, ::4, ::5', 'invalid']
])

table('ipv6Routes', (text: string) => rules.ipv6Routes(parseRoutes(text), addresses), [
  ['', 'ok'],
  ['2001:db8:9::/48 via fe80::1', 'ok'],
  ['2001:db8:9::/48 via 2001:db8:1::1, 2001:db8:9::7/128 via 2001:db8:2::1', 'ok'],
  ['2001:db8:9::/48 via 2001:db8:3::1', 'invalid'],
  ['2001:db8:9::1/48 via fe80::1', 'invalid'],
  ['2001:db8:9:8000::/49 via fe80::1', 'ok'],
  ['2001:db8:9:8000::/48 via fe80::1', 'invalid'],
  ['2001:db8:9:: via fe80::1', 'invalid'],
  ['::/0 via fe80::1', 'invalid'],
  ['ff00::/8 via fe80::1', 'invalid'],
  ['fe80::/64 via fe80::1', 'invalid'],
  ['2001:db8:9::/48', 'invalid'],
  ['10.0.0.0/8 via fe80::1', 'invalid'],
  ['2001:db8:9::/48 via fe80::1, 2001:DB8:9:0::/48 via fe80::2', 'same'],
  [Array.from({ length: 17 }, (_, index) => `2001:db8:${index}::/48 via fe80::1`).join(), 'invalid']
])
table('ipv6Routes (automatic)', (text: string) => rules.ipv6Routes(parseRoutes(text), undefined), [
  ['2001:db8:9::/48 via 2001:db8:3::1', 'ok']
])
